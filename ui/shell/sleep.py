"""Tells when the computer is about to sleep, so that memory can be given back before.

Linux: logind's signal over D-Bus. Windows: a message of the window system. Elsewhere, and where
these are missing, a clock notices afterwards that time has jumped. GUI thread; absence of all of
them is no error.
"""

import ctypes
import logging
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractNativeEventFilter,
    QByteArray,
    QObject,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection

log = logging.getLogger("snug.sleep")

LOOK_EVERY_MS = 10_000
JUMP_S = 30.0
"""More than a busy computer or a corrected clock makes of one look."""

_SERVICE = "org.freedesktop.login1"
_PATH = "/org/freedesktop/login1"
_INTERFACE = "org.freedesktop.login1.Manager"
_SIGNAL = "PrepareForSleep"
_SLOT: Any = "1logind(bool)"
"""As Qt's SLOT macro writes it. PySide6 takes text here, and its stub says bytes."""

_WM_POWERBROADCAST = 0x0218
_PBT_APMSUSPEND = 0x0004


class JumpClock:
    """Notices that the wall clock ran ahead: Python's monotonic clock stands still in a sleep (on
    Linux and macOS), the wall clock does not. A process that was merely held up is no sleep."""

    def __init__(self, wall: Callable[[], float], running: Callable[[], float]) -> None:
        self._wall = wall
        self._running = running
        self._last = (wall(), running())

    def jumped(self) -> bool:
        """Whether the computer slept since the last call."""
        now = (self._wall(), self._running())
        wall_s, running_s = (new - old for new, old in zip(now, self._last, strict=True))
        self._last = now
        return wall_s - running_s > JUMP_S


class Sleep(QObject):
    """Emits `about_to_sleep`: before a sleep, or just after waking where only the clock tells."""

    about_to_sleep = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        wall: Callable[[], float] = time.time,
        running: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._clock = JumpClock(wall, running)
        self._told = False
        self._filter: _PowerMessages | None = None
        self._bus: QDBusConnection | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._timer.setInterval(LOOK_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def begin(self) -> None:
        """From here on, listen to the system, and to the clock: a bus without logind is silent."""
        try:
            heard = self._listen()
        except Exception:  # a broken bus must not cost the window
            log.exception("the system can not be listened to")
            heard = False
        log.info("sleep is told by %s", "the system" if heard else "the clock")
        self._timer.start()

    def end(self) -> None:
        self._timer.stop()
        app = QApplication.instance()
        if self._filter is not None and app is not None:
            app.removeNativeEventFilter(self._filter)
            self._filter = None
        if self._bus is not None:
            self._bus.disconnect(_SERVICE, _PATH, _INTERFACE, _SIGNAL, self, _SLOT)
            self._bus = None

    def _listen(self) -> bool:
        if sys.platform == "win32":
            return self._listen_to_windows()
        return sys.platform == "linux" and self._listen_to_logind()

    def _listen_to_logind(self) -> bool:
        try:
            from PySide6.QtDBus import QDBusConnection  # noqa: PLC0415 - optional, and not needed early
        except ImportError:
            return False
        bus = QDBusConnection.systemBus()
        if not bus.isConnected():
            return False
        if not bus.connect(_SERVICE, _PATH, _INTERFACE, _SIGNAL, self, _SLOT):
            return False
        self._bus = bus
        return True

    def _listen_to_windows(self) -> bool:
        app = QApplication.instance()
        if app is None:
            return False
        self._filter = _PowerMessages(self.prepare)
        app.installNativeEventFilter(self._filter)
        return True

    # --- what is heard -------------------------------------------------------------------------

    @Slot(bool)
    def logind(self, begins: bool) -> None:
        """logind's signal: True before a sleep, False after it."""
        if begins:
            self.prepare()

    def prepare(self) -> None:
        """The system says that it will sleep now."""
        self._told = True
        self.about_to_sleep.emit()

    def look(self) -> None:
        """The clock's turn. A sleep that the system has told of is not told again."""
        if self._clock.jumped():
            told, self._told = self._told, False
            if not told:
                self.about_to_sleep.emit()


class _PowerMessages(QAbstractNativeEventFilter):
    """Windows sends WM_POWERBROADCAST to every top-level window before it suspends."""

    def __init__(self, suspends: Callable[[], None]) -> None:
        super().__init__()
        self._suspends = suspends

    def nativeEventFilter(
        self, event_type: QByteArray | bytes | bytearray | memoryview, message: int
    ) -> tuple[bool, int]:
        kind = event_type.data() if isinstance(event_type, QByteArray) else event_type
        if bytes(kind) == b"windows_generic_MSG" and _suspends(int(message)):
            self._suspends()
        return False, 0


class _Msg(ctypes.Structure):
    """The head of Windows' MSG structure."""

    _fields_ = (
        ("hwnd", ctypes.c_void_p),
        ("message", ctypes.c_uint),
        ("w_param", ctypes.c_size_t),
    )


def _suspends(address: int) -> bool:
    message = _Msg.from_address(address)
    return (message.message, message.w_param) == (_WM_POWERBROADCAST, _PBT_APMSUSPEND)
