"""A download that is killed again and again, by kill -9, by a full disk, by a stopped process: it
goes on where it was, shows no step back, and ends with the right file.

`SNUG_KILLS` sets how often the child is killed (50).
"""

import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.errors import Cancelled, EngineError, FolderUnwritable, NoSpace
from engine.models.download.download import progress_of
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadStatus, FetchLimits
from tests.servers.plain_file import Server, hash_of, serving
from tests.system.fetching import NAME, download_of, mark_at, wanted_from

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("SNUG_KILLS", "50"))
GIB = 1 << 30
MIB = 1 << 20
pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL, mounts")


@dataclass(frozen=True, slots=True)
class Killed:
    """The child's side of a download, and where it says how far it is."""

    server: Server
    sha256: str
    place: Path

    @property
    def folder(self) -> Path:
        return self.place / "model"

    def start(self) -> "subprocess.Popen[bytes]":
        argv = [sys.executable, "-m", "tests.system.fetching", self.server.address]
        argv += [str(self.folder), str(self.server.size_bytes), self.sha256]
        argv += [str(self.place / "shown"), str(self.place / "mark")]
        return subprocess.Popen(argv, cwd=ROOT)

    @property
    def mark(self) -> int:
        return mark_at(self.place / "mark")

    @property
    def shown(self) -> list[int]:
        lines = (self.place / "shown").read_text("ascii").splitlines()
        return [int(line.split()[1]) for line in lines]

    def kill_at(self, position: int, delay_s: float) -> None:
        with self.start() as child:
            while self.mark < position and child.poll() is None:
                time.sleep(0.001)
            time.sleep(delay_s)
            child.send_signal(signal.SIGKILL)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


def test_kills_cost_next_to_nothing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random()
    with serving(GIB, 80e6) as server:
        killed = Killed(server, hash_of(GIB), place)
        again = 0
        for position in sorted(chance.randrange(GIB) for _ in range(KILLS)):
            before, asked = killed.mark, len(server.asked)
            killed.kill_at(position, chance.uniform(0, 0.02))
            again += sum(max(before - first, 0) for first in server.asked[asked:][:1])
        before, asked = killed.mark, len(server.asked)
        with killed.start() as child:
            assert child.wait(60) == 0
        again += sum(max(before - first, 0) for first in server.asked[asked:][:1])
        shown = killed.shown
    with capsys.disabled():
        sent = server.sent_bytes / GIB - 1
        print(f"\n{KILLS} kills: {again / GIB:.3%} read again, {sent:.2%} sent again", end=" ")
    assert again <= GIB // 100
    assert shown == sorted(shown)
    assert shown[-1] == GIB
    with (killed.folder / NAME).open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == killed.sha256
    assert {path.name for path in killed.folder.iterdir()} == {NAME, "snug-model.json"}


class Watched:
    """A download in this process, and what it has shown."""

    def __init__(self, server: Server, folder: Path, sha256: str, **limits: int) -> None:
        self.wanted = wanted_from(server.address, folder, server.size_bytes, sha256)
        self.limits = FetchLimits(**{"reserve_bytes": 0, **limits})
        self.statuses: list[DownloadStatus] = []
        self.cancel = CancelToken()
        self.cancelled_s = self.ended_s = 0.0

    def run(self, when: int = 0, then: Callable[[], None] | None = None) -> EngineError | None:
        """Its error. `then` is done on another thread as soon as so many bytes are shown."""
        waiting = [then] if then else []

        def deliver(status: DownloadStatus) -> None:
            self.statuses.append(status)
            if waiting and status.done_bytes >= when:
                threading.Thread(target=waiting.pop()).start()

        try:
            download_of(self.wanted, deliver, self.limits).run(self.cancel)
        except EngineError as error:
            self.ended_s = time.monotonic()
            return error
        return None

    def pause(self) -> None:
        self.cancelled_s = time.monotonic()
        self.cancel.cancel()


