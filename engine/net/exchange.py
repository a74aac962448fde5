"""One request and its answer, seen by the one who waits for it.

The waiting is done on a `Flow`, so that a cancel, the offline switch or too much silence end it at
once, whatever the network does.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Self
from uuid import uuid4

from engine.errors import (
    Cancelled,
    EngineError,
    OfflineOnly,
    ServerIncomprehensible,
    ServerSilent,
    ServerUnreachable,
)
from engine.net.address import origin_of
from engine.net.flow import Flow
from engine.net.pieces import Connected, End, Head, Hop, Piece
from engine.net.requests import Patience, Request, Route
from engine.net.sending import Sending
from engine.types.cancel import CancelToken
from engine.types.connections import BEGUN, Connection

_LOOK_S = 1.0
"""How often the switch is looked at while nothing comes; another program may have turned it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hinges:
    """What an exchange shares with its door. `begin` may refuse; `begun` and `end` get the
    record as it is then."""

    patience: Patience
    route: Callable[[], Route]
    offline: Callable[[], bool]
    begin: Callable[["Exchange", Request], None]
    begun: Callable[[Connection], None]
    end: Callable[["Exchange", Connection], None]
    now: Callable[[], datetime]
    clock: Callable[[], float]


class Exchange:
    """See `Door.ask`. `status` and `headers` (lower case) are known once it is entered.

    At most 4 MiB of the body wait in memory; a server that is faster waits for the one who reads.
    """

    def __init__(self, request: Request, cancel: CancelToken, hinges: Hinges) -> None:
        self._request = request
        self._cancel = cancel
        self._hinges = hinges
        self._flow = Flow()
        self._sending = Sending(request, hinges.patience, hinges.offline, hinges.route, self._flow)
        self._id = uuid4().hex[:12]
        self._shut = False
        self._connected = False
        self.silence_s = hinges.patience.silence_s
        """How long the next part of the body may take; whoever reads may change it."""
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.is_near = False
        """Whether who answers is in this network, whatever its name; not known behind a proxy."""
        self.hops: tuple[Hop, ...] = ()
        """The redirects that led here; see `following`."""

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port of who answers."""
        return origin_of(self._request.address)

    def shut(self) -> None:
        """The person wants nothing to leave any more: nothing does. From any thread."""
        self._shut = True
        self._sending.stop()

    def __enter__(self) -> Self:
        if self._cancel.cancelled:
            raise Cancelled
        self._hinges.begin(self, self._request)
        self._at, self._began_s = self._hinges.now(), self._hinges.clock()
        self._hinges.begun(self._record(BEGUN))
        self._cancel.on_cancel(self._sending.stop)
        try:
            self._require_wanted()
            self._sending.start()
            self._await_head()
        except BaseException as error:
            self._close(error)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close(error)

    def chunks(self, within_s: float = math.inf) -> Iterator[bytes]:
        """The body as it comes, in any pieces; all of it within that time."""
        deadline_s = self._hinges.clock() + within_s
        if self.headers.get("content-encoding", "identity").lower() not in ("identity", ""):
            raise ServerIncomprehensible(self._request.address, "packed, though not asked to")
        while isinstance(piece := self._next(self._left_s(deadline_s)), bytes):
            yield piece

    def body(self) -> bytes:
        return b"".join(self.chunks())

    def short_body(self) -> bytes:
        """Of a list: a server that drips it is not waited for."""
        return b"".join(self.chunks(self._hinges.patience.whole_s))

    def what_can_be_read(self, limit_bytes: int) -> bytes:
        """The body of an error, which matters less than its status: as much as comes in time."""
        found = bytearray()
        with suppress(ServerSilent, ServerUnreachable, ServerIncomprehensible):
            for chunk in self.chunks(self._hinges.patience.whole_s):
                found += chunk
                if len(found) >= limit_bytes:
                    break
        return bytes(found[:limit_bytes])

    # --- waiting ----------------------------------------------------------------------------------

    def _await_head(self) -> None:
        piece = self._next(self._hinges.patience.connect_s)
        while isinstance(piece, Connected):  # once more after the handshake of TLS
            self._connected, self.is_near = True, piece.near
            piece = self._next(self._request.first_s or self._hinges.patience.first_s)
        if not isinstance(piece, Head):
            raise ServerIncomprehensible(self._request.address, "an answer without a head")
        self.status, self.headers = piece.status, piece.headers

    def _left_s(self, deadline_s: float) -> float:
        return max(min(self.silence_s, deadline_s - self._hinges.clock()), 0)

    def _next(self, within_s: float) -> Piece:
        """The next piece. Raises what ended the exchange instead."""
        deadline_s = self._hinges.clock() + within_s
        while True:
            left_s = max(deadline_s - self._hinges.clock(), 0)
            piece = self._flow.take(min(left_s, _LOOK_S))
            self._require_wanted()
            if isinstance(piece, End) and piece.error is not None:
                raise piece.error
            if piece is not None:
                return piece
            if left_s <= _LOOK_S:
                raise self._silence(within_s)

    def _require_wanted(self) -> None:
        if self._cancel.cancelled:
            raise Cancelled
        if self._shut or self._hinges.offline():
            raise OfflineOnly(self._request.address)

    def _silence(self, waited_s: float) -> EngineError:
        kind = ServerSilent if self._connected else ServerUnreachable
        return kind(self._request.address, f"nothing for {waited_s:g} s")

    # --- the end ----------------------------------------------------------------------------------

    def _close(self, error: BaseException | None) -> None:
        self._cancel.forget(self._sending.stop)
        self._sending.stop()
        self._hinges.end(self, self._record(_outcome(error)))

    def _record(self, outcome: str) -> Connection:
        scheme, host, port = origin_of(self._request.address)
        content = self._request.content or b""
        return Connection(
            at=self._at,
            purpose=self._request.purpose,
            scheme=scheme,
            host=host,
            port=port,
            bytes_sent=len(content) if self._connected else 0,
            bytes_received=self._flow.received_bytes,
            outcome=outcome,
            duration_s=round(self._hinges.clock() - self._began_s, 3),
            id=self._id,
        )


def _outcome(error: BaseException | None) -> str:
    if error is None:
        return "done"
    return error.code if isinstance(error, EngineError) else Cancelled.code
