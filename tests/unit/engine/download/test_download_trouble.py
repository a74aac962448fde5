"""Downloads in trouble: other files, servers that fail, pauses, folders and disks."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import (
    Cancelled,
    EngineError,
    FileChanged,
    FolderUnwritable,
    HashMismatch,
    LicenceNotAccepted,
    NoSpace,
    OfflineOnly,
    ServerBusy,
    ServerFailed,
    ServerUnreachable,
)
from engine.models.download.download import discard, progress_of
from engine.models.download.surroundings import Surroundings
from engine.types.downloads import (
    DownloadState,
    DownloadStatus,
    FetchLimits,
)
from tests.servers.odd import Line, odd_server
from tests.servers.plain_file import bytes_of
from tests.unit.engine.download.world import (
    PATIENT,
    QUICK,
    SIZE,
    World,
    file_of,
    good,
    half,
    silent,
    with_etag,
)

# --- other files ----------------------------------------------------------------------------------


def test_another_version_is_begun_anew_where_no_hash_is_known(folder: Path) -> None:
    version = [half]

    def current(line: Line) -> None:
        version[0](line)

    with odd_server(current, path="") as odd:
        world = World(odd.address, folder, file_of(SIZE, told=False))
        world.pause_when(lambda status: status.done_bytes >= SIZE // 2)
        assert isinstance(world.run(), Cancelled)
        version[0] = with_etag('"two"')
        again = World(odd.address, folder, file_of(SIZE, told=False))
        assert again.run() is None
        assert [one.headers["range"] for one in odd.asked[1:]] == [
            f"bytes={SIZE // 2}-{SIZE - 1}",
            "bytes=0-",
        ]
    assert (folder / f"{SIZE}.gguf").read_bytes() == bytes_of(1, SIZE + 1)
    assert again.shown[0] >= world.shown[-1]
    assert again.shown == sorted(again.shown)


def test_a_wrong_file_never_gets_the_name(folder: Path) -> None:
    with odd_server(with_etag('"two"'), path="") as odd:
        world = World(odd.address, folder)
        assert isinstance(world.run(), HashMismatch)
        assert len(odd.asked) == 2
    assert f"{SIZE}.gguf" not in world.names
    assert world.shown == sorted(world.shown)
    with odd_server(good, path="") as odd:
        assert World(odd.address, folder).run() is None


def test_a_file_of_another_size_is_another_file(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        wanted = replace(file_of(SIZE), path=f"{SIZE + 1}.gguf")
        world = World(odd.address, folder, wanted)
        assert isinstance(world.run(), FileChanged)
    assert not folder.exists()


# --- tries ----------------------------------------------------------------------------------------


def test_it_says_what_it_waits_for(folder: Path) -> None:
    def busy(line: Line) -> None:
        if line.number:
            good(line)
        else:
            line.say(503, b"", Retry_After="1")

    with odd_server(busy, path="") as odd:
        world = World(odd.address, folder)
        assert world.run() is None
    waiting = [status for status in world.statuses if status.retry_s]
    assert waiting
    assert all(isinstance(status.error, ServerBusy) for status in waiting)
    assert max(status.retry_s or 0 for status in waiting) > 0.8
    assert all(status.state is DownloadState.RUNNING for status in waiting)


def test_a_nudge_tries_at_once(folder: Path) -> None:
    def once(line: Line) -> None:
        if line.number:
            good(line)
        else:
            line.say(500, b"")

    with odd_server(once, path="") as odd:
        world = World(odd.address, folder)

        def look(status: DownloadStatus) -> None:
            if status.retry_s and world.download:
                world.download.nudge()

        world.on_status = look
        began_s = time.monotonic()
        assert world.run(PATIENT) is None
    assert time.monotonic() - began_s < 5


def test_it_gives_up_with_the_reason(folder: Path) -> None:
    with odd_server(lambda line: line.say(500, b""), path="") as odd:
        world = World(odd.address, folder)
        assert isinstance(world.run(), ServerFailed)
        assert len(odd.asked) == QUICK.pace.tries
    unreachable = World("http://127.0.0.1:9", folder)
    assert isinstance(unreachable.run(), ServerUnreachable)
    assert not folder.exists()


def test_the_hub_is_asked_why_it_refuses(folder: Path) -> None:
    def refusal(status: int, headers: Mapping[str, str], address: str) -> EngineError:
        assert (status, headers["x-error-code"]) == (403, "GatedRepo")
        return LicenceNotAccepted(address, "page")

    gated = replace(QUICK, refusal=refusal)
    with odd_server(lambda line: line.say(403, b"", X_Error_Code="GatedRepo"), path="") as odd:
        world = World(odd.address, folder)
        assert isinstance(world.run(gated), LicenceNotAccepted)
        assert len(odd.asked) == 1


def test_the_switch_ends_it_at_once(folder: Path) -> None:
    with odd_server(half, path="") as odd:
        world = World(odd.address, folder)

        def turn(status: DownloadStatus) -> None:
            if status.done_bytes >= SIZE // 2:
                world.offline = True
                world.door.end_all()

        world.on_status = turn
        assert isinstance(world.run(PATIENT), OfflineOnly)
        assert len(odd.asked) == 1
        asleep = replace(PATIENT, offline=lambda: world.offline)
        assert isinstance(world.run(asleep), OfflineOnly)


# --- pauses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "around"),
    [
        (silent, Surroundings()),
        (half, Surroundings()),
        (lambda line: line.say(500, b""), PATIENT),
        (lambda line: line.say(429, b"", Retry_After="3000"), PATIENT),
    ],
    ids=["no word", "in the middle", "between tries", "as the server asks"],
)
def test_a_pause_is_quick(
    folder: Path, script: Callable[[Line], None], around: Surroundings
) -> None:
    with odd_server(script, path="") as odd:
        world = World(odd.address, folder)
        paused_s: list[float] = []

        def pause() -> None:
            paused_s.append(time.monotonic())
            world.cancel.cancel()

        timer = threading.Timer(0.4, pause)
        timer.start()
        assert isinstance(world.run(around), Cancelled)
        assert time.monotonic() - paused_s[0] < 1
        timer.join()


def test_a_pause_before_the_beginning(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder)
        world.cancel.cancel()
        assert isinstance(world.run(), Cancelled)
        assert not odd.asked


def test_a_pause_under_a_limit(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder)
        world.limits = FetchLimits(reserve_bytes=0, bytes_per_s=1000)
        world.pause_when(lambda status: status.done_bytes > 0)
        began_s = time.monotonic()
        assert isinstance(world.run(), Cancelled)
        assert time.monotonic() - began_s < 3


# --- folders --------------------------------------------------------------------------------------


def test_one_download_at_a_time_in_a_folder(folder: Path) -> None:
    with odd_server(half, path="") as odd:
        first, second = World(odd.address, folder), World(odd.address, folder)
        errors: list[EngineError | None] = []

        def look(status: DownloadStatus) -> None:
            if status.done_bytes >= SIZE // 2 and not errors:
                errors.append(second.run())
                first.cancel.cancel()

        first.on_status = look
        assert isinstance(first.run(), Cancelled)
        assert isinstance(errors[0], FolderUnwritable)
        assert len(odd.asked) == 1


def test_a_lock_that_a_dead_program_left_blocks_nobody(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "snug-download.lock").write_bytes(b"12345")
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder)
        assert world.run() is None
    assert world.names == {f"{SIZE}.gguf", "snug-model.json"}


def test_disks_without_locks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.guard import lock

    def none(handle: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(lock, "lock_handle", none)
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder)
        assert world.run() is None
    assert (folder / f"{SIZE}.gguf").read_bytes() == bytes_of(0, SIZE)


@pytest.mark.parametrize("name", ["../x.gguf", "/x.gguf", "con.gguf", "a.part", ""])
def test_names_that_lead_elsewhere(folder: Path, name: str) -> None:
    file = replace(file_of(SIZE), name=name)
    world = World("http://127.0.0.1:9", folder, file)
    assert isinstance(world.run(), FolderUnwritable)
    assert progress_of(world.wanted) == (0, 0)
    folder.mkdir(parents=True)
    with pytest.raises(FolderUnwritable):
        discard(world.wanted)


def test_a_file_in_the_place_of_the_folder(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_bytes(b"")
    assert isinstance(World("http://127.0.0.1:9", folder).run(), FolderUnwritable)


def test_space_is_looked_at_before_and_meanwhile(folder: Path) -> None:
    free = [10 * SIZE]
    around = replace(QUICK, free_bytes=lambda _: free[0])
    with odd_server(half, path="") as odd:
        world = World(odd.address, folder)
        world.limits = FetchLimits(reserve_bytes=9 * SIZE + 1)
        error = world.run(around)
        assert isinstance(error, NoSpace)
        assert (error.needed_bytes, error.free_bytes) == (SIZE, SIZE - 1)
        assert not odd.asked
        world.limits = FetchLimits(reserve_bytes=SIZE)

        def shrink(status: DownloadStatus) -> None:
            if status.done_bytes >= SIZE // 2:
                free[0] = SIZE - 1

        world.on_status = shrink
        assert isinstance(world.run(replace(around, stall_s=30)), NoSpace)
        assert progress_of(world.wanted) == (SIZE // 2, SIZE)
