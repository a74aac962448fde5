"""One file of a download, from wherever the last try left it to its place in the folder, where it
only comes when every byte has been checked. Runs on the thread of the download.
"""

import hashlib
from collections.abc import Callable
from contextlib import closing
from typing import Final

from engine.errors import Cancelled, HashMismatch
from engine.models.download import journal
from engine.models.download.fetching import Fetching, Means
from engine.models.download.partial import Partial, Source
from engine.models.download.targets import Target, state_of
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState
from engine.types.library import FileRecord

_REPAIRS: Final = 8
"""Each finds at least one chunk that the disk has changed."""
_CHECK_S: Final = 0.05
_BUFFER_BYTES: Final = 1 << 20


def finished_before(target: Target, cancel: CancelToken) -> FileRecord | None:
    """The file, if it is in its place and is what it should be. A stamp in its journal says so, or
    else its hash is taken again; what has no hash is known by its size. Raises `OSError`."""
    state = state_of(target.final)
    if state is None:
        return None
    found = journal.read(target.journal)
    if found is not None and found.stamp == state and target.is_of(found):
        return _record(target, state.size_bytes, found.header.sha256)
    if target.size_bytes not in (None, state.size_bytes):
        return None
    if target.sha256:
        right = sha256_of(target, cancel) == target.sha256
        return _record(target, state.size_bytes, target.sha256) if right else None
    return None if target.size_bytes is None else _record(target, state.size_bytes, "")


def sha256_of(target: Target, cancel: CancelToken) -> str:
    digest, buffer = hashlib.sha256(), memoryview(bytearray(_BUFFER_BYTES))
    with target.final.open("rb", buffering=0) as file:
        while count := file.readinto(buffer):
            if cancel.cancelled:
                raise Cancelled
            digest.update(buffer[:count])
    return digest.hexdigest()


class OneFile:
    """`number` among the files of the download."""

    def __init__(
        self, means: Means, target: Target, number: int, request: Callable[[], Request]
    ) -> None:
        self._means = means
        self._target = target
        self._number = number
        self._request = request
        self._repairs = 0
        self._again = False

    def fetch(self, cancel: CancelToken) -> FileRecord:
        """Raises why it could not be fetched, and `OSError`."""
        self._target.final.parent.mkdir(parents=True, exist_ok=True)
        with closing(Partial(self._target, self._means.around, cancel)) as partial:
            self._means.meter.enter(max(partial.best_bytes, partial.plan.done_bytes))
            if partial.plan.size_bytes is not None:
                self._means.meter.size(self._number, partial.plan.size_bytes)
            if partial.plan.complete and partial.source is None:
                partial.begin(Source(size_bytes=0, etag="", sha256=""))  # nobody need be asked
            while True:
                self._fetching(partial).run(cancel)
                if self._is_right(partial, cancel):
                    break
                self._repair(partial, cancel)
            partial.put_in_place()
            return _record(self._target, partial.plan.size_bytes or 0, partial.sha256)

    def _fetching(self, partial: Partial) -> Fetching:
        return Fetching(self._means, self._target, self._number, partial, self._request)

    def _is_right(self, partial: Partial, cancel: CancelToken) -> bool:
        size = partial.plan.size_bytes or 0
        self._means.meter.size(self._number, size)
        partial.note_best(self._means.meter.shown_of(size))
        self._means.meter.show(DownloadState.CHECKING, size)
        while (found := partial.check()) is None:
            if cancel.cancelled:
                raise Cancelled
            self._means.around.wait(self._means.bell, _CHECK_S)
            self._means.bell.clear()
        return partial.sha256 in ("", found)

    def _repair(self, partial: Partial, cancel: CancelToken) -> None:
        """Fetch again what the disk has changed; if that is nothing, everything, but only once."""
        damaged = partial.damaged(cancel) if self._repairs < _REPAIRS else ()
        self._repairs += 1
        if damaged:
            partial.forget(damaged)
            return
        partial.forget_all()
        if self._again:
            raise HashMismatch(self._target.final, "fetched twice, and not what it should be")
        self._again = True


def _record(target: Target, size_bytes: int, sha256: str) -> FileRecord:
    return FileRecord(name=target.name, size_bytes=size_bytes, sha256=sha256)
