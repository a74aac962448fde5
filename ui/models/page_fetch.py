"""The presenter of the downloads: which are listed, and what is done to one of them.

No Qt here; GUI thread. What waits for a disk goes through `run`, in order.
"""

from collections.abc import Callable
from typing import Protocol

from engine.errors import Cancelled, LicenceNotAccepted, TokenRefused
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState, DownloadStatus, Wanted
from ui.models.page_values import Asker, Errand, Fetching, PageView


class Downloads(Protocol):
    """What is asked of `DownloadService`. May block, but for `statuses`."""

    def statuses(self) -> tuple[DownloadStatus, ...]: ...
    def start(self, wanted: Wanted) -> None: ...
    def pause(self, download_id: str) -> None: ...
    def resume(self, download_id: str) -> None: ...
    def cancel(self, download_id: str) -> None: ...
    def put_away(self, download_id: str) -> None: ...
    def move_up(self, download_id: str) -> None: ...


_BUSY = (DownloadState.RUNNING, DownloadState.CHECKING)


class FetchList:
    """Keeps the rows of the downloads right."""

    def __init__(self, errand: Errand, downloads: Downloads, view: PageView, asker: Asker) -> None:
        self._errand = errand
        self._downloads = downloads
        self._view = view
        self._asker = asker
        self._statuses: dict[str, DownloadStatus] = {}
        self._again: set[str] = set()
        """Paused only to go on at once."""
        self.keep_token: Callable[[str, Callable[[], None]], None]
        self.token_page: Callable[[], str] = lambda: ""
        self.changed: Callable[[], None] = lambda: None
        """Others are fetched than before."""

    # --- what is listed ------------------------------------------------------------------------

    @property
    def statuses(self) -> tuple[DownloadStatus, ...]:
        return tuple(self._statuses.values())

    def get(self, download_id: str) -> DownloadStatus | None:
        return self._statuses.get(download_id)

    def refresh(self) -> None:
        self._statuses = {status.id: status for status in self._downloads.statuses()}
        self.show()
        self.changed()

    def show(self) -> None:
        busy = next((s for s in self.statuses if s.state in _BUSY), None)
        self._view.show_downloads([self._row(status, busy) for status in self.statuses])

    def _row(self, status: DownloadStatus, busy: DownloadStatus | None) -> Fetching:
        waits = status.state is DownloadState.WAITING and busy is not None
        return Fetching(status=status, waits_for=busy.title if waits and busy else "")

    def happened(self, status: DownloadStatus) -> None:
        """A download has changed."""
        before = self._statuses.get(status.id)
        if before is None:
            self.refresh()  # its place among the others is the service's matter
            return
        self._statuses[status.id] = status
        self.show()
        if status.id in self._again and status.state is not DownloadState.RUNNING:
            self._again.discard(status.id)
            self.resume(status.id)
        if status.state is DownloadState.DONE and before.state is not DownloadState.DONE:
            self._view.say_ready(status.title)

    def gone(self, download_id: str) -> None:
        self._statuses.pop(download_id, None)
        self.show()
        self.changed()

    # --- what is done to one -------------------------------------------------------------------

    def pause(self, download_id: str) -> None:
        self._do(lambda: self._downloads.pause(download_id))

    def cancel(self, download_id: str) -> None:
        self._do(lambda: self._downloads.cancel(download_id))

    def put_away(self, download_id: str) -> None:
        self._do(lambda: self._downloads.put_away(download_id))

    def move_up(self, download_id: str) -> None:
        self._do(lambda: self._downloads.move_up(download_id), self.refresh)

    def resume(self, download_id: str) -> None:
        self._do(lambda: self._downloads.resume(download_id))

    def go_on(self, download_id: str) -> None:
        """Fetch the rest; one that waits for the other side tries again at once."""
        status = self.get(download_id)
        if status is not None and status.state is DownloadState.RUNNING:
            self._again.add(download_id)
            self.pause(download_id)
        else:
            self.resume(download_id)

    def enter_token(self, download_id: str) -> None:
        """Ask for the key that is missing, then go on."""
        status = self.get(download_id)
        refused = status is not None and isinstance(status.error, TokenRefused)

        def keep(text: str) -> None:
            self.keep_token(text, lambda: self.resume(download_id))

        self._asker.token(refused, self.token_page(), keep)

    def accept_licence(self, download_id: str) -> None:
        """Lead to the page where a person can accept it, then go on."""
        status = self.get(download_id)
        if status is not None and isinstance(status.error, LicenceNotAccepted):
            self._asker.licence(status.error.page, lambda: self.resume(download_id))

    def start(self, wanted: Wanted) -> None:
        self._do(lambda: self._downloads.start(wanted), lambda: self._started(wanted))

    def _started(self, wanted: Wanted) -> None:
        self.refresh()
        self._view.reveal(wanted.id)

    def _do(self, work: Callable[[], None], then: Callable[[], None] | None = None) -> None:
        def done(_result: None) -> None:
            if then is not None:
                then()

        def run(_cancel: CancelToken) -> None:
            work()

        self._errand(run, done, self._failed)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._view.tell(error)
