"""One request on a thread of its own: names are looked up and servers waited for where nobody else
waits. Whoever asked can leave at any time, and `stop` then closes the connection."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock, Thread
from typing import Any

from engine.net.pieces import Connected, End, Piece
from engine.net.requests import Patience, Request

_BOTH_WAYS = 2
"""SHUT_RDWR: wakes the thread that waits for the other side."""


class _StoppedError(Exception):
    """Nobody waits for the answer any more."""


class Sending:
    """One request on its way. `deliver` gets its pieces on the thread, an `End` last."""

    def __init__(
        self, request: Request, patience: Patience, deliver: Callable[[Piece], None]
    ) -> None:
        self._request = request
        self._patience = patience
        self._deliver = deliver
        self._lock = Lock()
        self._stream: Any = None
        self._stopped = False
        Thread(target=self._run, name="snug-net", daemon=True).start()

    def stop(self) -> None:
        """Close the connection now. Quick; from any thread."""
        with self._lock:
            self._stopped = True
            stream = self._stream
        if stream is not None:
            with suppress(Exception):  # the socket may be closed already
                stream.get_extra_info("socket").shutdown(_BOTH_WAYS)

    # --- on the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        from engine.net import transport  # noqa: PLC0415 - loads the HTTP library, which is slow

        error = transport.send(self._request, self._patience, self._deliver, self._trace)
        self._deliver(End(error=error))

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """httpcore tells of its steps; a new stream is what `stop` has to close."""
        if event.endswith("connect_tcp.started") and self._stopped:
            raise _StoppedError
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        stream = info["return_value"]
        with self._lock:
            self._stream, stopped = stream, self._stopped
        if stopped:
            stream.close()
            raise _StoppedError
        self._deliver(Connected())
