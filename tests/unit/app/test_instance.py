"""One Snug for one folder, and no lock that outlives its process."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

import app.instance
from app.errors import NotWritable
from app.instance import only_instance

ROOT = Path(__file__).parents[3]
HOLD = """
import sys
from pathlib import Path
from app.instance import only_instance
with only_instance(Path(sys.argv[1])) as first:
    print(first, flush=True)
    sys.stdin.read()
"""


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def answer_of(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def test_the_second_start_is_told_so(tmp_path: Path) -> None:
    with only_instance(tmp_path) as first:
        assert first
        with only_instance(tmp_path) as second:
            assert not second
        with only_instance(tmp_path / "elsewhere") as other:
            assert other
    with only_instance(tmp_path) as again:
        assert again


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    with start(tmp_path) as child:
        assert answer_of(child) == "True"
        with only_instance(tmp_path) as here:
            assert not here
        child.kill()
        child.wait()
    with only_instance(tmp_path) as here:
        assert here
        with start(tmp_path) as second:
            assert answer_of(second) == "False"
            second.communicate("")


def test_an_old_lock_file_means_nothing(tmp_path: Path) -> None:
    (tmp_path / "snug.lock").write_text("1")
    with only_instance(tmp_path) as first:
        assert first


def test_a_file_system_without_locks_does_not_keep_a_person_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(app.instance, "lock_handle", no_locks)
    with only_instance(tmp_path) as first:
        assert first


def test_no_place_for_the_lock_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotWritable), only_instance(tmp_path / "file"):
        pass
