"""Downloads among enemies: links, clashing names, disks that fail in the middle, other Snugs,
clocks that jump, servers that want an hour. Nothing outside of the folder is touched."""

import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FolderBusy, FolderUnwritable, NotOnHub, ServerBusy
from engine.models.download import journal as journals
from engine.models.download import syncing
from engine.models.download.download import discard, progress_of
from engine.models.download.storage import PositionalFile
from engine.models.download.surroundings import Surroundings
from engine.types.downloads import DownloadStatus, FetchLimits
from tests.servers.odd import Line, odd_server
from tests.servers.plain_file import bytes_of
from tests.unit.engine.download.world import (
    KIND,
    PATIENT,
    QUICK,
    SIZE,
    World,
    file_of,
    good,
    half,
    sized,
)

NOWHERE = "http://127.0.0.1:9"
links = pytest.mark.skipif(os.name != "posix", reason="links")
NAME = f"{SIZE}.gguf"


# --- links and names ------------------------------------------------------------------------------


@links
def test_a_folder_inside_that_is_a_link_is_not_used(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.onnx.part").write_bytes(b"theirs")
    folder.mkdir(parents=True)
    (folder / "onnx").symlink_to(outside)
    world = World(NOWHERE, folder, file_of(SIZE, name="onnx/x.onnx"))
    assert isinstance(world.run(), FolderUnwritable)
    with pytest.raises(FolderUnwritable):
        discard(world.wanted)
    assert [path.name for path in outside.iterdir()] == ["x.onnx.part"]


@links
def test_the_folder_itself_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    disk = tmp_path / "another disk"
    disk.mkdir()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.symlink_to(disk)
    with odd_server(half, path="") as odd:
        first, second = World(odd.address, folder), World(odd.address, disk)
        errors: list[object] = []

        def look(status: DownloadStatus) -> None:
            if status.done_bytes >= SIZE // 2 and not errors:
                errors.append(second.run())
                first.cancel.cancel()

        first.on_status = look
        first.run()
        assert isinstance(errors[0], FolderBusy)
    with odd_server(good, path="") as odd:
        assert World(odd.address, folder).run() is None
    assert (disk / NAME).read_bytes() == bytes_of(0, SIZE)


@links
def test_a_link_in_the_files_place_is_replaced(folder: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_bytes(bytes_of(0, SIZE))
    folder.mkdir(parents=True)
    (folder / NAME).symlink_to(theirs)
    with odd_server(good, path="") as odd:
        assert World(odd.address, folder).run() is None
    assert not (folder / NAME).is_symlink()
    assert theirs.read_bytes() == bytes_of(0, SIZE)


def test_a_folder_in_the_files_place_is_told_before_gigabytes_are_fetched(folder: Path) -> None:
    (folder / NAME).mkdir(parents=True)
    with odd_server(good, path="") as odd:
        assert isinstance(World(odd.address, folder).run(), FolderUnwritable)
        assert not odd.asked


@pytest.mark.parametrize(
    "names",
    [
        ("Model.gguf", "model.GGUF"),
        ("stra\u00dfe.gguf", "STRASSE.gguf"),
        ("caf\u00e9.gguf", "cafe\u0301.gguf"),
        ("onnx", "onnx/model.onnx"),
        ("ONNX", "onnx/model.onnx"),
        ("x.gguf", "x.gguf.journal.new"),
        ("x.gguf", "x.gguf.part"),
        ("x.gguf", "x.gguf.journal"),
        ("x.gguf", "snug-download.lock"),
        ("x.gguf", "snug-model.json"),
        ("x.gguf", "Snug-Model.JSON"),
    ],
)
def test_names_that_mean_one_place(folder: Path, names: tuple[str, str]) -> None:
    world = World(NOWHERE, folder, *(file_of(SIZE, name=name) for name in names))
    assert isinstance(world.run(), FolderUnwritable)
    assert progress_of(world.wanted) == (0, 0)
    assert not folder.exists()


# --- disks ----------------------------------------------------------------------------------------


def quick_clock() -> float:
    """The disk is looked at every 20 ms."""
    return time.monotonic() * 100


@links
def test_a_folder_that_is_deleted_meanwhile(folder: Path) -> None:
    """Else gigabytes would go into a file that has no name any more."""
    around = replace(QUICK, clock=quick_clock, stall_s=3000)
    with odd_server(half, path="") as odd:
        world = World(odd.address, folder)
        world.limits = FetchLimits(reserve_bytes=1)

        def delete(status: DownloadStatus) -> None:
            if status.done_bytes >= SIZE // 2:
                shutil.rmtree(folder, ignore_errors=True)

        world.on_status = delete
        error = world.run(around)
        assert isinstance(error, FolderUnwritable)
        assert "No such file" in error.detail
    with odd_server(good, path="") as odd:
        assert World(odd.address, folder).run() is None


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES, errno.ENODEV])
def test_a_disk_that_is_pulled_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    plain = PositionalFile.write

    def write(file: PositionalFile, pieces: Sequence[bytes], at: int) -> None:
        if threading.current_thread().name == "snug-fetch" and at >= SIZE // 3:
            raise OSError(number, os.strerror(number))
        plain(file, pieces, at)

    with odd_server(good, path="") as odd:
        monkeypatch.setattr(PositionalFile, "write", write)
        error = World(odd.address, folder).run()
        assert isinstance(error, FolderUnwritable)
        assert error.detail == os.strerror(number)
        monkeypatch.undo()
        assert World(odd.address, folder).run() is None
        assert len(odd.asked) <= 3
    assert (folder / NAME).read_bytes() == bytes_of(0, SIZE)


