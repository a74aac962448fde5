"""Do the desktop's message buses answer? Asked before Qt is made, which waits for them without a
limit: a bus that hangs would be a window that never comes.

Linux only; no Qt here. Main thread, which waits for at most `_PATIENCE_S`, usually a millisecond.
"""

import ctypes
import os
from collections.abc import MutableMapping
from pathlib import Path
from threading import Thread

_PATIENCE_S = 2.0
_SESSION, _SYSTEM = "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"
_NO_BUS = "disabled:"
"""An address of no kind that the library knows: it gives up at once."""
_BUS = b"org.freedesktop.DBus"
_PATH = b"/org/freedesktop/DBus"


def avoid_silent_ones(environment: MutableMapping[str, str] = os.environ) -> None:
    """From now on nobody in this process waits for a bus that takes calls and answers none."""
    knocks = [_Knock(name, address) for name, address in _addresses(environment).items()]
    for knock in knocks:
        knock.start()
    for knock in knocks:
        knock.join(_PATIENCE_S)
        if knock.is_alive():
            environment[knock.bus] = _NO_BUS


def start_none(environment: MutableMapping[str, str] = os.environ) -> None:
    """Where no session has a bus the library would start one, with files in the person's home, and
    leave it running. Nothing here needs one, and Qt asks for it again and again."""
    if _SESSION not in _addresses(environment):
        environment[_SESSION] = _NO_BUS


def _addresses(environment: MutableMapping[str, str]) -> dict[str, str]:
    """Of each bus that is there, as the library would find it."""
    runtime = Path(environment.get("XDG_RUNTIME_DIR") or "/nowhere")
    usual = {_SESSION: runtime / "bus", _SYSTEM: Path("/run/dbus/system_bus_socket")}
    found = {name: f"unix:path={path}" for name, path in usual.items() if _is_there(path)}
    given = {name: environment[name] for name in usual if environment.get(name)}
    return found | given


def _is_there(path: Path) -> bool:
    """After `su` or `sudo` the runtime folder may be another person's, into which nobody looks."""
    try:
        return path.exists()
    except OSError:
        return False


class _Knock(Thread):
    """Says hello. The library keeps no time limit until a bus has let us in, hence the thread; it
    holds none of the library's common locks meanwhile, so that Qt is not stopped by one."""

    def __init__(self, bus: str, address: str) -> None:
        super().__init__(name="snug-bus", daemon=True)
        self.bus = bus
        self._address = os.fsencode(address)

    def run(self) -> None:
        try:
            library = ctypes.CDLL("libdbus-1.so.3")
        except OSError:  # then Qt finds none either
            return
        for function in _GIVES_POINTERS:
            getattr(library, function).restype = ctypes.c_void_p
        if connection := library.dbus_connection_open_private(self._address, None):
            _say_hello(library, ctypes.c_void_p(connection))


_GIVES_POINTERS = (
    "dbus_connection_open_private",
    "dbus_message_new_method_call",
    "dbus_connection_send_with_reply_and_block",
)


def _say_hello(library: ctypes.CDLL, connection: ctypes.c_void_p) -> None:
    library.dbus_connection_set_exit_on_disconnect(connection, 0)
    hello = ctypes.c_void_p(library.dbus_message_new_method_call(_BUS, _PATH, _BUS, b"Hello"))
    wait_ms = int(_PATIENCE_S * 1000)
    answer = library.dbus_connection_send_with_reply_and_block(connection, hello, wait_ms, None)
    for message in (hello, ctypes.c_void_p(answer)):
        if message:
            library.dbus_message_unref(message)
    library.dbus_connection_close(connection)
    library.dbus_connection_unref(connection)
