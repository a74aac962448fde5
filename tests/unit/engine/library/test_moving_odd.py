"""Links, junctions, second names and empty folders in the way of a library that moves."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.errors import FolderUnwritable
from engine.models.library import carrying
from engine.models.library.moving import finish_move, move_library, new_place
from engine.models.library.staging import LOCK_NAME
from engine.models.library.units import NOTE_NAME
from engine.types.cancel import CancelToken
from tests.unit.engine.library.made import content_of

FILES = {"Tiny/t.gguf": b"tiny" * 1000, "Tiny/deep/m.onnx": b"weights", "loose.gguf": b"one"}


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


def move(source: Path, target: Path, switch: Callable[[], None] = lambda: None) -> tuple[Path, ...]:
    return move_library(source, target, lambda _: None, CancelToken(), switch=switch)


def test_a_link_back_into_the_old_library_is_no_copy(source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    (target / "Tiny").symlink_to(source / "Tiny")
    tiny = source / "Tiny" / "t.gguf"
    seen: list[Path] = []
    move(source, target, lambda: seen.append(new_place(tiny, source, target)))
    assert seen == [target / "Tiny 2" / "t.gguf"]
    assert seen[0].read_bytes() == FILES["Tiny/t.gguf"]


def test_two_names_of_one_folder(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where capital letters do not count, and for shares."""
    target.parent.mkdir()
    target.symlink_to(source)
    monkeypatch.setattr(Path, "resolve", lambda path, strict=False: path)
    assert move(source, target) == ()
    assert content_of(source) == FILES
    with pytest.raises(FolderUnwritable):
        move(source, target / "Tiny" / "deep")


def test_a_share_that_numbers_nothing(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Different bytes of the same size must not be taken for one file."""
    lay(target, {"Tiny/t.gguf": b"TINY" * 1000, "Tiny/deep/m.onnx": b"WEIGHTS"})
    stat = os.stat

    def numberless(path: Path, **ways: bool) -> os.stat_result:
        status = stat(path, **ways)
        is_lock = Path(path).name == LOCK_NAME
        return status if is_lock else os.stat_result([status[0], 0, *status[2:]])

    monkeypatch.setattr(os, "stat", numberless)
    move(source, target)
    assert (target / "Tiny 2" / "t.gguf").read_bytes() == FILES["Tiny/t.gguf"]
    assert (target / "Tiny" / "t.gguf").read_bytes() == b"TINY" * 1000


def test_links_in_a_circle_do_not_stop_it(source: Path, target: Path) -> None:
    (source / "Tiny" / "circle").symlink_to("circle")
    (source / "up").symlink_to(".")
    move(source, target)
    assert {name: content_of(target)[name] for name in FILES} == FILES


def test_a_junction_is_not_entered(
    source: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows' own kind of link, which Python takes for a folder: here a folder that says so."""
    junction = lay(source / "Tiny" / "theirs", {"m.gguf": b"another program's"})
    lstat = Path.lstat

    def told(path: Path) -> object:
        status = lstat(path)
        tag = SimpleNamespace(st_mode=status.st_mode, st_reparse_tag=0xA0000003)
        return tag if path == junction else status

    monkeypatch.setattr(Path, "lstat", told)
    left = move(source, target)
    assert left == (junction,)
    assert (junction / "m.gguf").read_bytes() == b"another program's"


def test_a_file_that_comes_meanwhile_is_not_replaced(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(*_: object) -> bool:
        (target / "loose.gguf").write_bytes(b"a person's")
        return False

    monkeypatch.setattr(carrying, "_named_again", meanwhile)
    with pytest.raises(FolderUnwritable):
        move(source, target)
    assert (target / "loose.gguf").read_bytes() == b"a person's"
    assert content_of(source) == FILES


def test_empty_folders_take_no_place_and_do_not_stay(source: Path, target: Path) -> None:
    """As a kill leaves them, between a model's last file and its folder."""
    (source / "empty" / "deep").mkdir(parents=True)
    (target / "Tiny").mkdir(parents=True)
    assert move(source, target) == ()
    assert content_of(target) == FILES
    assert not source.exists()


def test_the_note_is_there_before_the_switch(source: Path, target: Path) -> None:
    class Killed(BaseException):
        pass

    seen: list[bool] = []

    def switch() -> None:
        seen.append((target / NOTE_NAME).exists())
        raise Killed

    with pytest.raises(Killed):  # who can still raise was not killed: nothing has moved
        move(source, target, switch)
    assert seen == [True]
    assert not (target / NOTE_NAME).exists()
    assert content_of(source) == FILES


def test_empty_folders_go_when_a_move_is_finished(source: Path, target: Path) -> None:
    (source / "empty").mkdir()
    lay(target, FILES)
    note = {"from": str(source), "kept": []}
    (target / NOTE_NAME).write_text(json.dumps(note), encoding="utf-8")
    assert finish_move(target, CancelToken()) == ()
    assert not source.exists()
    assert content_of(target) == FILES
