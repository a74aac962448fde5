"""Starts the window and ends it: the only place that owns the QApplication.

The window is painted before anything else is even imported: services, conversations, the model.
"""

import gc
import logging
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app import settings
from app.errors import NotWritable, StorageError
from app.instance import only_instance
from app.paths import Paths
from app.settings import Settings
from app.show_request import ShowRequests, ask_to_show
from ui import display
from ui.shell import languages
from ui.shell.ending import Ending, SystemSignals
from ui.shell.handed import Application, Handed
from ui.shell.window import Window
from ui.theme.icons import logo
from ui.theme.theme import Theme

if TYPE_CHECKING:
    from app.container import Container
    from ui.shell.workbench import Workbench

log = logging.getLogger("snug.window")

_NOT_ALLOWED = 7
"""As in the command line's exit codes."""


class Services(QObject):
    """Imports and builds what stands behind the window, on a thread of its own."""

    ready = Signal()

    def __init__(self, paths: Paths, told: StorageError | None = None) -> None:
        """`told` is what the person hears of as soon as there is a window for it."""
        super().__init__()
        self._paths = paths
        self.told = told
        self._thread = threading.Thread(target=self._build, name="snug-start", daemon=True)
        self.container: Container | None = None
        self.error: StorageError | None = None

    def begin(self) -> None:
        self._thread.start()

    def _build(self) -> None:
        from app import container, logs  # noqa: PLC0415 - the first painting does not wait for it
        from ui.shell import workbench  # noqa: F401, PLC0415 - imported here, used below

        logs.start(self._paths)
        try:
            self.container = container.build(self._paths)
        except StorageError as error:
            self.error = error
        except Exception as error:  # whatever it is, the person must hear of it
            log.exception("the services could not be built")
            self.error = StorageError(self._paths.data, f"{type(error).__name__}: {error}")
        self.ready.emit()

    def close(self, timeout_s: float) -> bool:
        """End what has begun. Not on the GUI thread. False if it took too long."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return self.container is None or self.container.close(timeout_s)


class _StillBusyError(Exception):
    """A thread is in native code and can not be waited for."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def run(paths: Paths, files: Sequence[Path] = ()) -> int:
    """Show the window until it is closed, and offer to add `files`. Returns the exit code."""
    qInstallMessageHandler(_log_qt)
    try:
        return _run(paths, files)
    except _StillBusyError as busy:  # what was borrowed has been given back by now
        os._exit(busy.code)


def _run(paths: Paths, files: Sequence[Path]) -> int:
    try:
        with only_instance(paths.data) as first:
            if first:
                return _run_first(paths, files)
    except NotWritable as error:
        return _run_borrowed(paths, files, error)
    except StorageError as error:
        return _could_not_start(application(), error)
    ask_to_show(paths.data, files)
    print("Snug is open already; its window comes to the front.")
    return 0


def application() -> QApplication:
    with display.made_certain():
        app = QApplication.instance() or Application(sys.argv[:1])
    assert isinstance(app, QApplication)  # noqa: S101 - ours, or a test's
    app.setStyle("Fusion")
    app.setApplicationName("Snug")
    app.setDesktopFileName("snug")
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(QIcon(logo(64, 1.0)))
    return app


def _run_borrowed(paths: Paths, files: Sequence[Path], reason: NotWritable) -> int:
    """Answers, where nothing can be kept, are better than none."""
    from app.borrowed import borrowed  # noqa: PLC0415 - rare

    try:
        with borrowed(paths) as place:
            return _run_first(place, files, reason)
    except OSError:
        return _could_not_start(application(), reason)