def test_a_stopped_process_goes_on(place: Path) -> None:
    """As a computer does that slept: more than the time that a server may be silent passes."""
    size = 64 * MIB
    with serving(size, 40e6) as server:
        killed = Killed(server, hash_of(size), place)
        with killed.start() as child:
            while killed.mark < 8 * MIB:
                time.sleep(0.005)
            child.send_signal(signal.SIGSTOP)
            time.sleep(3)
            child.send_signal(signal.SIGCONT)
            assert child.wait(60) == 0
    assert killed.shown == sorted(killed.shown)
    with (killed.folder / NAME).open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == killed.sha256


def test_a_pause_while_much_is_hashed(place: Path) -> None:
    """Files in their place without a stamp are hashed again: 5 GB of them."""
    folder = place / "model"
    folder.mkdir()
    size = 5_000_000_000
    with (folder / NAME).open("wb") as file:
        file.truncate(size)
    with serving(size) as server:
        watched = Watched(server, folder, "0" * 64)
        threading.Timer(0.5, watched.pause).start()
        assert isinstance(watched.run(), Cancelled)
        assert watched.ended_s - watched.cancelled_s < 1
        assert not server.asked


def test_memory_stays_small(place: Path) -> None:
    """100 MB for Python, the HTTP library and everything that is on its way."""
    size = 300 * MIB
    with serving(size) as server:
        killed = Killed(server, hash_of(size), place)
        with killed.start() as child:
            most_kb = 0
            while child.poll() is None:  # not ru_maxrss, which remembers the parent's size
                most_kb = max(most_kb, peak_kb(child.pid))
                time.sleep(0.02)
    assert child.returncode == 0
    assert 10_000 < most_kb < 100_000


def peak_kb(pid: int) -> int:
    """Of resident memory so far; 0 of a process that is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) if found else 0


# --- disks ----------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(place: Path) -> Iterator[Path]:
    """10 MB."""
    disk = place / "disk"
    disk.mkdir()
    argv = ["mount", "-t", "tmpfs", "-o", "size=10m", "tmpfs", str(disk)]
    if (
        shutil.which("mount") is None
        or subprocess.run(argv, check=False, capture_output=True).returncode
    ):
        pytest.skip("nothing can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_small_disk_is_known_before(small_disk: Path) -> None:
    with serving(20 * MIB) as server:
        error = Watched(server, small_disk / "model", hash_of(20 * MIB)).run()
        assert isinstance(error, NoSpace)
        assert error.needed_bytes == 20 * MIB
        assert 9 * MIB < error.free_bytes <= 10 * MIB
        assert not server.asked
    assert not any(small_disk.iterdir())


def test_a_disk_that_fills_up_and_is_emptied(small_disk: Path) -> None:
    size = 8 * MIB
    folder = small_disk / "model"
    with serving(size, 8e6) as server:
        watched = Watched(server, folder, hash_of(size))
        other = small_disk / "of another program"

        def fill() -> None:
            with suppress(OSError), other.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))

        error = watched.run(when=2 * MIB, then=fill)
        assert isinstance(error, NoSpace)
        done, total = progress_of(watched.wanted)
        assert 0 < done < total == size
        other.unlink()
        asked = len(server.asked)
        again = Watched(server, folder, hash_of(size))
        assert again.run() is None
        assert server.asked[asked] > 0
        shown = [status.done_bytes for status in (*watched.statuses, *again.statuses)]
        assert shown == sorted(shown)


def test_a_disk_that_can_only_be_read(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with serving(MIB) as server:
        error = Watched(server, small_disk / "model", hash_of(MIB)).run()
        assert isinstance(error, FolderUnwritable)
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
        (small_disk / "model").mkdir()
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        error = Watched(server, small_disk / "model", hash_of(MIB)).run()
        assert isinstance(error, FolderUnwritable)
        assert not server.asked


# --- several connections --------------------------------------------------------------------------


def test_a_slow_server_is_asked_several_times_at_once(place: Path) -> None:
    """25 MB/s each. It takes some seconds to be sure that more connections are faster."""
    size = 400 * MIB
    with serving(size, 25e6) as server:
        watched = Watched(server, place / "model", hash_of(size))
        begun = time.monotonic()
        assert watched.run() is None
        took_s = time.monotonic() - begun
    assert len(server.asked) >= 3
    assert took_s < 0.8 * size / 25e6
    shown = [status.done_bytes for status in watched.statuses]
    assert shown == sorted(shown)
    with (place / "model" / NAME).open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == hash_of(size)
