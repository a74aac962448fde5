"""A library that moves loses nothing, whatever happens on the way."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import (
    Cancelled,
    FileTooBigForDisk,
    FolderUnwritable,
    HashMismatch,
    ModelMissing,
    NoSpace,
)
from engine.models.library import carrying, moving
from engine.models.library.moving import finish_move, move_library, new_place
from engine.models.library.units import NOTE_NAME
from engine.types.cancel import CancelToken
from tests.unit.engine.library.made import CancelledAfter, Told, content_of

FILES = {
    "Tiny/t.gguf": b"tiny" * 1000,
    "Tiny/snug-model.json": b"{}",
    "phi/genai_config.json": b"{}",
    "phi/deep/m.onnx": b"weights",
    "loose-00001-of-00002.gguf": b"one",
    "loose-00002-of-00002.gguf": b"two",
    "模型/m.gguf": b"",
}


@pytest.fixture(params=["same disk", "other disk", "no second names"])
def disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A second disk that every machine has is nowhere: so it is only said to be one."""
    name = str(request.param)
    if name == "other disk":
        monkeypatch.setattr(moving, "on_same_disk", lambda one, other: False)
    if name == "no second names":
        monkeypatch.setattr(os, "link", _no_link)
    return name


def _no_link(*names: object) -> None:
    raise OSError(errno.EPERM, "as on exFAT")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return lay(tmp_path / "old", FILES)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "new" / "place"


