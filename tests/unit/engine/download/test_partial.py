"""What is still there of a file after kills, power cuts and damage; and that it is put right."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import Cancelled, FolderUnwritable, NoSpace
from engine.models.download import journal as journals
from engine.models.download.partial import CHUNK_BYTES, Partial, Source
from engine.models.download.storage import PositionalFile, disk_error
from engine.models.download.surroundings import Surroundings, boot_id
from engine.models.download.targets import Target
from engine.types.cancel import CancelToken
from tests.servers.plain_file import bytes_of, hash_of

SIZE = 3 * CHUNK_BYTES + 12345
HERE = Surroundings(boot_id=lambda: "monday")
LATER = Surroundings(boot_id=lambda: "tuesday")
SOURCE = Source(size_bytes=SIZE, etag="e", sha256="")


def target_in(folder: Path, sha256: str = "") -> Target:
    return Target(folder=folder, name="x.gguf", identity="i", size_bytes=SIZE, sha256=sha256)


@contextmanager
def opened(folder: Path, around: Surroundings = HERE, sha256: str = "") -> Iterator[Partial]:
    partial = Partial(target_in(folder, sha256), around, CancelToken())
    try:
        yield partial
    finally:
        partial.close()


def fetch(partial: Partial, count_bytes: int) -> None:
    """As a connection does."""
    if partial.source is None:
        partial.begin(SOURCE)
    segment = partial.plan.take()
    assert segment
    end = segment.at + count_bytes
    while segment.at < end and segment.left_bytes:
        partial.write(segment, bytes_of(segment.at, min(segment.at + 100_000, end, segment.end)))
    partial.give_back(segment)


def finished(partial: Partial) -> str:
    deadline = time.monotonic() + 20
    while (found := partial.check()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return found


def test_a_file_from_nothing_to_its_place(tmp_path: Path) -> None:
    with opened(tmp_path) as partial:
        fetch(partial, SIZE)
        assert finished(partial) == hash_of(SIZE)
        partial.put_in_place()
    final = tmp_path / "x.gguf"
    assert final.read_bytes() == bytes_of(0, SIZE)
    found = journals.read(tmp_path / "x.gguf.journal")
    assert found
    assert found.stamp
    assert found.stamp.mtime_ns == final.stat().st_mtime_ns
    assert not (tmp_path / "x.gguf.part").exists()


def test_nothing_is_left_where_nothing_was_fetched(tmp_path: Path) -> None:
    with opened(tmp_path):
        pass
    assert not any(tmp_path.iterdir())


def test_after_a_kill_every_byte_counts(tmp_path: Path) -> None:
    """Nothing was closed, and the segment was still open."""
    killed = Partial(target_in(tmp_path), HERE, CancelToken())
    killed.begin(SOURCE)
    segment = killed.plan.take()
    assert segment
    killed.write(segment, bytes_of(0, 777_777))
    killed.mark_all()
    killed.note_best(888_888)
    with opened(tmp_path) as partial:
        assert partial.plan.written == ((0, 777_777),)
        assert partial.best_bytes == 888_888
        fetch(partial, SIZE)
        assert finished(partial) == hash_of(SIZE)
    killed.close()


def test_after_a_power_cut_only_proven_chunks_count(tmp_path: Path) -> None:
    with opened(tmp_path) as partial:
        fetch(partial, 2 * CHUNK_BYTES + 99)
        syncer = partial._syncer
        assert syncer
        syncer._sync()
        fetch(partial, 100)
    with opened(tmp_path, LATER) as partial:
        assert partial.plan.written == ((0, 2 * CHUNK_BYTES),)
    with (tmp_path / "x.gguf.part").open("r+b") as file:
        file.seek(CHUNK_BYTES + 5)
        file.write(b"zeros of a file system")
    with opened(tmp_path, HERE) as partial:  # another one than that of the last journal
        assert partial.plan.written == ((0, CHUNK_BYTES),)
        fetch(partial, SIZE)
        assert finished(partial) == hash_of(SIZE)


def test_a_computer_without_a_name_for_its_boots_believes_hashes_only(tmp_path: Path) -> None:
    unnamed = Surroundings(boot_id=lambda: "")
    with opened(tmp_path, unnamed) as partial:
        fetch(partial, CHUNK_BYTES + 5)
    with opened(tmp_path, unnamed) as partial:
        assert partial.plan.written in ((), ((0, CHUNK_BYTES),))


def test_another_file_in_its_place_is_not_believed(tmp_path: Path) -> None:
    with opened(tmp_path) as partial:
        fetch(partial, CHUNK_BYTES)
    part = tmp_path / "x.gguf.part"
    part.rename(tmp_path / "kept")
    part.write_bytes(bytes(SIZE))
    with opened(tmp_path) as partial:
        assert partial.plan.written == ()


@pytest.mark.skipif(os.name != "posix", reason="a file that is open can be replaced")
def test_what_was_put_in_its_place_never_gets_the_name(tmp_path: Path) -> None:
    with opened(tmp_path) as partial:
        fetch(partial, SIZE)
        finished(partial)
        partial.require_place()
        (tmp_path / "theirs").write_bytes(b"theirs")
        (tmp_path / "theirs").replace(tmp_path / "x.gguf.part")
        with pytest.raises(FileExistsError):
            partial.put_in_place()
    assert not (tmp_path / "x.gguf").exists()


def test_a_part_that_became_shorter(tmp_path: Path) -> None:
    with opened(tmp_path) as partial:
        fetch(partial, 2 * CHUNK_BYTES)
    os.truncate(tmp_path / "x.gguf.part", 1000)
    with opened(tmp_path) as partial:
        assert partial.plan.written == ((0, 1000),)


@pytest.mark.parametrize(
    "change", [{"identity": "other"}, {"size_bytes": SIZE + 1}, {"sha256": "ab" * 32}]
)
def test_a_journal_of_another_file_is_not_believed(
    tmp_path: Path, change: dict[str, object]
) -> None:
    with opened(tmp_path) as partial:
        fetch(partial, CHUNK_BYTES)
    other = replace(target_in(tmp_path), **change)  # type: ignore[arg-type]
    partial = Partial(other, HERE, CancelToken())
    assert partial.plan.written == ()
    partial.close()


def test_the_same_hash_from_another_address_goes_on(tmp_path: Path) -> None:
    with opened(tmp_path, sha256="ab" * 32) as partial:
        fetch(partial, CHUNK_BYTES)
    mirror = replace(target_in(tmp_path, "ab" * 32), identity="mirror")
    partial = Partial(mirror, HERE, CancelToken())
    assert partial.plan.done_bytes == CHUNK_BYTES
    partial.close()


def test_chunks_that_the_disk_changed_are_found(tmp_path: Path) -> None:
    with opened(tmp_path) as partial:
        fetch(partial, SIZE)
        finished(partial)
        with (tmp_path / "x.gguf.part").open("r+b") as file:
            file.seek(2 * CHUNK_BYTES)
            file.write(b"?")
        bad = partial.damaged(CancelToken())
        assert bad == ((2 * CHUNK_BYTES, 3 * CHUNK_BYTES),)
        partial.forget(bad)
        assert partial.plan.done_bytes == SIZE - CHUNK_BYTES
        fetch(partial, SIZE)
        assert finished(partial) == hash_of(SIZE)
        assert partial.damaged(CancelToken()) == ()


def test_looking_for_damage_can_be_cancelled(tmp_path: Path) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with opened(tmp_path) as partial:
        fetch(partial, SIZE)
        finished(partial)
        with pytest.raises(Cancelled):
            partial.damaged(cancel)
    with pytest.raises(Cancelled):
        Partial(target_in(tmp_path), LATER, cancel)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30
)
@given(data=st.data())
def test_any_journal_is_lived_with(tmp_path: Path, data: st.DataObject) -> None:
    """Torn, cut or foreign: no error, and the file is right in the end or begun anew."""
    with opened(tmp_path, sha256=hash_of(SIZE)) as partial:
        fetch(partial, CHUNK_BYTES + 7)
        partial.mark_all()
    path = tmp_path / "x.gguf.journal"
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + 1] = data.draw(st.binary(max_size=40))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    with opened(tmp_path, sha256=hash_of(SIZE)) as partial:
        assert partial.plan.done_bytes <= CHUNK_BYTES + 7
        fetch(partial, SIZE)
        if not partial.plan.complete:
            fetch(partial, SIZE)
        assert finished(partial) == hash_of(SIZE)
    (tmp_path / "x.gguf.part").unlink()
    path.unlink()


# --- the disk -------------------------------------------------------------------------------------


def test_pieces_lie_behind_each_other(tmp_path: Path) -> None:
    file = PositionalFile(tmp_path / "x")
    pieces = [bytes([number % 251]) * (number % 7) for number in range(2000)]
    file.write(pieces, 10)
    buffer = memoryview(bytearray(20_000))
    count = file.read(10, buffer)
    assert bytes(buffer[:count]) == b"".join(pieces)
    assert file.size_bytes == 10 + count
    file.sync()
    file.close()
    file.close()
    with pytest.raises(OSError, match="closed"):
        file.write([b"x"], 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_a_full_disk_is_said_to_be_full() -> None:
    file = PositionalFile(Path("/dev/full"))
    with pytest.raises(OSError, match="No space") as full:
        file.write([b"x" * 100], 0)
    file.close()
    error = disk_error(full.value, Path("models"), 100, lambda _: 5)
    assert isinstance(error, NoSpace)
    assert (error.needed_bytes, error.free_bytes) == (100, 5)


def test_other_errors_of_a_disk_name_the_folder() -> None:
    error = disk_error(OSError(30, "Read-only file system"), Path("models"), 0, lambda _: 0)
    assert isinstance(error, FolderUnwritable)
    assert "Read-only" in error.detail

    def fail(folder: Path) -> int:
        raise OSError(5, "no")

    assert isinstance(disk_error(OSError(28, "full"), Path("models"), 9, fail), NoSpace)


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
@pytest.mark.parametrize("kind", ["link", "second name", "pipe"])
def test_nothing_is_written_through_a_part_that_is_none(tmp_path: Path, kind: str) -> None:
    theirs, part = tmp_path / "theirs", tmp_path / "x.gguf.part"
    theirs.write_bytes(b"theirs")
    if kind == "link":
        part.symlink_to(theirs)
    elif kind == "second name":
        part.hardlink_to(theirs)
    else:
        os.mkfifo(part)
    with opened(tmp_path) as partial:
        fetch(partial, SIZE)
        assert finished(partial) == hash_of(SIZE)
    assert theirs.read_bytes() == b"theirs"


@pytest.mark.parametrize("thread", ["_follower", "_syncer"])
def test_after_an_error_of_the_disk_only_hashes_are_believed(tmp_path: Path, thread: str) -> None:
    """What could not be synced may still be read for a while."""
    with opened(tmp_path) as partial:
        fetch(partial, SIZE)
        finished(partial)
        partial.require_sound()
        getattr(partial, thread).error = OSError(5, "Input/output error")
        with pytest.raises(OSError, match="Input"):
            partial.require_sound()
        with (tmp_path / "x.gguf.part").open("r+b") as file:
            file.seek(CHUNK_BYTES)
            file.write(b"?")
    with opened(tmp_path) as partial:
        assert partial.plan.prefix_bytes == CHUNK_BYTES
        assert partial.plan.done_bytes < SIZE


def test_a_boot_has_one_name() -> None:
    assert boot_id() == boot_id() != ""
