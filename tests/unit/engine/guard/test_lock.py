"""A lock ends with its process, and a deleted one is nobody's."""

import errno
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.guard import lock as module
from engine.guard.lock import held, take

WAIT_S = 30
HOLD = """
import sys
from pathlib import Path
from engine.guard.lock import take
assert take(Path(sys.argv[1])) is not None  # forgotten, and held all the same
print("held", flush=True)
sys.stdin.read()
"""


def test_only_one_holds_it(tmp_path: Path) -> None:
    first = take(tmp_path / "a.lock")
    assert first is not None
    assert take(tmp_path / "a.lock") is None
    first.release()
    second = take(tmp_path / "a.lock")
    assert second is not None
    second.release()


def test_it_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    arguments = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"held"
        assert take(path) is None
        other.kill()
        other.wait(WAIT_S)
    mine = take(path)
    assert mine is not None
    mine.release(delete=True)
    assert not path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file can not be deleted there")
def test_a_lock_without_a_name_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened just before another deleted it: the next one would lock another file."""
    path = tmp_path / "a.lock"
    lock = module.lock_handle

    def too_late(handle: int) -> None:
        path.unlink()
        lock(handle)

    monkeypatch.setattr(module, "lock_handle", too_late)
    assert take(path) is None
    monkeypatch.undo()
    mine = take(path)
    assert mine is not None
    mine.release()


def test_who_waits_gets_it_when_it_is_free(tmp_path: Path) -> None:
    first = take(tmp_path / "a.lock")
    assert first is not None
    timer = threading.Timer(0.05, first.release)
    timer.start()
    with held(tmp_path / "a.lock", WAIT_S) as mine:
        assert mine
        assert take(tmp_path / "a.lock") is None
    timer.join()
    with held(tmp_path / "a.lock", 0.0) as again:
        assert again


def test_who_waits_in_vain_goes_on_without(tmp_path: Path) -> None:
    first = take(tmp_path / "a.lock")
    assert first is not None
    with held(tmp_path / "a.lock", 0.02) as mine:
        assert not mine
    first.release()
    with held(tmp_path / "no folder" / "a.lock", WAIT_S) as mine:
        assert not mine


def test_where_there_are_no_locks_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def refuse(handle: int) -> None:
        asked.append(handle)
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(module, "lock_handle", refuse)
    with held(tmp_path / "a.lock", WAIT_S) as mine:
        assert not mine
    assert len(asked) == 1
    with pytest.raises(OSError, match="no locks here"):
        take(tmp_path / "a.lock")
