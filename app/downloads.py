"""The downloads a person has started: one at a time, in order, through any number of starts.

Nothing is fetched before a person's act of this session. Any thread but the GUI's for what waits
for the disk; `statuses` is quick. The fetching itself is done on a thread of its own.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Condition, RLock, Thread

from app.download_items import Fetching, Item, status_of
from app.download_queue import DownloadQueue, Queued
from app.errors import StorageError
from app.events import DownloadChanged, DownloadRemoved, Event
from engine.errors import Cancelled, EngineError, EngineStopped, FolderBusy
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState, DownloadStatus, Wanted

log = logging.getLogger("snug.downloads")

_PAUSE_S = 0.25
"""Between two events of one download's progress."""
_STILL_S = 5.0
"""A download that was paused has let go of its files by then."""


class DownloadService:
    """`arrived` is called, on the thread that fetches, when a model is complete. An unknown id is
    passed over."""

    def __init__(
        self,
        queue: DownloadQueue,
        fetching: Fetching,
        publish: Callable[[Event], None],
        arrived: Callable[[Wanted], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = queue
        self._fetching = fetching
        self._publish = publish
        self._arrived = arrived
        self._clock = clock
        self._changed = Condition()
        self._telling = RLock()
        """Held while a status is read and told: what is told last is always what is true."""
        self._items: dict[str, Item] = {}
        self._thread: Thread | None = None
        self._closed = False
        self._held = False

    def begin(self) -> None:
        """Read what was left last time. What was running or waiting comes back PAUSED."""
        found = [self._left(queued) for queued in self._queue.read()]
        with self._changed:
            new = [item for item in found if item.wanted.id not in self._items]
            self._items.update((item.wanted.id, item) for item in new)
        for item in new:
            self._tell(item)

    def _left(self, queued: Queued) -> Item:
        item = Item(queued.wanted, self._status(queued.wanted, DownloadState.PAUSED))
        if queued.error is not None:
            item.end(queued.error)
        return item

    def statuses(self) -> tuple[DownloadStatus, ...]:
        """In order. Quick."""
        with self._changed:
            return tuple(item.status for item in self._items.values())

    def wanted(self, download_id: str) -> Wanted | None:
        """What a download is to bring. Quick."""
        with self._changed:
            item = self._items.get(download_id)
        return item.wanted if item is not None else None

    def start(self, wanted: Wanted) -> None:
        """Put it into the queue, or go on with the one of the same id. Raises `NoSpace`,
        `FolderUnwritable` or `StorageError`."""
        self._fetching.check_room(wanted)
        self._queue.put(Queued(wanted=wanted))
        new = Item(wanted, self._status(wanted, DownloadState.PAUSED))
        with self._changed:
            known = self._items.get(wanted.id)
            if known is None or known.status.state is DownloadState.DONE:
                self._items[wanted.id] = new
        self.resume(wanted.id)

    def pause(self, download_id: str) -> None:
        """Quick; it is PAUSED within 2 seconds."""
        with self._changed:
            item = self._items.get(download_id)
            if item is None:
                return
            item.pause()
        self._tell(item)

    def resume(self, download_id: str) -> None:
        """Put a PAUSED or FAILED one back into the queue; one that waits for a network tries at
        once."""
        with self._changed:
            item = self._items.get(download_id)
            if item is None or self._closed:
                return
            item.resume()
            self._wake()
        self._tell(item)

    def cancel(self, download_id: str) -> None:
        """End it, and delete what was fetched of it."""
        with self._changed:
            item = self._items.get(download_id)
            if item is None or item.status.state is DownloadState.DONE:
                return
            under_way = item.unwanted or item.cancel is not None
            item.pause()
            item.unwanted = True
        if not under_way:  # else its own thread takes it away, when nothing is written any more
            self._take_away(item)

    def put_away(self, download_id: str) -> None:
        """Take one that is DONE off the list."""
        with self._changed:
            item = self._items.get(download_id)
            if item is None or item.status.state is not DownloadState.DONE:
                return
        self._forget(item)

    def move_up(self, download_id: str) -> None:
        """One place nearer to its turn. Raises `StorageError` if that can not be remembered."""
        with self._changed:
            ids = list(self._items)
            place = ids.index(download_id) if download_id in ids else 0
            if place == 0:
                return
            ids[place - 1 : place + 1] = ids[place], ids[place - 1]
            self._items = {known: self._items[known] for known in ids}
            item = self._items[download_id]
        self._tell(item)
        self._queue.order(ids)

    @contextmanager
    def held(self, old: Path, new: Path) -> Iterator[None]:
        """Nothing is fetched meanwhile. At the end, if that is no error, what was to come below
        `old` comes below `new`. Raises `StorageError` if that can not be remembered."""
        with self._changed:
            self._held = True
            ran = [key for key, item in self._items.items() if item.cancel is not None]
            for key in ran:
                self._items[key].pause()
            self._changed.wait_for(lambda: not self._fetches, _STILL_S)
        try:
            yield
            self._lead_on(old, new)
        finally:
            with self._changed:
                self._held = False
                self._changed.notify_all()
            for key in ran:
                self.resume(key)

    def _lead_on(self, old: Path, new: Path) -> None:
        with self._changed:
            moved = [it for it in self._items.values() if it.wanted.folder.is_relative_to(old)]
            for item in moved:
                folder = new / item.wanted.folder.relative_to(old)
                item.wanted = replace(item.wanted, folder=folder)
        for item in moved:
            if item.status.state is not DownloadState.DONE:
                self._queue.put(Queued(wanted=item.wanted, error=item.status.error))

    def close(self, timeout_s: float) -> bool:
        """Pause what runs and end the thread. False if that took longer."""
        with self._changed:
            self._closed = True
            for item in self._items.values():
                item.pause()
            thread = self._thread
            self._changed.notify_all()
        if thread is not None:
            thread.join(timeout_s)
        return thread is None or not thread.is_alive()

    @property
    def _fetches(self) -> bool:
        return any(item.cancel is not None for item in self._items.values())

    def _wake(self) -> None:
        """With the lock held. The thread begins with the first download of a session."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="snug-download", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _status(self, wanted: Wanted, state: DownloadState) -> DownloadStatus:
        return status_of(wanted, state, self._fetching.progress(wanted))

    def _tell(self, item: Item, *, soon: bool = True) -> None:
        """The status as it is now. Not `soon`: unless it was told a moment ago."""
        with self._telling:
            now_s = self._clock()
            if not soon and now_s - item.told_s < _PAUSE_S:
                return
            with self._changed:
                item.told_s = now_s
                known = self._items.get(item.wanted.id) is item
                status = item.status
            if known:
                self._publish(DownloadChanged(status=status))

    # --- on the thread that fetches ---------------------------------------------------------------

    def _work(self) -> None:
        while (item := self._next()) is not None:
            self._tell(item)
            self._remember(partial(self._queue.put, Queued(wanted=item.wanted)))
            self._ended(item, self._fetch(item))

    def _next(self) -> Item | None:
        """Waits for one; None at the end."""
        with self._changed:
            while not self._closed:
                if (item := self._first_waiting()) is not None:
                    item.begin()
                    return item
                self._changed.wait()
        return None

    def _first_waiting(self) -> Item | None:
        waiting = (item for item in self._items.values() if item.waits)
        return None if self._held else next(waiting, None)

    def _fetch(self, item: Item) -> EngineError | None:
        """How it ended; None if all is there."""
        try:
            fetcher = self._fetching.fetcher(item.wanted, partial(self._progressed, item))
            item.fetcher = fetcher
            fetcher.run(item.cancel or CancelToken())
        except EngineError as error:
            return error
        except Exception as error:  # a mistake of ours must not end all downloads
            log.exception("a download failed")
            return EngineStopped(f"{type(error).__name__}: {error}")
        return None

    def _progressed(self, item: Item, status: DownloadStatus) -> None:
        with self._changed:
            changed = item.progressed(status)
        self._tell(item, soon=changed)

    def _ended(self, item: Item, error: EngineError | None) -> None:
        if error is None:
            self._remember(partial(self._queue.remove, item.wanted.id))
            self._arrive(item.wanted)
        elif not isinstance(error, Cancelled | FolderBusy):  # whoever has it minds the queue
            self._remember(partial(self._queue.put, Queued(wanted=item.wanted, error=error)))
        with self._changed:
            item.end(error)
            unwanted = item.unwanted
            self._changed.notify_all()
        if unwanted:
            self._take_away(item)
        else:
            self._tell(item)

    def _arrive(self, wanted: Wanted) -> None:
        try:
            self._arrived(wanted)
        except Exception:  # the model is there all the same
            log.exception("the library could not be read")

    def _take_away(self, item: Item) -> None:
        """Delete what was fetched; on any thread, when nothing is fetched of it."""
        try:
            self._fetching.discard(item.wanted)
        except FolderBusy as error:  # another Snug still fetches it, and needs its place
            with self._changed:
                item.unwanted = item.go_on = False
                item.end(error)
            self._tell(item)
            return
        except (OSError, EngineError):
            log.exception("parts of a download could not be deleted")
        self._remember(partial(self._queue.remove, item.wanted.id))
        if self._forget(item):
            return
        self._remember(partial(self._queue.put, Queued(wanted=item.wanted)))
        status = self._status(item.wanted, DownloadState.WAITING)
        with self._changed:
            item.unwanted, item.go_on, item.status = False, False, status
            self._changed.notify_all()
        self._tell(item)

    def _forget(self, item: Item) -> bool:
        """Off the list, unless it was asked for again; nothing is told of it afterwards."""
        with self._telling:
            with self._changed:
                if item.go_on or self._items.get(item.wanted.id) is not item:
                    return False
                del self._items[item.wanted.id]
            self._publish(DownloadRemoved(id=item.wanted.id))
        return True

    def _remember(self, change: Callable[[], None]) -> None:
        """A queue that can not be written costs at most a second look at what is there already."""
        try:
            change()
        except StorageError:
            log.exception("the queue of downloads could not be written")