def test_a_sync_that_fails_is_told_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when all has been fetched. What was not synced is not believed afterwards."""
    plain = PositionalFile.sync

    def sync(file: PositionalFile) -> None:
        if threading.current_thread().name == "snug-sync":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        plain(file)

    monkeypatch.setattr(syncing, "_EVERY_BYTES", SIZE // 4)
    monkeypatch.setattr(PositionalFile, "sync", sync)
    around = replace(QUICK, stall_s=60)
    with odd_server(half, path="") as odd:
        world = World(odd.address, folder)
        assert isinstance(world.run(around), FolderUnwritable)
    monkeypatch.undo()
    with odd_server(good, path="") as odd:
        again = World(odd.address, folder)
        assert again.run() is None
        assert odd.asked[0].headers["range"] == f"bytes=0-{SIZE - 1}"
    assert again.shown == sorted(again.shown)
    assert again.shown[0] >= world.shown[-1]


def test_a_journal_that_can_not_be_written_costs_no_download(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[int] = []

    class Full(PositionalFile):
        _begun = 0

        def write(self, pieces: Sequence[bytes], at: int) -> None:
            self._begun += 1
            if self._begun > 4:  # its beginning is written in four
                refused.append(at)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            super().write(pieces, at)

    monkeypatch.setattr(journals, "PositionalFile", Full)
    with odd_server(good, path="") as odd:
        assert World(odd.address, folder).run() is None
    assert refused
    assert (folder / NAME).read_bytes() == bytes_of(0, SIZE)


# --- others ---------------------------------------------------------------------------------------


def test_another_snug_downloads_it(folder: Path) -> None:
    folder.mkdir(parents=True)
    script = (
        "import sys; from pathlib import Path; from engine.guard import lock;"
        "held = lock.take(Path(sys.argv[1])); print(held is not None, flush=True);"
        "sys.stdin.read()"
    )
    argv = [sys.executable, "-c", script, str(folder / "snug-download.lock")]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin
        assert other.stdout
        assert other.stdout.readline().split() == [b"True"]
        world = World(NOWHERE, folder)
        assert isinstance(world.run(), FolderBusy)
        with pytest.raises(FolderBusy):
            discard(world.wanted)
        other.kill()
    with odd_server(good, path="") as odd:
        assert World(odd.address, folder).run() is None


def test_two_clicks_on_a_disk_without_locks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.guard import lock

    def none(handle: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock, "lock_handle", none)
    with odd_server(half, path="") as odd:
        first, second = World(odd.address, folder), World(odd.address, folder)
        errors: list[object] = []

        def look(status: DownloadStatus) -> None:
            if status.done_bytes >= SIZE // 2 and not errors:
                errors.append(second.run())
                first.cancel.cancel()

        first.on_status = look
        first.run()
        assert isinstance(errors[0], FolderBusy)


# --- servers and clocks ---------------------------------------------------------------------------


def test_the_third_of_five_files_fails(folder: Path) -> None:
    sizes = [100_001, 100_002, 100_003, 100_004, 100_005]
    broken = [True]

    def script(line: Line) -> None:
        if sized(line.asked.path) == sizes[2] and broken[0]:
            line.say(404, b"", KIND)
            return
        good(line)

    with odd_server(script, path="") as odd:
        files = [file_of(size) for size in sizes]
        assert isinstance(World(odd.address, folder, *files).run(), NotOnHub)
        assert progress_of(World(odd.address, folder, *files).wanted)[0] == sum(sizes[:2])
        assert not (folder / "snug-model.json").exists()
        broken[0] = False
        again = World(odd.address, folder, *files)
        assert again.run() is None
        assert [sized(asked.path) for asked in odd.asked] == [*sizes[:3], *sizes[2:]]
    assert again.shown == sorted(again.shown)


def test_a_server_that_wants_an_hour_is_asked_at_once_by_a_person(folder: Path) -> None:
    busy = [True]

    def script(line: Line) -> None:
        if busy[0]:
            line.say(429, b"", KIND, Retry_After="3600")
            return
        good(line)

    with odd_server(script, path="") as odd:
        world = World(odd.address, folder)
        waits: list[float] = []

        def look(status: DownloadStatus) -> None:
            if isinstance(status.error, ServerBusy) and not waits:
                waits.append(status.retry_s or 0)
                busy[0] = False
                assert world.download
                world.download.nudge()

        world.on_status = look
        began_s = time.monotonic()
        assert world.run(PATIENT) is None
        assert time.monotonic() - began_s < 10
        assert 3590 < waits[0] <= 3600
        assert len(odd.asked) == 2


class Jumping:
    """A computer that sleeps or is stopped: its clock is ahead when it wakes."""

    def __init__(self) -> None:
        self.slept_s = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.slept_s


@pytest.mark.parametrize("slept_s", [60.0, 30 * 86400.0])
def test_a_computer_that_slept(folder: Path, slept_s: float) -> None:
    clock = Jumping()
    around: Surroundings = replace(QUICK, clock=clock, stall_s=30)

    def script(line: Line) -> None:
        if len(odd.asked) > 1:
            good(line)
            return
        line.head(
            206, KIND, Content_Length=str(SIZE), ETag='"one"',
            Content_Range=f"bytes 0-{SIZE - 1}/{SIZE}",
        )  # fmt: skip
        line.send(bytes_of(0, SIZE // 2))
        awake.wait(10)
        line.send(bytes_of(SIZE // 2, SIZE))

    awake = threading.Event()
    with odd_server(script, path="") as odd:
        world = World(odd.address, folder)

        def sleep(status: DownloadStatus) -> None:
            if status.done_bytes >= SIZE // 2 and not clock.slept_s:
                clock.slept_s = slept_s
                awake.set()

        world.on_status = sleep
        assert world.run(around) is None
        assert len(odd.asked) <= 2
    assert world.shown == sorted(world.shown)
    assert (folder / NAME).read_bytes() == bytes_of(0, SIZE)


def test_a_limit_that_is_lifted_counts_at_once(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder)
        world.limits = FetchLimits(reserve_bytes=0, bytes_per_s=SIZE // 300)

        def lift(status: DownloadStatus) -> None:
            if status.done_bytes:
                world.limits = FetchLimits(reserve_bytes=0)

        world.on_status = lift
        began_s = time.monotonic()
        assert world.run(replace(QUICK, stall_s=30)) is None
        assert time.monotonic() - began_s < 10
        assert len(odd.asked) == 1
