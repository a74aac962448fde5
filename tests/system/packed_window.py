"""The real window that trusts a test's keys for packs, driven as `tests.hands` drives one.

PACKED_KEYS are the keys as in `packed.py`; PACKED_OPEN, a JSON list, is what it is started with.
With PACKED_TRIAL, trying a pack does not end by itself.
"""

import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFileOpenEvent
from PySide6.QtWidgets import QApplication, QLabel

from app import packs
from engine.errors import Cancelled
from engine.types.cancel import CancelToken
from tests.hands import inside
from tests.hands.outside import RealWindow
from tests.system import packed

_NO_KEYS = Qt.KeyboardModifier.NoModifier


class PackedWindow(RealWindow):
    """Started with `opened` handed over to it."""

    module = "tests.system.packed_window"

    def __init__(self, environment: Mapping[str, str], opened: Sequence[Path] = ()) -> None:
        super().__init__(**{**environment, "PACKED_OPEN": json.dumps([*map(str, opened)])})

    def drop(self, *paths: Path) -> None:
        self.do("drop", paths=[str(path) for path in paths])

    def sees(self, widget: str, timeout_s: float = 60) -> None:
        self.until(lambda: self.do("shown", widget=widget), f"no {widget}", timeout_s)

    @property
    def said(self) -> str:
        """All words of the dialog."""
        return str(self.do("words", widget="packDialog"))


class PackHands(inside.Hands):
    """And two ways in which files come."""

    def drop(self, paths: list[str]) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(path) for path in paths])
        window, left = inside.find("window"), Qt.MouseButton.LeftButton
        place, copy = QPoint(300, 300), Qt.DropAction.CopyAction
        QApplication.sendEvent(window, QDragEnterEvent(place, copy, data, left, _NO_KEYS))
        QApplication.sendEvent(window, QDropEvent(QPointF(place), copy, data, left, _NO_KEYS))

    def file_open(self, path: str) -> None:
        """As macOS tells it."""
        app = QApplication.instance()
        assert app is not None
        QApplication.sendEvent(app, QFileOpenEvent(path))

    def words(self, widget: str) -> str:
        labels = inside.find(widget).findChildren(QLabel)
        return "\n".join(label.text() for label in labels if label.isVisible())

    def focused(self) -> str:
        found = QApplication.focusWidget()
        return found.objectName() if found is not None else ""


def stand_still(_plugin: object, cancel: CancelToken) -> dict[str, object]:
    stopped = threading.Event()
    cancel.on_cancel(stopped.set)
    stopped.wait()
    raise Cancelled


def main() -> int:
    packed.trust(os.environ["PACKED_KEYS"])
    if os.environ.get("PACKED_TRIAL"):
        packs._probe = stand_still
    opened = json.loads(os.environ["PACKED_OPEN"])
    from ui.main import main as snug
    from ui.shell.application import application

    application()
    pipe = inside.Pipe(PackHands())
    code = snug(["--open", *opened] if opened else [])
    assert pipe
    return code


if __name__ == "__main__":
    sys.exit(main())
