"""Follows downloads in the foreground: how far they are on a terminal, and how they end.

Ctrl+C pauses them; a later `snug models download` goes on.
"""

from collections.abc import Callable, Collection
from queue import Empty, SimpleQueue

from app.cli.ending import undisturbed
from app.cli.hub_words import words_at_hub
from app.cli.model_words import progress
from app.cli.models_desk import Desk
from app.cli.progress_line import ProgressLine
from app.cli.words import note, words_for
from app.events import DownloadChanged, DownloadRemoved, Event
from engine.errors import Cancelled, EngineError
from engine.types.downloads import DownloadState, DownloadStatus

_CLOSE_S = 5.0
_LOOK_S = 0.5
"""Windows hears of Ctrl+C only between two waits."""
_MOVING = {DownloadState.WAITING, DownloadState.RUNNING, DownloadState.CHECKING}


def follow(desk: Desk, ids: Collection[str], begin: Callable[[], object]) -> None:
    """Until each of `ids` has ended. Raises why the first one failed, `Cancelled` if one was
    paused from elsewhere, and `KeyboardInterrupt`."""
    events: SimpleQueue[Event] = SimpleQueue()
    unsubscribe = desk.events.subscribe(events.put)
    try:
        begin()
        _follow(desk, set(ids), events)
    except BaseException:
        with undisturbed():
            left = desk.supply.downloads
            left.close(_CLOSE_S)
            if any(it.id in ids and it.state is DownloadState.PAUSED for it in left.statuses()):
                note("What was fetched is kept: 'snug models download' goes on.")
        raise
    finally:
        unsubscribe()


def _follow(desk: Desk, left: set[str], events: "SimpleQueue[Event]") -> None:
    shown = _Shown()
    failure: EngineError | None = None
    try:
        while left & _moving(desk):
            try:
                event = events.get(timeout=_LOOK_S)
            except Empty:
                continue
            if isinstance(event, DownloadRemoved):
                left.discard(event.id)
            elif isinstance(event, DownloadChanged) and event.status.id in left:
                shown.show(event.status)
    finally:
        shown.line.clear()
    for status in desk.supply.downloads.statuses():
        if status.id in left and status.state is not DownloadState.DONE:
            failure = failure or status.error or Cancelled()
    if failure is not None:
        raise failure


def _moving(desk: Desk) -> set[str]:
    return {it.id for it in desk.supply.downloads.statuses() if it.state in _MOVING}


class _Shown:
    """The line, and what a download waits for: said once, and again when more had come."""

    def __init__(self) -> None:
        self.line = ProgressLine()
        self._said: tuple[str, int] | None = None

    def show(self, status: DownloadStatus) -> None:
        if status.state not in _MOVING:
            return
        if status.error is not None:
            self._say(status.error, status.done_bytes)
        self.line.show(progress(status))

    def _say(self, error: EngineError, done_bytes: int) -> None:
        if (error.code, done_bytes) == self._said:
            return
        self._said = error.code, done_bytes
        self.line.clear()
        words = words_at_hub(error) or words_for(error)
        note(f"{words.message} Snug tries again by itself.")
