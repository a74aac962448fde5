"""What a person drops on the window is recognised, or refused with the reason."""

import os
from pathlib import Path

import pytest

from engine.errors import Cancelled
from engine.models.library import bring
from engine.models.library.bring import look_at
from engine.types.cancel import CancelToken
from engine.types.library import Brought, InstalledModel, Owner, Trouble
from tests import ggufs
from tests.unit.engine.library.made import CancelledAfter, content_of, sha256

TINY = ggufs.chat({"general.name": "Tiny"})
BIG = ggufs.chat({"general.name": "Big"})
EYES = ggufs.chat({"general.type": "mmproj", "general.architecture": "clip"})


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def lay(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def brought(*paths: Path) -> Brought:
    return look_at(paths, CancelToken())


def only(*paths: Path) -> InstalledModel:
    found = brought(*paths)
    assert found.refused == ()
    (model,) = found.models
    assert found.size_bytes == model.size_bytes
    return model


def test_a_file(stick: Path) -> None:
    lay(stick, {"tiny-Q4_K_M.gguf": TINY, "other.gguf": BIG})
    model = only(stick / "tiny-Q4_K_M.gguf")
    assert model.files == (stick / "tiny-Q4_K_M.gguf",)
    assert model.owner is Owner.PERSON
    assert model.facts is not None


def test_a_whole_stick(stick: Path) -> None:
    lay(stick, {"a/tiny.gguf": TINY, "b/c/big.gguf": BIG, "photo.jpg": b"x", "d/e.txt": b"y"})
    before = content_of(stick)
    found = brought(stick)
    assert {model.path.name for model in found.models} == {"tiny.gguf", "big.gguf"}
    assert found.refused == ()
    assert content_of(stick) == before


def test_one_part_brings_the_set(stick: Path) -> None:
    names = ["t-00001-of-00002.gguf", "t-00002-of-00002.gguf"]
    for number, name in enumerate(names):
        lay(stick, {name: ggufs.chat({"split.no": number, "split.count": 2})})
    for dropped in ([stick / names[1]], [stick / names[0], stick / names[1]]):
        found = brought(*dropped)
        paths = [model.path for model in found.models] + [path for path, _ in found.refused]
        assert paths == [stick / names[0]]


def test_a_set_that_is_not_whole(stick: Path) -> None:
    second = ggufs.chat({"split.no": 1, "split.count": 3})
    lay(stick, {"t-00002-of-00003.gguf": second})
    found = brought(stick)
    assert found.models == ()
    assert found.refused == ((stick / "t-00001-of-00003.gguf", Trouble.PARTS_MISSING),)


def test_eyes_come_with_their_model(stick: Path) -> None:
    lay(stick, {"tiny-Q8_0.gguf": TINY, "mmproj-tiny.gguf": EYES})
    eyes = stick / "mmproj-tiny.gguf"
    assert only(stick / "tiny-Q8_0.gguf").projector == eyes
    assert only(stick / "tiny-Q8_0.gguf", eyes).projector == eyes
    assert brought(eyes).refused == ((eyes, Trouble.NOT_A_CHAT_MODEL),)


@pytest.mark.parametrize(
    ("name", "content", "trouble"),
    [
        ("report.pdf", b"%PDF-1.7", Trouble.NOT_A_CHAT_MODEL),
        ("empty.gguf", b"", Trouble.CUT_OFF),
        ("cut.gguf", TINY[:-9], Trouble.CUT_OFF),
        ("web-page.gguf", b"<!DOCTYPE html>", Trouble.DAMAGED),
        ("new.gguf", b"GGUF\x63\0\0\0" + bytes(64), Trouble.TOO_NEW),
        ("embed.gguf", ggufs.chat({"general.architecture": "bert"}), Trouble.NOT_A_CHAT_MODEL),
    ],
)
def test_what_is_refused(stick: Path, name: str, content: bytes, trouble: Trouble) -> None:
    lay(stick, {name: content})
    assert brought(stick / name) == Brought(refused=((stick / name, trouble),))


def test_odd_things(stick: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    os.mkfifo(stick / "pipe.gguf")
    (stick / "loop").symlink_to("loop")
    (stick / "zero.gguf").symlink_to("/dev/zero")
    found = brought(empty, stick / "pipe.gguf", stick / "loop", stick / "zero.gguf", stick / "no")
    assert found.models == ()
    assert dict(found.refused) == {
        empty: Trouble.NOT_A_CHAT_MODEL,
        stick / "pipe.gguf": Trouble.NOT_A_CHAT_MODEL,
        stick / "loop": Trouble.UNREADABLE,
        stick / "zero.gguf": Trouble.NOT_A_CHAT_MODEL,
        stick / "no": Trouble.GONE,
    }


def test_an_onnx_folder_or_any_file_of_it(stick: Path) -> None:
    config = b'{"model": {"type": "phi3", "decoder": {"filename": "m.onnx"}}}'
    files = {"genai_config.json": config, "m.onnx": b"x", "tokenizer.json": b"{}"}
    lay(stick / "phi", files)
    paths = [
        [model.path for model in found.models] + [path for path, _ in found.refused]
        for found in (brought(stick / "phi"), brought(stick / "phi" / "m.onnx"), brought(stick))
    ]
    assert paths == [[stick / "phi"]] * 3


def test_a_model_without_its_ending(stick: Path) -> None:
    """Ollama's, picked by hand."""
    blob = stick / f"sha256-{sha256(TINY)}"
    lay(stick, {blob.name: TINY})
    assert only(blob).path == blob


def test_the_same_twice_is_one(stick: Path) -> None:
    lay(stick, {"tiny.gguf": TINY})
    assert only(stick, stick / "tiny.gguf", stick / ".." / "stick").path == stick / "tiny.gguf"


def test_a_cancel_ends_it(stick: Path) -> None:
    lay(stick, {"tiny.gguf": TINY})
    for looks in range(3):
        with pytest.raises(Cancelled):
            look_at([stick], CancelledAfter(looks))


@pytest.mark.parametrize("removable", [True, False])
def test_whether_it_may_be_pulled_out(
    stick: Path, monkeypatch: pytest.MonkeyPatch, removable: bool
) -> None:
    lay(stick, {"tiny.gguf": TINY})
    monkeypatch.setattr(bring, "is_removable", lambda path: removable)
    assert brought(stick).removable is removable
