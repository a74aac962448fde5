"""What earlier tries left on the disk: how far they came, and how it is thrown away. Asks nobody on
a network, and changes nothing that another download holds."""

from contextlib import suppress
from pathlib import Path

from engine.errors import FolderBusy, FolderUnwritable
from engine.guard import lock
from engine.models.download import journal
from engine.models.download.targets import LOCK, Target, state_of, targets_of
from engine.models.library import manifest
from engine.types.downloads import Wanted


def progress_of(wanted: Wanted) -> tuple[int, int]:
    """Bytes shown as done, and in all; 0 in all where nobody has told. Never raises."""
    try:
        found = [_progress(target) for target in targets_of(wanted)]
    except FolderUnwritable:
        return 0, 0
    done_bytes = sum(done for done, _ in found)
    sizes = [size for _, size in found if size is not None]
    return done_bytes, sum(sizes) if len(sizes) == len(found) else 0


def missing_bytes(wanted: Wanted) -> int:
    """How much is to be fetched still, as far as it is known. Raises `FolderUnwritable`."""
    return sum(_missing(target) for target in targets_of(wanted))


def _missing(target: Target) -> int:
    found = journal.read(target.journal)
    if state_of(target.final) is not None or target.size_bytes is None:
        return 0
    if found is None or not target.is_of(found) or state_of(target.part) is None:
        return target.size_bytes
    return max(target.size_bytes - sum(end - start for start, end in found.written), 0)


def _progress(target: Target) -> tuple[int, int | None]:
    found, state = journal.read(target.journal), state_of(target.final)
    mine = found is not None and target.is_of(found)
    size = found.header.size_bytes if found is not None and mine else target.size_bytes
    size = target.size_bytes if size is None else size
    if state is not None and ((found is not None and found.stamp == state) or not mine):
        return state.size_bytes, state.size_bytes
    if found is None or not mine:
        return 0, size
    written = sum(end - start for start, end in found.written)
    return max(found.best_bytes, written if state_of(target.part) else 0), size


def discard(wanted: Wanted) -> None:
    """Delete what is there of it, finished files of an unfinished set too. A model that is complete
    stays. Raises `FolderUnwritable` if something can not be deleted."""
    if not wanted.folder.is_dir():
        return
    complete = manifest.read_manifest(wanted.folder) is not None
    try:
        held = lock.take(wanted.folder / LOCK)
    except OSError:
        held = None
    else:
        if held is None:
            raise FolderBusy(wanted.folder, "another program downloads it")
    try:
        _delete(targets_of(wanted), complete=complete)
    except OSError as error:
        raise FolderUnwritable(wanted.folder, error.strerror or str(error)) from error
    finally:
        if held is not None:
            held.release(delete=True)
    drop_empty(wanted.folder)


def _delete(targets: tuple[Target, ...], *, complete: bool) -> None:
    for target in targets:
        target.require_inside()
        found = journal.read(target.journal)
        state = state_of(target.final)
        if not complete and state is not None and found is not None and found.stamp == state:
            target.final.unlink(missing_ok=True)
        target.part.unlink(missing_ok=True)
        forget_journal(target)
        if target.final.parent != target.folder:
            drop_empty(target.final.parent)


def forget_journal(target: Target) -> None:
    """It is not needed any more. Raises `OSError`."""
    target.next_journal.unlink(missing_ok=True)
    target.journal.unlink(missing_ok=True)


def drop_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
