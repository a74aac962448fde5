"""The door itself: lets a request out if the person allows it, and writes it down.

`ask` is used on the thread that wants the answer; `end_all` may come from any. Neither importing
nor building this connects to anything, and the HTTP library is loaded with the first request.
"""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Lock

from engine.errors import KeyRefused, OfflineOnly
from engine.net.exchange import Exchange, Hinges
from engine.net.requests import Patience, Request, Route, is_sendable
from engine.types.cancel import CancelToken
from engine.types.connections import Connection

log = logging.getLogger("snug.net")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Door:
    """`offline` is asked before every request and while it runs. `ledger` gets one record for each
    that was let out, when it has ended, and `begun` one before anything of it leaves, so that a
    kill hides nothing; they may be slow and must not matter if they fail. `route` is
    asked on the thread of each request; it may look at a disk."""

    def __init__(  # noqa: PLR0913 - each has its default
        self,
        offline: Callable[[], bool],
        ledger: Callable[[Connection], None] = lambda _: None,
        *,
        begun: Callable[[Connection], None] = lambda _: None,
        patience: Patience | None = None,
        route: Callable[[], Route] = Route,
        now: Callable[[], datetime] = _utc_now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._offline = offline
        self._ledger, self._begun = ledger, begun
        self._lock = Lock()
        self._open: set[Exchange] = set()
        self._hinges = Hinges(
            patience=patience or Patience(),
            route=route,
            offline=offline,
            begin=self._begin,
            begun=lambda record: _kept(self._begun, record),
            end=self._end,
            now=now,
            clock=clock,
        )

    def ask(self, request: Request, cancel: CancelToken) -> Exchange:
        """A context manager over the answer; leaving it closes the connection.

        Entering it, and reading from it, raise a `RemoteError`, or `Cancelled`.
        """
        return Exchange(request, cancel, self._hinges)

    @property
    def closed(self) -> bool:
        """Whether the person wants nothing to leave now. Quick."""
        return self._offline()

    def end_all(self) -> None:
        """End what is on its way, as when the person turned the switch: with `OfflineOnly`."""
        with self._lock:
            running = tuple(self._open)
        for exchange in running:
            exchange.shut()

    def _begin(self, exchange: Exchange, request: Request) -> None:
        """The last look at the switch is taken when `end_all` already knows of the exchange."""
        if request.key is not None and not is_sendable(request.key):
            raise KeyRefused(request.address, "the key has characters that no key has")
        with self._lock:
            self._open.add(exchange)
        if self._offline():
            with self._lock:
                self._open.discard(exchange)
            raise OfflineOnly(request.address)

    def _end(self, exchange: Exchange, record: Connection) -> None:
        with self._lock:
            self._open.discard(exchange)
        _kept(self._ledger, record)


def _kept(ledger: Callable[[Connection], None], record: Connection) -> None:
    """An answer is not lost for a ledger that fails."""
    try:
        ledger(record)
    except Exception:
        log.exception("a connection could not be written down")
