"""The note of risky work: found only when its process died, and told once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from engine.guard.marker import CrashMarker, Note

LOADING = Note(model="a.gguf|1|2", stage="load")
REPLY = Note(model="a.gguf|1|2", stage="reply")


def die_with(note: Note, folder: Path) -> int:
    """A process that enters risky work and is killed there; its number."""
    program = (
        "import os, sys; from pathlib import Path\n"
        "from engine.guard.marker import CrashMarker, Note\n"
        f"note = Note(model={note.model!r}, stage={note.stage!r})\n"
        f"CrashMarker(Path({str(folder)!r})).enter(note)\n"
        "os.kill(os.getpid(), 9)"
    )
    process = subprocess.Popen([sys.executable, "-c", program])
    process.wait(60)
    return process.pid


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


def test_a_new_process_under_an_old_number_is_not_the_old_one(tmp_path: Path) -> None:
    mine = CrashMarker(tmp_path)
    mine.enter(REPLY)
    (file,) = tmp_path.iterdir()
    note = json.loads(file.read_text())
    file.write_text(json.dumps(note | {"started_s": note["started_s"] - 100}))
    assert mine.take_left() == (REPLY,)


@pytest.mark.parametrize(("note", "blamed"), [(REPLY, False), (LOADING, True)])
def test_an_empty_battery_is_not_the_models_fault_but_a_freeze_while_loading_is(
    tmp_path: Path, note: Note, blamed: bool
) -> None:
    die_with(note, tmp_path)
    (file,) = tmp_path.iterdir()
    content = json.loads(file.read_text())
    file.write_text(json.dumps(content | {"boot_s": psutil.boot_time() - 10_000}))
    assert CrashMarker(tmp_path).take_left() == ((note,) if blamed else ())


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '{"model": 1}', '{"boot_s": "x"}', "\0" * 50]
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
    (file,) = tmp_path.iterdir()
    assert file.stem == str(os.getpid())
    assert json.loads(file.read_text())["stage"] == "reply"