def _run_first(paths: Paths, files: Sequence[Path], told: StorageError | None = None) -> int:
    gc.disable()  # before another thread runs: see `litter`, which collects from later on
    requests = ShowRequests(paths.data)  # first, so that nobody asks in vain
    app = application()
    handed = Handed(app, requests, files)
    kept = Settings(paths.settings)
    window = Window(_theme(app, kept), kept)
    services = Services(paths, told)
    ending = Ending(services.close)
    signals = SystemSignals()
    # Queued: a signal may arrive in the middle of painting.
    signals.asked_to_end.connect(window.close, Qt.ConnectionType.QueuedConnection)
    window.closing.connect(ending.begin, Qt.ConnectionType.QueuedConnection)
    ending.over.connect(app.quit, Qt.ConnectionType.QueuedConnection)
    window.painted.connect(services.begin, Qt.ConnectionType.QueuedConnection)
    benches: list[Workbench] = []
    services.ready.connect(lambda: _bring_to_life(window, services, benches, handed))
    handed.asked.connect(lambda: _come_forward(window))
    window.closing.connect(handed.end)
    handed.watch()
    window.show()
    app.exec()
    ending.wait()
    return _end(services, ending, benches)


def _bring_to_life(
    window: Window, services: Services, benches: "list[Workbench]", handed: Handed
) -> None:
    from ui.shell.litter import Litter  # noqa: PLC0415 - not before the first painting
    from ui.shell.workbench import Workbench  # noqa: PLC0415 - imported by now, on its thread

    if services.container is None:
        window.hide()
        if services.error is not None:
            _could_not_start(application(), services.error)
        window.close()
        return
    if window.isHidden():  # closed before it could do anything
        return
    bench = Workbench(window, services.container)
    Litter(window).begin()
    _watch_sleep(window, services.container)
    benches.append(bench)
    _report_unhandled(bench)
    bench.begin()
    if services.told is not None:
        _tell_above(window, services.told)
    handed.bring_to(bench.bringing.bring)


def _tell_above(window: Window, error: StorageError) -> None:
    from ui import messages  # noqa: PLC0415 - rare

    log.warning("nothing is kept: %s", error)
    window.page.banner.put("not_kept", messages.of_nothing_kept(error))


def _end(services: Services, ending: Ending, benches: "list[Workbench]") -> int:
    for bench in benches:
        bench.bridge.close()
    if not ending.clean:
        log.warning("the engine did not end in time")
    logging.shutdown()
    code = _NOT_ALLOWED if services.error else 0
    if not ending.clean:
        raise _StillBusyError(code)
    return code


def _theme(app: QApplication, kept: Settings) -> Theme:
    chinese = languages.install(app, kept.get(settings.LANGUAGE))
    choice = kept.get(settings.THEME)
    scale = kept.get(settings.TEXT_SCALE_PERCENT)
    return Theme(choice, scale, chinese=chinese)  # type: ignore[arg-type]


def _watch_sleep(window: Window, container: "Container") -> None:
    """Not every graphics card keeps a model through a sleep, and others may need the memory."""
    from ui.shell.sleep import Sleep  # noqa: PLC0415 - not before the first painting

    sleep = Sleep(window)
    sleep.about_to_sleep.connect(container.suspend)
    window.closing.connect(sleep.end)
    sleep.begin()


def _come_forward(window: Window) -> None:
    if window.isMinimized():
        window.showNormal()
    window.raise_()
    window.activateWindow()


def _could_not_start(app: QApplication, error: StorageError) -> int:
    """The person's data can not be opened: say why, and leave it as it is."""
    app.setQuitOnLastWindowClosed(True)
    from ui import messages  # noqa: PLC0415 - rare
    from ui.shell import dialogs  # noqa: PLC0415 - rare

    log.error("could not start: %s", error)
    message = messages.of_error(error)
    dialog = dialogs.tell(Theme(), message.title, message.sentence, message.details)
    dialog.exec()
    return _NOT_ALLOWED


def _report_unhandled(bench: "Workbench") -> None:
    """What nobody expected goes to the log, and to the person in plain words."""

    def report(error: BaseException, trace: TracebackType | None) -> None:
        log.critical("unhandled", exc_info=(type(error), error, trace))
        if isinstance(error, Exception):
            bench.bridge.call(lambda: bench.stage.show_trouble(error))

    sys.excepthook = lambda _kind, error, trace: report(error, trace)
    threading.excepthook = lambda told: report(
        told.exc_value or RuntimeError(str(told.exc_type)), told.exc_traceback
    )


def _log_qt(_kind: object, _context: object, text: str) -> None:
    logging.getLogger("snug.qt").warning("%s", text)
