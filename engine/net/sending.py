"""One request on a thread of its own: names are looked up and servers waited for where nobody else
waits. Whoever asked can leave at any time: once `stop` has returned, nothing is written."""

import socket
import struct
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock, Thread
from typing import Any

from engine.errors import OfflineOnly, ServerUnreachable
from engine.net.flow import Flow, StoppedError
from engine.net.pieces import BY_PROXY, Connected, End
from engine.net.requests import Patience, Request, Route
from engine.net.resolving import is_in_this_network

_DROP = struct.pack("HH" if sys.platform == "win32" else "ii", 1, 0)
"""SO_LINGER of no time: what the system has not sent yet is not sent when the socket closes, and
the other side learns of the end at once, although it may be waiting for room to write."""
_WRITES = (
    "connect_tcp.started",
    "start_tls.started",
    "send_request_headers.started",
    "send_request_body.started",
)


class Sending:
    """One request, on its way once it is started. `flow` gets its pieces on the thread, an `End`
    last. `offline` is asked before each step that writes, `route` once, on the thread."""

    def __init__(
        self,
        request: Request,
        patience: Patience,
        offline: Callable[[], bool],
        route: Callable[[], Route],
        flow: Flow,
    ) -> None:
        self._request = request
        self._patience = patience
        self._offline = offline
        self._route = route
        self._flow = flow
        self._lock = Lock()
        self._stream: Any = None
        self._stopped = False

    def start(self) -> None:
        """Raises `ServerUnreachable` if the system has no thread for it."""
        try:
            Thread(target=self._run, name="snug-net", daemon=True).start()
        except RuntimeError as error:
            raise ServerUnreachable(self._request.address, str(error)) from error

    def stop(self) -> None:
        """Write nothing more, take nothing more, and end the connection. Quick; from any thread,
        also before the start."""
        with self._lock:
            self._stopped = True
            stream = self._stream
        self._flow.close()
        if stream is not None:
            with suppress(Exception):  # the socket may be closed already
                _end(stream.get_extra_info("socket"))

    # --- on the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        from engine.net import transport  # noqa: PLC0415 - loads the HTTP library, which is slow

        means = transport.Means(
            patience=self._patience, route=self._route, deliver=self._flow.put, trace=self._trace
        )
        error = transport.send(self._request, means)
        if self._stream is not None:
            with suppress(Exception):  # the library forgets one where a step was refused
                self._stream.close()
        with suppress(StoppedError):
            self._flow.put(End(error=error))

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """httpcore tells of its steps; a new stream is what `stop` has to close."""
        if event.endswith(_WRITES):
            self._require_wanted()
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        stream = info["return_value"]
        with self._lock:
            self._stream, stopped = stream, self._stopped
        if stopped:
            stream.close()
            raise StoppedError
        self._flow.put(Connected(near=not info[BY_PROXY] and _is_near(stream)))

    def _require_wanted(self) -> None:
        if self._stopped:
            raise StoppedError
        if self._offline():
            raise OfflineOnly(self._request.address)


def _is_near(stream: Any) -> bool:
    address = stream.get_extra_info("server_addr")
    return isinstance(address, tuple) and is_in_this_network(str(address[0]).partition("%")[0])


def _end(connection: socket.socket) -> None:
    """Wakes the thread that waits for the other side. Not the method of a TLS socket: that forgets
    its encryption first, and what its thread writes in between would go out in plain text."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _DROP)
    socket.socket.shutdown(connection, socket.SHUT_RDWR)