def lay(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def move(source: Path, target: Path, **ways) -> tuple[Path, ...]:
    told = Told()
    left = move_library(source, target, told, CancelToken(), **ways)
    assert told.is_sound
    return left


@pytest.mark.usefixtures("disk")
def test_everything_moves(source: Path, target: Path) -> None:
    seen: list[dict[str, bytes]] = []

    def switch() -> None:
        seen.extend([content_of(source), content_of(target)])

    assert move(source, target, switch=switch) == ()
    assert content_of(target) == FILES
    assert not source.exists()
    for one in seen:  # both are whole at the moment of the switch
        assert {name: one[name] for name in FILES} == FILES


@pytest.mark.usefixtures("disk")
def test_into_a_folder_with_other_things(source: Path, target: Path) -> None:
    own = {"Tiny/t.gguf": b"another", "Tiny 2/x": b"y", "loose-00001-of-00002.gguf": b"other"}
    lay(target, own)
    places: dict[str, Path] = {}

    def switch() -> None:
        for name in ("Tiny/t.gguf", "loose-00001-of-00002.gguf", "phi", "gone.gguf"):
            places[name] = new_place(source / name, source, target)

    move(source, target, switch=switch)
    moved = content_of(target)
    assert own.items() <= moved.items()
    assert moved["Tiny 3/t.gguf"] == FILES["Tiny/t.gguf"]
    assert moved["Models/loose-00001-of-00002.gguf"] == b"one"
    assert moved["Models/loose-00002-of-00002.gguf"] == b"two"
    assert not source.exists()
    assert places == {
        "Tiny/t.gguf": target / "Tiny 3" / "t.gguf",
        "loose-00001-of-00002.gguf": target / "Models" / "loose-00001-of-00002.gguf",
        "phi": target / "phi",
        "gone.gguf": target / "gone.gguf",
    }


@pytest.mark.usefixtures("disk")
def test_what_is_there_already_is_not_copied_again(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = dict(list(FILES.items())[:5])
    lay(target, half)
    copied: list[str] = []
    make = carrying._make

    def counting(pieces, *places, **ways):
        copied.extend(piece.name for piece in pieces)
        return make(pieces, *places, **ways)

    monkeypatch.setattr(carrying, "_make", counting)
    move(source, target)
    assert sorted(copied) == ["loose-00002-of-00002.gguf", "m.gguf"]
    assert content_of(target) == FILES


@pytest.mark.usefixtures("disk")
def test_a_cancel_at_any_moment_leaves_all_as_it_was(source: Path, target: Path) -> None:
    switched: list[str] = []
    looks = 0
    while not switched:
        try:
            move_library(
                source,
                target,
                Told(),
                CancelledAfter(looks),
                switch=lambda: switched.append("now"),
            )
        except Cancelled:
            looks += 1
            assert content_of(source) == FILES
            assert not target.exists() or content_of(target) == {}
    assert looks > 3
    assert content_of(target) == FILES


def test_a_failure_in_the_middle_is_gone_on_from(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "on_same_disk", lambda one, other: False)
    copy = carrying.copy_piece

    def failing(piece, staging, tally):
        if piece.name == "m.gguf":
            raise NoSpace(target, 1, 0)
        return copy(piece, staging, tally)

    monkeypatch.setattr(carrying, "copy_piece", failing)
    with pytest.raises(NoSpace):
        move(source, target)
    assert content_of(source) == FILES
    assert "Tiny/t.gguf" in content_of(target)
    monkeypatch.setattr(carrying, "copy_piece", copy)
    move(source, target)
    assert content_of(target) == FILES
    assert not source.exists()


def test_what_the_disk_gives_back_is_compared(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "on_same_disk", lambda one, other: False)
    read = carrying.read_through

    def bent(path, tally):
        content = read(path, tally)
        return type(content)(size_bytes=content.size_bytes, sha256="0" * 64)

    monkeypatch.setattr(carrying, "read_through", bent)
    with pytest.raises(HashMismatch):
        move(source, target)
    assert content_of(source) == FILES


def test_a_switch_that_fails_deletes_nothing(source: Path, target: Path) -> None:
    def fails() -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        move(source, target, switch=fails)
    assert content_of(source) == FILES


@pytest.mark.parametrize("nested", ["inside", "around"])
def test_one_inside_the_other_is_refused(source: Path, nested: str) -> None:
    target = source / "inside" if nested == "inside" else source.parent
    with pytest.raises(FolderUnwritable):
        move(source, target)
    assert content_of(source) == FILES


def test_to_where_it_is(source: Path) -> None:
    assert move_library(source, source / ".." / "old", Told(), CancelToken()) == ()
    assert content_of(source) == FILES


def test_a_library_that_is_not_there_yet(tmp_path: Path, target: Path) -> None:
    switched: list[int] = []
    move(tmp_path / "none", target, switch=lambda: switched.append(1))
    assert switched == [1]
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(("limit", "kind"), [(10, FileTooBigForDisk), (None, NoSpace)])
def test_room_is_looked_for_first(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch, limit: int | None, kind: type
) -> None:
    monkeypatch.setattr(moving, "on_same_disk", lambda one, other: False)
    monkeypatch.setattr("engine.models.library.copying.largest_file_bytes", lambda folder: limit)
    monkeypatch.setattr("engine.models.library.disks.free_bytes", lambda folder: 0)
    with pytest.raises(kind):
        move(source, target)
    assert content_of(source) == FILES
    assert content_of(target) == {}


def test_what_is_not_a_model_file_stays_or_is_led_to(
    source: Path, target: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.gguf"
    outside.write_bytes(b"mine")
    (source / "linked.gguf").symlink_to(outside)
    (source / "Tiny" / "again.gguf").symlink_to("t.gguf")
    os.mkfifo(source / "pipe")
    (source / "starter.gguf").write_bytes(b"comes with the program")
    move(source, target, kept=frozenset({"starter.gguf"}))
    assert sorted(entry.name for entry in source.iterdir()) == ["pipe", "starter.gguf"]
    assert (target / "linked.gguf").resolve() == outside
    assert (target / "Tiny" / "again.gguf").read_bytes() == FILES["Tiny/t.gguf"]
    assert outside.read_bytes() == b"mine"


def test_files_in_use_are_told(source: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used = source / "Tiny" / "t.gguf"
    unlink = Path.unlink

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        if path == used:
            raise PermissionError(errno.EACCES, "in use")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    assert move(source, target) == (used,)
    assert content_of(source) == {"Tiny/t.gguf": FILES["Tiny/t.gguf"]}
    assert content_of(target) == FILES


def test_nothing_goes_that_is_not_there(source: Path, target: Path) -> None:
    """The new disk was pulled out at the last moment."""
    left = move(source, target, switch=lambda: shutil.rmtree(target))
    assert len(left) == len(FILES)
    assert content_of(source) == FILES


def test_the_old_disk_is_pulled_out(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "on_same_disk", lambda one, other: False)
    list_units = moving.units_of

    def then_gone(library, kept):
        units = list_units(library, kept)
        shutil.rmtree(library / "Tiny")
        return units

    monkeypatch.setattr(moving, "units_of", then_gone)
    with pytest.raises(ModelMissing):
        move(source, target)


# --- a move that was killed behind its switch -----------------------------------------------------


def killed_behind_the_switch(source: Path, target: Path, **changed: bytes) -> None:
    lay(target, {name: changed.get(name, content) for name, content in FILES.items()})
    note = {"from": str(source), "kept": ["phi"]}
    (target / NOTE_NAME).write_text(json.dumps(note))


def test_what_is_left_of_it_goes(source: Path, target: Path) -> None:
    killed_behind_the_switch(source, target)
    (source / "Tiny" / "t.gguf").unlink()
    assert finish_move(target, CancelToken()) == ()
    assert content_of(source).keys() == {"phi/genai_config.json", "phi/deep/m.onnx"}
    assert content_of(target) == FILES


def test_going_back_after_it_makes_nothing_twice(source: Path, target: Path) -> None:
    """What was left of a model would not be the model, and the name would be taken."""
    killed_behind_the_switch(source, target)
    (source / "Tiny" / "snug-model.json").unlink()
    move(target, source)
    assert content_of(source) == FILES


def test_but_nothing_that_differs(source: Path, target: Path) -> None:
    killed_behind_the_switch(source, target)
    lay(source, {"Tiny/t.gguf": b"TINY" * 1000, "Later/new.gguf": b"came later"})
    finish_move(target, CancelToken())
    assert content_of(source).keys() >= {"Tiny/t.gguf", "Later/new.gguf"}
    assert not (target / NOTE_NAME).exists()


@pytest.mark.parametrize("note", ["", "[]", '{"from": 1}', '{"from": "\\u0000", "kept": []}', None])
def test_notes_that_make_no_sense(target: Path, note: str | None) -> None:
    target.mkdir(parents=True)
    if note is not None:
        (target / NOTE_NAME).write_text(note)
    assert finish_move(target, CancelToken()) == ()


_NAMES = st.sampled_from(["a", "b", "a 2", "Models", "A"])
_TREES = st.dictionaries(
    st.builds(
        lambda folder, name: f"{folder}{name}.gguf", st.just("") | _NAMES.map("{}/".format), _NAMES
    ),
    st.binary(max_size=2),
    max_size=6,
)


@given(old=_TREES, new=_TREES)
@settings(max_examples=60, deadline=None)
def test_nothing_is_lost_whatever_lies_where(tmp_path_factory, old, new) -> None:
    root = tmp_path_factory.mktemp("any")
    source, target = lay(root / "old", old), lay(root / "new", new)
    source.mkdir(exist_ok=True)
    move(source, target)
    moved = content_of(target)
    assert new.items() <= moved.items()
    for name, content in old.items():
        kept = [at for at, there in moved.items() if there == content and at.endswith(name[-6:])]
        assert kept, name
    assert not source.exists()
