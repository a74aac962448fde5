"""One download in the list, and how its status changes. No thread, no disk."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from engine.errors import Cancelled, EngineError
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState, DownloadStatus, Wanted

RESTING = {DownloadState.PAUSED, DownloadState.FAILED}
_ON_THE_WAY = {DownloadState.RUNNING, DownloadState.CHECKING}

Deliver = Callable[[DownloadStatus], None]


class Fetcher(Protocol):
    """What fetches one model; see `engine.models.download`."""

    def run(self, cancel: CancelToken) -> None:
        """Raises the `EngineError` that it ended with, `Cancelled` when it was paused."""

    def nudge(self) -> None:
        """Try again at once, if it waits for a network or a server. Quick."""


class Fetching(Protocol):
    """How models are fetched. Only `run` of a fetcher asks anybody on a network."""

    def fetcher(self, wanted: Wanted, deliver: Deliver) -> Fetcher: ...

    def progress(self, wanted: Wanted) -> tuple[int, int]:
        """Bytes that are here, and bytes in all, 0 where they are not known."""
        ...

    def check_room(self, wanted: Wanted) -> None:
        """Raises `NoSpace` or `FolderUnwritable`."""

    def discard(self, wanted: Wanted) -> None:
        """Delete what was fetched."""


class Item:
    """`cancel` is set while it is fetched. `unwanted`: it is to be deleted. `go_on`: it was asked
    for again while it was still being ended. `told_s` is when its status was told last."""

    def __init__(self, wanted: Wanted, status: DownloadStatus) -> None:
        self.wanted = wanted
        self.status = status
        self.cancel: CancelToken | None = None
        self.fetcher: Fetcher | None = None
        self.unwanted = False
        self.go_on = False
        self.told_s = 0.0

    @property
    def waits(self) -> bool:
        return self.status.state is DownloadState.WAITING and not self.unwanted

    def begin(self) -> None:
        self.cancel = CancelToken()
        self.status = replace(self.status, state=DownloadState.RUNNING)

    def pause(self) -> None:
        self.go_on = False
        if self.cancel is not None:
            self.cancel.cancel()
        elif self.status.state is DownloadState.WAITING:
            self.status = still(self.status, DownloadState.PAUSED)

    def resume(self) -> None:
        if self.cancel is not None:
            self.go_on = self.cancel.cancelled
            if self.fetcher is not None:
                self.fetcher.nudge()
        elif self.unwanted:
            self.go_on = True
        elif self.status.state in RESTING:
            self.status = still(self.status, DownloadState.WAITING)

    def progressed(self, status: DownloadStatus) -> bool:
        """Take over what the fetcher says, but for the end, and for bytes that got less. Whether
        more than bytes has changed."""
        before = self.status
        if status.state not in _ON_THE_WAY:
            return False
        done_bytes = max(before.done_bytes, status.done_bytes)
        self.status = replace(status, id=before.id, title=before.title, done_bytes=done_bytes)
        return (status.state, status.error) != (before.state, before.error)

    def end(self, error: EngineError | None) -> None:
        """It is no longer fetched, because of `error`, or because all is there."""
        self.cancel = self.fetcher = None
        if error is None:
            self.unwanted = self.go_on = False
            done_bytes = max(self.status.total_bytes, self.status.done_bytes)
            self.status = replace(still(self.status, DownloadState.DONE), done_bytes=done_bytes)
        elif not isinstance(error, Cancelled):
            self.status = replace(still(self.status, DownloadState.FAILED), error=error)
        elif self.go_on and not self.unwanted:
            self.go_on = False
            self.status = still(self.status, DownloadState.WAITING)
        else:
            self.status = still(self.status, DownloadState.PAUSED)


def status_of(wanted: Wanted, state: DownloadState, progress: tuple[int, int]) -> DownloadStatus:
    """`progress` is in bytes: what is here, and all."""
    done_bytes, total_bytes = progress
    return DownloadStatus(
        id=wanted.id,
        title=wanted.title,
        state=state,
        done_bytes=done_bytes,
        total_bytes=total_bytes,
    )


def still(status: DownloadStatus, state: DownloadState) -> DownloadStatus:
    """`state`, with nothing that only a running one has."""
    return replace(status, state=state, bytes_per_s=None, left_s=None, error=None, retry_s=None)
