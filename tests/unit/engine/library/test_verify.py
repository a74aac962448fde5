"""Every byte of a model is held against what it should be."""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Cancelled
from engine.models.library.manifest import write_manifest
from engine.models.library.verify import verify
from engine.types.cancel import CancelToken
from engine.types.library import FileRecord, InstalledModel, Manifest, Soundness, Verification
from engine.types.models import ModelFormat
from tests.unit.engine.library.made import (
    OTHER,
    SMALL,
    CancelledAfter,
    Told,
    file_model,
    model_of,
    sha256,
)

_SOUND = Verification(soundness=Soundness.SOUND)
_BIG_BYTES = 256 << 20


def checked(model: InstalledModel) -> Verification:
    told = Told()
    found = verify(model, told, CancelToken())
    assert told.is_sound
    return found


def with_manifest(folder: Path, files: dict[str, bytes]) -> InstalledModel:
    folder.mkdir(exist_ok=True)
    records = tuple(
        FileRecord(name=name, size_bytes=len(content), sha256=sha256(content))
        for name, content in files.items()
    )
    write_manifest(folder, Manifest(name="Tiny", files=records))
    return model_of(files, folder)


def test_a_model_is_as_its_manifest_says(tmp_path: Path) -> None:
    model = with_manifest(tmp_path, {"tiny.gguf": SMALL, "mmproj-tiny.gguf": OTHER})
    assert checked(model) == _SOUND


@given(place=st.integers(0, len(SMALL) - 1), bit=st.integers(0, 7))
def test_one_turned_bit_is_found(tmp_path_factory, place: int, bit: int) -> None:
    folder = tmp_path_factory.mktemp("turned")
    model = with_manifest(folder, {"tiny.gguf": SMALL, "mmproj.gguf": OTHER})
    bent = bytearray(SMALL)
    bent[place] ^= 1 << bit
    model.path.write_bytes(bent)
    assert checked(model) == Verification(soundness=Soundness.DAMAGED, bad=("tiny.gguf",))


def test_without_a_hash_nothing_is_proven(tmp_path: Path) -> None:
    model = model_of({"tiny.gguf": SMALL}, tmp_path)
    assert checked(model) == Verification(soundness=Soundness.UNPROVEN)


def test_one_hash_too_few_proves_nothing(tmp_path: Path) -> None:
    with_manifest(tmp_path, {"tiny.gguf": SMALL})
    model = model_of({"tiny.gguf": SMALL, "mmproj.gguf": OTHER}, tmp_path)
    assert checked(model) == Verification(soundness=Soundness.UNPROVEN)


def test_without_a_hash_the_header_speaks(tmp_path: Path) -> None:
    model = model_of({"tiny.gguf": SMALL[:-10]}, tmp_path)
    assert checked(model) == Verification(soundness=Soundness.DAMAGED, bad=("tiny.gguf",))


@pytest.mark.parametrize("name", ["sha256-{}", "{}"])
def test_a_file_named_after_its_hash_proves_itself(tmp_path: Path, name: str) -> None:
    """As Ollama and the Hugging Face cache do, the latter behind a link."""
    blob = tmp_path / "blobs" / name.format(sha256(SMALL))
    model_of({blob.name: SMALL}, blob.parent)
    link = tmp_path / "tiny.gguf"
    link.symlink_to(blob)
    for path in (blob, link):
        assert checked(file_model(path)) == _SOUND
    blob.write_bytes(OTHER)
    assert checked(file_model(link)).bad == ("tiny.gguf",)


def test_what_is_gone_is_bad(tmp_path: Path) -> None:
    model = with_manifest(tmp_path, {"a.gguf": SMALL, "b.gguf": OTHER})
    model.files[1].unlink()
    assert checked(model).bad == ("b.gguf",)


def test_of_nothing_nothing_is_sound(tmp_path: Path) -> None:
    """A model that was here before."""
    gone = model_of({"t.gguf": SMALL}, tmp_path)
    gone.path.unlink()
    assert checked(replace(gone, files=())).bad == ("t.gguf",)


def test_what_the_list_does_not_have_is_bad_too(tmp_path: Path) -> None:
    with_manifest(tmp_path, {"a.gguf": SMALL, "b.gguf": OTHER})
    (tmp_path / "b.gguf").unlink()
    model = model_of({"a.gguf": SMALL}, tmp_path, missing=("c.gguf",))
    assert checked(model).bad == ("c.gguf", "b.gguf")


def test_it_waits_for_no_pipe(tmp_path: Path) -> None:
    model = with_manifest(tmp_path, {"a.gguf": SMALL})
    model.path.unlink()
    os.mkfifo(model.path)
    assert checked(model).bad == ("a.gguf",)


def test_it_reads_no_device(tmp_path: Path) -> None:
    model = with_manifest(tmp_path, {"a.gguf": SMALL})
    model.path.unlink()
    model.path.symlink_to("/dev/zero")
    assert checked(model).bad == ("a.gguf",)


def test_an_onnx_folder(tmp_path: Path) -> None:
    config = b'{"model": {"type": "phi3", "decoder": {"filename": "m.onnx"}}}'
    files = {"genai_config.json": config, "m.onnx": b"weights", "tokenizer.json": b"{}"}
    model = model_of(files, tmp_path, format=ModelFormat.ONNX)
    assert checked(model) == Verification(soundness=Soundness.UNPROVEN)
    (tmp_path / "genai_config.json").write_bytes(b"{")
    assert checked(model).soundness is Soundness.DAMAGED


def test_a_cancel_ends_it(tmp_path: Path) -> None:
    model = model_of({"tiny.gguf": bytes(8 << 20)}, tmp_path)
    for looks in range(8):
        with pytest.raises(Cancelled):
            verify(model, Told(), CancelledAfter(looks))


@pytest.mark.serial
def test_it_is_fast_and_ends_at_once(tmp_path: Path) -> None:
    """Fast enough that the disk is what one waits for; the threshold is for a busy machine."""
    path = tmp_path / "big.gguf"
    with path.open("wb") as file:
        for _ in range(_BIG_BYTES >> 20):
            file.write(SMALL.ljust(1 << 20, b"x"))
    model = file_model(path)
    before = time.perf_counter()
    verify(model, Told(), CancelToken())
    rate = _BIG_BYTES / (time.perf_counter() - before)
    cancel, asked = CancelToken(), Event()
    ends: list[float] = []

    def cancel_in_the_middle(done: float) -> None:
        if done > 0.3 and not asked.is_set():
            asked.set()
            ends.append(time.perf_counter())
            cancel.cancel()

    with pytest.raises(Cancelled):
        verify(model, cancel_in_the_middle, cancel)
    took_s = time.perf_counter() - ends[0]
    print(f"verified {rate / 1e6:.0f} MB/s, cancelled in {took_s:.3f} s")
    assert rate > 100e6
    assert took_s < 0.5


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can forget")
def test_the_disk_is_read_and_not_what_the_system_remembers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten: list[int] = []
    monkeypatch.setattr(os, "posix_fadvise", lambda *told: forgotten.append(told[-1]))
    assert checked(with_manifest(tmp_path, {"m.gguf": SMALL})) == _SOUND
    assert forgotten == [os.POSIX_FADV_DONTNEED]
