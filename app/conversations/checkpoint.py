"""Keeps a reply safe while it is being written.

`append` runs on the inference thread for every token and must never wait for the disk: a writer
thread of its own stores the text twice a second while there is new text, and sleeps otherwise. A
failed write (disk full) is reported once and tried again; the text stays in memory.
"""

from collections.abc import Callable
from dataclasses import replace
from threading import Condition, Lock, Thread
from typing import Protocol

from app.conversations.rows import storable
from app.conversations.values import Turn, TurnState
from app.errors import StorageError

INTERVAL_S = 0.5
"""Half of the promised second: the other half is for the write itself."""


class TurnWriter(Protocol):
    def update_turn(self, turn_id: str, text: str, state: TurnState, model: str) -> bool: ...


class ReplyCheckpoint:
    """Stores one growing reply at a time. `begin`, `append` and `finish` come from one thread,
    `settle` from any.

    `on_failure` is called on the writer's or the finishing thread, once until a write works again.
    """

    def __init__(
        self,
        store: TurnWriter,
        on_failure: Callable[[StorageError], None],
        interval_s: float = INTERVAL_S,
    ) -> None:
        self._store = store
        self._on_failure = on_failure
        self._interval_s = interval_s
        self._current: _Reply | None = None
        self._unsaved: dict[str, _Reply] = {}
        self._changed = Condition()
        self._disk = Lock()
        self._dirty = False
        self._hurry = False
        self._failing = False
        self._closing = False
        self._thread: Thread | None = None

    def begin(self, turn: Turn) -> None:
        """Start on a stored turn; its text is kept in front. A reply left open becomes STOPPED."""
        with self._changed:
            if self._current is not None:
                self._current.state, self._dirty = TurnState.STOPPED, True
                self._changed.notify_all()
            self._current = self._unsaved[turn.id] = _Reply(turn)
            self._start()

    def append(self, text: str) -> None:
        """More of the reply. Takes well under a microsecond; ignored when no reply is running."""
        if self._current is None:
            return
        self._current.parts.append(text)
        if not self._dirty:
            self._wake()

    def finish(self, state: TurnState) -> Turn:
        """End the reply. The turn is on disk on return, unless `on_failure` was told otherwise;
        then it is tried again until `close`. Raises `RuntimeError` when no reply is running."""
        reply, self._current = self._current, None
        if reply is None:
            message = "no reply to finish"
            raise RuntimeError(message)
        reply.state = state
        if not self._save(reply):
            self._wake()
        return reply.turn()

    def settle(self, turn: Turn, state: TurnState, *, quick: bool) -> Turn:
        """End a stored turn that nothing was written to; another reply may be growing meanwhile.
        As on disk on return, like `finish`; `quick` leaves that to the writer's thread."""
        reply = _Reply(turn)
        reply.state = state
        with self._changed:
            self._unsaved[turn.id] = reply
            self._start()
        if quick or not self._save(reply):
            self._wake(at_once=quick)
        return reply.turn()

    def close(self, timeout_s: float = 2.0) -> bool:
        """Store what is left and end the thread. False if something could not be stored in time."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout_s)
            if self._thread.is_alive():
                return False
        with self._changed:
            return all(reply.saved == reply.snapshot() for reply in self._unsaved.values())

    def _start(self) -> None:
        if self._thread is None and not self._closing:
            self._thread = Thread(target=self._run, name="checkpoint", daemon=True)
            self._thread.start()

    # --- the writer's thread ----------------------------------------------------------------

    def _run(self) -> None:
        while self._wait_for_text():
            self._dirty = self._hurry = False  # before the texts are read: no later word is missed
            if not self._save_all():
                self._dirty = True
        self._save_all()

    def _wait_for_text(self) -> bool:
        """Sleep without end while there is nothing new, then for one interval. False to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._dirty or self._closing)
            self._changed.wait_for(lambda: self._hurry or self._closing, self._interval_s)
            return not self._closing

    def _wake(self, *, at_once: bool = False) -> None:
        with self._changed:
            self._dirty = True
            self._hurry = self._hurry or at_once
            self._changed.notify_all()

    # --- on either thread -------------------------------------------------------------------

    def _save_all(self) -> bool:
        with self._changed:
            replies = list(self._unsaved.values())
        saved = [self._save(reply) for reply in replies]  # try each, whatever became of the others
        return all(saved)

    def _save(self, reply: "_Reply") -> bool:
        with self._disk:
            if self._unsaved.get(reply.id, reply) is not reply:
                return True  # the same turn goes on: what it was is no longer of interest
            snapshot = reply.snapshot()
            try:
                if snapshot != reply.saved:
                    self._store.update_turn(reply.id, reply.text(), snapshot[1], reply.model)
                    reply.saved = snapshot
            except StorageError as error:
                self._report(error)
                return False
            self._failing = False
        self._forget(reply)
        return True

    def _forget(self, reply: "_Reply") -> None:
        with self._changed:
            whole = reply.saved == reply.snapshot() and reply.state is not TurnState.PARTIAL
            if whole and self._unsaved.get(reply.id) is reply:
                del self._unsaved[reply.id]

    def _report(self, error: StorageError) -> None:
        if not self._failing:
            self._failing = True
            self._on_failure(error)


class _Reply:
    """What is known of one reply. `parts` only grows, so that a count tells what is stored."""

    __slots__ = ("_turn", "id", "model", "parts", "saved", "state")

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self.id = turn.id
        self.model = turn.model
        self.parts = [turn.text]
        self.state = TurnState.PARTIAL
        self.saved = (1, turn.state)

    def snapshot(self) -> tuple[int, TurnState]:
        return len(self.parts), self.state

    def text(self) -> str:
        return "".join(self.parts)

    def turn(self) -> Turn:
        return replace(self._turn, text=storable(self.text()), state=self.state)
