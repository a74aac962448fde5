"""The note of risky work: found only when its process died, and told once."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from engine.guard.marker import CrashMarker, Note

LOADING = Note(model="a.gguf|1|2", stage="load")
REPLY = Note(model="a.gguf|1|2", stage="reply")


WAIT_S = 60
BEGIN = """
import sys
from pathlib import Path
from engine.guard.marker import CrashMarker, Note
folder, model, stage = sys.argv[1:]
note = Note(model=model, stage=stage)
marker = CrashMarker(Path(folder))
marker.enter(note)
print("entered", flush=True)
"""
REPLY_AFTER_REPLY = """
while True:
    marker.enter(note)
    marker.leave()
"""
CHANGING = """
while True:
    marker.enter(note)
"""


@contextmanager
def process(note: Note, folder: Path, then: str = "sys.stdin.read()") -> Iterator[int]:
    """A process that entered risky work and does `then`; its number. It is killed at the end."""
    arguments = [sys.executable, "-c", BEGIN + then, str(folder), note.model, note.stage]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline().strip() == b"entered"
            yield running.pid
        finally:
            running.kill()
            running.wait(WAIT_S)


def die_with(note: Note, folder: Path) -> int:
    """A process that enters risky work and is killed there; its number."""
    with process(note, folder) as pid:
        return pid


def note_in(folder: Path) -> Path:
    (file,) = folder.glob("*.json")
    return file


def test_nothing_is_found_where_nothing_was_written(tmp_path: Path) -> None:
    assert CrashMarker(tmp_path / "none").take_left() == ()


def test_a_dead_process_is_found_once(tmp_path: Path) -> None:
    die_with(REPLY, tmp_path)
    assert CrashMarker(tmp_path).take_left() == (REPLY,)
    assert CrashMarker(tmp_path).take_left() == ()


def test_a_living_process_is_left_alone(tmp_path: Path) -> None:
    mine = CrashMarker(tmp_path)
    mine.enter(REPLY)
    assert CrashMarker(tmp_path).take_left() == ()
    mine.leave()
    assert not list(tmp_path.iterdir())


def test_another_process_is_left_alone_while_it_lives(tmp_path: Path) -> None:
    with process(REPLY, tmp_path):
        assert CrashMarker(tmp_path).take_left() == ()
    assert CrashMarker(tmp_path).take_left() == (REPLY,)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_stopped_process_still_lives(tmp_path: Path) -> None:
    with process(REPLY, tmp_path) as pid:
        os.kill(pid, signal.SIGSTOP)
        assert CrashMarker(tmp_path).take_left() == ()


@pytest.mark.parametrize("work", [CHANGING, REPLY_AFTER_REPLY])
def test_a_note_is_never_taken_from_one_who_is_writing_it(tmp_path: Path, work: str) -> None:
    reader = CrashMarker(tmp_path)
    with process(REPLY, tmp_path, work):
        assert [reader.take_left() for _ in range(300)] == [()] * 300
        if work == CHANGING:
            assert json.loads(_text_when_there(tmp_path))["stage"] == "reply"


def _text_when_there(folder: Path) -> str:
    """A note that is being changed has no name for a moment."""
    for _ in range(1000):
        with suppress(ValueError, FileNotFoundError):
            return note_in(folder).read_text()
    raise AssertionError("no note")


def test_a_clock_that_is_set_kills_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with process(REPLY, tmp_path):
        booted_s = psutil.boot_time() + 5
        monkeypatch.setattr("psutil.boot_time", lambda: booted_s)
        monkeypatch.setattr("psutil.Process.create_time", lambda _: 0.0)
        reader = CrashMarker(tmp_path)
        assert reader.take_left() == ()
    assert reader.take_left() == (REPLY,)


def test_the_living_do_not_write_over_what_the_dead_left(tmp_path: Path) -> None:
    """Numbers are used again, and sandboxes begin at the same ones."""
    name = os.getpid()
    note_in_words = json.dumps({"model": "b", "stage": "load", "boot_s": psutil.boot_time()})
    (tmp_path / f"{name}.json").write_text(note_in_words)
    one, two = CrashMarker(tmp_path), CrashMarker(tmp_path)
    one.enter(REPLY)
    two.enter(LOADING)
    assert len(list(tmp_path.glob("*.json"))) == 3
    assert two.take_left() == (Note(model="b", stage="load"),)
    one.leave()
    two.leave()
    assert not list(tmp_path.iterdir())


def test_what_dies_between_note_and_lock_leaves_nothing_for_ever(tmp_path: Path) -> None:
    for kind in (".lock", ".new"):
        (tmp_path / f"999999{kind}").write_text("{")
    (tmp_path / "other").write_text("not ours")
    assert CrashMarker(tmp_path).take_left() == ()
    assert [file.name for file in tmp_path.iterdir()] == ["other"]


def test_who_dies_while_the_note_changes_is_found_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = CrashMarker(tmp_path)
    marker.enter(LOADING)

    def die(_new: Path, _note: Path) -> None:
        raise OSError("the process ends here")

    monkeypatch.setattr(Path, "replace", die)
    marker.enter(REPLY)
    assert not list(tmp_path.glob("*.json"))
    (tmp_path / f"{os.getpid()}.new").rename(tmp_path / "999999.new")
    assert CrashMarker(tmp_path).take_left() == (REPLY,)
    marker.leave()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts in /proc")
def test_replies_use_up_no_descriptors(tmp_path: Path) -> None:
    marker = CrashMarker(tmp_path)

    def use() -> int:
        marker.enter(LOADING)
        marker.enter(REPLY)
        marker.leave()
        return sum(str(tmp_path) in str(file.readlink()) for file in descriptors())

    assert [use() for _ in range(20)] == [0] * 20


def descriptors() -> list[Path]:
    return [file for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]


@pytest.mark.parametrize(("note", "blamed"), [(REPLY, False), (LOADING, True)])
def test_an_empty_battery_is_not_the_models_fault_but_a_freeze_while_loading_is(
    tmp_path: Path, note: Note, blamed: bool
) -> None:
    die_with(note, tmp_path)
    file = note_in(tmp_path)
    content = json.loads(file.read_text())
    file.write_text(json.dumps(content | {"boot_s": psutil.boot_time() - 10_000}))
    assert CrashMarker(tmp_path).take_left() == ((note,) if blamed else ())


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "null", '{"model": 1}', '{"boot_s": "x"}', "\0" * 50),
        '{"model": "a", "stage": "load", "boot_s": 1' + "0" * 400 + "}",
    ],
)
def test_rubbish_is_thrown_away(tmp_path: Path, content: str) -> None:
    (tmp_path / "999999.json").write_text(content)
    (tmp_path / "name.json").write_text(content)
    assert CrashMarker(tmp_path).take_left() == ()
    assert not list(tmp_path.iterdir())


def test_a_folder_that_can_not_be_written_stops_nobody(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    marker = CrashMarker(blocked / "below")
    marker.enter(REPLY, durable=True)
    marker.leave()
    assert marker.take_left() == ()


def test_the_note_changes_with_the_work(tmp_path: Path) -> None:
    marker = CrashMarker(tmp_path)
    marker.enter(LOADING, durable=True)
    marker.enter(REPLY)
    file = note_in(tmp_path)
    assert file.stem == str(os.getpid())
    assert json.loads(file.read_text())["stage"] == "reply"
    marker.leave()
    assert not list(tmp_path.iterdir())
