"""Downloads one model: all of its files, one after the other, into its folder, and at last the
manifest that makes it part of the library.

Everything that matters is on the disk, so that another `Download` of the same goes on where this
one ended, however that happened. `run` blocks; `nudge` may come from any thread.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Lock

from engine.errors import Cancelled, FolderBusy, FolderUnwritable, NoSpace
from engine.guard import lock
from engine.guard.lock import FileLock
from engine.models.download.fetching import Means
from engine.models.download.leftovers import (
    discard,
    drop_empty,
    forget_journal,
    missing_bytes,
    progress_of,
)
from engine.models.download.meter import Meter
from engine.models.download.one_file import OneFile, finished_before
from engine.models.download.storage import disk_error
from engine.models.download.surroundings import Surroundings
from engine.models.download.targets import LOCK, Target, targets_of
from engine.models.download.throttle import Throttle
from engine.models.library.manifest import write_manifest
from engine.net.door import Door
from engine.net.following import follow
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState, DownloadStatus, FetchLimits, Wanted, WantedFile
from engine.types.library import FileRecord, Manifest, Origin

__all__ = ["Download", "discard", "progress_of"]

_here: set[Path] = set()
"""Folders that this process downloads into: some disks have no locks."""
_here_lock = Lock()


class Download:
    """`request_for` says how a file is asked for at its hub, with the token where one is wanted; it
    is asked anew for each try. `deliver` gets every status on the thread of `run`. `around` says
    what the hub's own refusals mean."""

    def __init__(
        self,
        wanted: Wanted,
        door: Door,
        request_for: Callable[[WantedFile], Request],
        limits: Callable[[], FetchLimits],
        deliver: Callable[[DownloadStatus], None],
        *,
        around: Surroundings | None = None,
    ) -> None:
        around = around or Surroundings()
        self._wanted = wanted
        self._request_for = request_for
        self._around = around
        self._means = Means(
            ask=partial(follow, door),
            refusal=around.refusal,
            limits=limits,
            throttle=Throttle(around.clock),
            around=around,
            meter=Meter(wanted, deliver, around.clock),
            bell=Event(),
            nudged=Event(),
        )

    def nudge(self) -> None:
        """The network may be back: try at once."""
        self._means.nudged.set()
        self._means.bell.set()

    def run(self, cancel: CancelToken) -> None:
        """Until all files are in place and the manifest is written. Raises why that could not be,
        `Cancelled` within two seconds of a cancel."""
        ring = self._means.bell.set
        cancel.on_cancel(ring)
        try:
            self._run(targets_of(self._wanted), cancel)
        except OSError as error:
            raise self._disk_error(error) from error
        finally:
            cancel.forget(ring)

    def _run(self, targets: tuple[Target, ...], cancel: CancelToken) -> None:
        with _alone_in(self._wanted.folder):
            for target in targets:
                target.require_inside()
            self._require_room()
            records = [self._bring(number, target, cancel) for number, target in enumerate(targets)]
            write_manifest(self._wanted.folder, self._manifest(records))
            for target in targets:
                with suppress(OSError):
                    forget_journal(target)
        self._means.meter.show(DownloadState.DONE, 0)

    def _bring(self, number: int, target: Target, cancel: CancelToken) -> FileRecord:
        if cancel.cancelled:
            raise Cancelled
        record = finished_before(target, cancel)
        if record is None:
            file = self._wanted.files[number]
            record = OneFile(self._means, target, number, lambda: self._request_for(file)).fetch(
                cancel
            )
        self._means.meter.size(number, record.size_bytes)
        self._means.meter.leave(record.size_bytes)
        return record

    def _manifest(self, records: list[FileRecord]) -> Manifest:
        wanted = self._wanted
        seeing = [record.name for record in records if "mmproj" in record.name.lower()]
        return Manifest(
            name=wanted.title,
            files=tuple(records),
            origin=Origin(hub=wanted.hub, repo=wanted.repo, revision=wanted.revision),
            licence=wanted.licence,
            quantization=wanted.quantization,
            projector=seeing[0] if seeing and len(records) > len(seeing) else "",
        )

    def _require_room(self) -> None:
        """For all that is known to be still to come."""
        folder, reserve = self._wanted.folder, self._means.limits().reserve_bytes
        needed = missing_bytes(self._wanted)
        free = self._around.free_bytes(folder)
        if needed + reserve > free and needed:
            raise NoSpace(folder, needed, max(free - reserve, 0))

    def _disk_error(self, error: OSError) -> Exception:
        needed = missing_bytes(self._wanted)
        return disk_error(error, self._wanted.folder, needed, self._around.free_bytes)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """The folder, made if it is not there, with nobody else downloading into it. Raises
    `FolderUnwritable`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        key = folder.resolve()
    except OSError as error:
        raise FolderUnwritable(folder, error.strerror or str(error)) from error
    with _here_lock:
        if key in _here:
            raise FolderBusy(folder, "it is being downloaded already")
        _here.add(key)
    try:
        yield from _locked(folder)
    finally:
        with _here_lock:
            _here.discard(key)
        drop_empty(folder)


def _locked(folder: Path) -> Iterator[None]:
    held = _take(folder)
    try:
        yield
    finally:
        if held is not None:
            held.release(delete=True)


def _take(folder: Path) -> FileLock | None:
    """None where the disk has no locks."""
    try:
        held = lock.take(folder / LOCK)
    except PermissionError as error:
        raise FolderUnwritable(folder, error.strerror or str(error)) from error
    except OSError:
        return None
    if held is None:
        raise FolderBusy(folder, "another program downloads it")
    return held
