"""Somebody else's computer for the frozen program: a person with a home of their own, a screen, and
hands that type. Nothing of this checkout reaches the program.

As root a real user is made for the time of the tests, for root may write anywhere; without root, or
without `useradd`, the person who runs the tests stands in.
"""

import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

QUESTION = "What is the capital of France?"
PATIENCE_S = 90
_FOLDER = "Snug Ω 雪"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """`place` is theirs alone; everybody may pass through what is above it."""

    name: str
    uid: int
    gid: int
    place: Path

    @property
    def is_root(self) -> bool:
        return self.uid == 0

    def new_home(self, name: str) -> Path:
        home = self.place / f"{name} Ω 雪"
        home.mkdir()
        os.chown(home, self.uid, self.gid)
        return home

    def environment(self, home: Path) -> dict[str, str]:
        names = {"USER": self.name, "LOGNAME": self.name}
        return names | {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def start(
        self, argv: list[str | Path], world: Mapping[str, str], **more: Any
    ) -> "subprocess.Popen[bytes]":
        """In a session of its own, so that all of it can be ended."""
        streams = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        other = {"user": self.uid, "group": self.gid, "extra_groups": ()}
        who = other if os.geteuid() == 0 else {}
        options: dict[str, Any] = {"cwd": "/"} | streams | who | more
        return subprocess.Popen(argv, env=world, start_new_session=True, **options)


@contextmanager
def person() -> Iterator[Person]:
    place = Path(tempfile.mkdtemp(prefix="snug-trial-", dir="/var/tmp"))
    place.chmod(0o755)
    try:
        with _user(place) as user:
            yield Person(name=user.pw_name, uid=user.pw_uid, gid=user.pw_gid, place=place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextmanager
def _user(place: Path) -> Iterator[pwd.struct_passwd]:
    name = f"mei雪{place.name.rpartition('-')[2]}"  # as nobody else's
    home = str(place / "unused home")
    if os.geteuid() != 0 or not _done("useradd", "--badname", "--home-dir", home, name):
        yield pwd.getpwuid(os.geteuid())
        return
    try:
        yield pwd.getpwnam(name)
    finally:
        _done("userdel", "--force", name)  # something of theirs may still be ending


def _done(*argv: str) -> bool:
    if not shutil.which(argv[0]):
        return False
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0


def copied(folder: Path, place: Path) -> Path:
    """The frozen folder where that person can read it, under a name that is not easy."""
    target = place / _FOLDER
    if not _done("cp", "-al", str(folder), str(target)):  # links, if it is the same disk
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder, target, symlinks=True)
    return target


def turns(home: Path) -> list[tuple[str, str, str]]:
    """Role, state and text of all that was said, as it lies on the disk; nothing yet: empty."""
    found = next(home.rglob("snug.sqlite3"), None)
    if found is None:
        return []
    with suppress(sqlite3.OperationalError):  # it is being made, or written
        connection = sqlite3.connect(f"file:{found}?mode=ro", uri=True, timeout=5)
        try:
            rows = connection.execute("SELECT role, state, text FROM turns ORDER BY position")
            return rows.fetchall()
        finally:
            connection.close()
    return []


def until(
    wanted: Callable[[], Any], what: str, patience_s: float = PATIENCE_S, every_s: float = 0.1
) -> Any:
    """What `wanted` gives, once it gives anything."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if found := wanted():
            return found
        time.sleep(every_s)
    raise TimeoutError(what)


def children(pid: int) -> list[int]:
    with suppress(OSError):
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def loaded(pid: int) -> set[str]:
    """Files that are mapped into a process."""
    try:
        lines = Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines()
    except OSError:  # it has ended
        return set()
    fields = (line.split(maxsplit=5) for line in lines)
    return {place[5] for place in fields if len(place) > 5 and place[5].startswith("/")}


def end(process: "subprocess.Popen[bytes]") -> str:
    """As a session that ends does, and at once if that is not heard. What it had to say."""
    process.terminate()
    try:
        said = process.communicate(timeout=15)
    except subprocess.TimeoutExpired:
        kill(process)
        said = process.communicate()
    return b"".join(part or b"" for part in said).decode(errors="replace")


def kill(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
