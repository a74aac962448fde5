"""Starts the window and ends it: the only place that owns the QApplication.

The window is built and painted before the conversations are read or the model is loaded.
"""

import logging
import os
import sys
import threading
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app import container, logs, settings
from app.container import Container
from app.errors import StorageError
from app.instance import only_instance
from app.paths import Paths
from app.show_request import ShowRequests, ask_to_show
from ui import messages
from ui.bridge import Bridge
from ui.shell import dialogs, languages
from ui.shell.ending import Ending, SystemSignals
from ui.shell.window import Window
from ui.theme.icons import logo
from ui.theme.theme import Theme

log = logging.getLogger("snug.window")

_LOOK_EVERY_MS = 1000


def run(paths: Paths) -> int:
    """Show the window until it is closed. Returns the exit code."""
    logs.start(paths)
    qInstallMessageHandler(_log_qt)
    try:
        with only_instance(paths.data) as first:
            if first:
                return _run_first(paths)
    except StorageError as error:
        return _could_not_start(error)
    ask_to_show(paths.data)
    print("Snug is open already; its window comes to the front.")
    return 0


def _application() -> QApplication:
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)  # noqa: S101 - ours, or a test's
    app.setStyle("Fusion")
    app.setApplicationName("Snug")
    app.setDesktopFileName("snug")
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(QIcon(logo(256, 1.0)))
    return app


def _run_first(paths: Paths) -> int:
    app = _application()
    made = container.build(paths)
    bridge = Bridge(made.events, made.worker)
    theme = _theme(app, made)
    window = Window(made, bridge, theme)
    ending = Ending(made.close)
    signals = SystemSignals()
    signals.asked_to_end.connect(window.close)
    window.closing.connect(ending.begin)
    ending.over.connect(app.quit, Qt.ConnectionType.QueuedConnection)
    window.painted.connect(window.begin, Qt.ConnectionType.QueuedConnection)
    _watch_for_second_start(window, ShowRequests(paths.data))
    _report_unhandled(bridge, window)
    window.show()
    app.exec()
    bridge.close()
    if not ending.clean:
        log.warning("the engine did not end in time")
    logging.shutdown()
    if not ending.clean:
        os._exit(0)  # a thread in native code can not be waited for
    return 0


def _theme(app: QApplication, made: Container) -> Theme:
    kept = made.settings
    chinese = languages.install(app, kept.get(settings.LANGUAGE))
    choice = kept.get(settings.THEME)
    scale = kept.get(settings.TEXT_SCALE_PERCENT)
    return Theme(choice, scale, chinese=chinese)  # type: ignore[arg-type]


def _watch_for_second_start(window: Window, requests: ShowRequests) -> None:
    timer = QTimer(window)
    timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
    timer.timeout.connect(lambda: _come_forward(window) if requests.pending() else None)
    timer.start(_LOOK_EVERY_MS)


def _come_forward(window: Window) -> None:
    if window.isMinimized():
        window.showNormal()
    window.raise_()
    window.activateWindow()


def _could_not_start(error: StorageError) -> int:
    """The person's data can not be opened: say why, and leave it as it is."""
    app = _application()
    log.error("could not start: %s", error)
    languages.install(app, "system")
    message = messages.of_error(error)
    dialog = dialogs.tell(Theme(), message.title, message.sentence, message.details)
    dialog.finished.connect(app.quit)
    signals = SystemSignals()
    signals.asked_to_end.connect(dialog.reject)
    app.exec()
    return _STORAGE_CODE


_STORAGE_CODE = 7
"""Of the command line's exit codes: not allowed."""


def _report_unhandled(bridge: Bridge, window: Window) -> None:
    """What nobody expected goes to the log, and to the person in plain words."""

    def report(error: BaseException, trace: TracebackType | None) -> None:
        log.critical("unhandled", exc_info=(type(error), error, trace))
        if isinstance(error, Exception):
            bridge.call(lambda: window.stage.show_trouble(error))

    sys.excepthook = lambda _kind, error, trace: report(error, trace)
    threading.excepthook = lambda told: report(
        told.exc_value or RuntimeError(str(told.exc_type)), told.exc_traceback
    )


def _log_qt(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    level = logging.INFO if kind in {QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg} else logging.WARNING
    logging.getLogger("snug.qt").log(level, "%s", text)
