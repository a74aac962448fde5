"""Runs a command within limits that the system keeps: `ulimit -v`, or a memory cgroup."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_V1 = Path("/sys/fs/cgroup/memory")
_V2 = Path("/sys/fs/cgroup")
TIMEOUT_S = 240


def snug(
    *arguments: str, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """`snug` with `arguments`, in a process that did `before` first."""
    return subprocess.run(
        [sys.executable, "-m", "ui.main", *arguments],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
        preexec_fn=before,
    )


def address_space(limit_bytes: int) -> Callable[[], None]:
    """Like `ulimit -v`."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))


def _group_file() -> tuple[Path, str] | None:
    """Where groups are made and what their limit is called; None where none can be made."""
    for root, name in ((_V1, "memory.limit_in_bytes"), (_V2, "memory.max")):
        controllers = root / "cgroup.controllers"
        usable = root == _V1 or (controllers.exists() and "memory" in controllers.read_text())
        if usable and os.access(root, os.W_OK) and (root / "cgroup.procs").exists():
            return root, name
    return None


@contextmanager
def memory_group(limit_bytes: int) -> Iterator[Callable[[], None] | None]:
    """What a process does to enter a new group with this limit; None where that is not allowed."""
    place = _group_file()
    if place is None:
        yield None
        return
    root, name = place
    group = root / f"snug-test-{os.getpid()}-{time.monotonic_ns()}"
    try:
        group.mkdir()
        (group / name).write_text(str(limit_bytes))
    except OSError:
        yield None
        return
    try:
        yield lambda: _enter(group)
    finally:
        _remove(group)


def _enter(group: Path) -> None:
    (group / "cgroup.procs").write_text(str(os.getpid()))


def _remove(group: Path) -> None:
    """A group can be removed once the last process in it is really gone."""
    for _ in range(100):
        try:
            group.rmdir()
        except OSError:
            time.sleep(0.05)
        else:
            return
