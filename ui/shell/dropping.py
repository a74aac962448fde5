"""Files that are dropped anywhere on the window: its edge turns to the accent and says so.

It looks at nothing and opens nothing; paths go to whoever adds models. GUI thread.
"""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_MOST = 200
"""Whoever drops more drops a folder."""


def local_paths(data: QMimeData) -> list[Path]:
    """The files and folders of this computer in `data`."""
    urls = data.urls() if data.hasUrls() else []
    return [Path(url.toLocalFile()) for url in urls[:_MOST] if url.isLocalFile()]


class DropEdge(QWidget):
    """Lies over the window while files are carried over it, and lets everything through."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self.setObjectName("dropEdge")
        self.setAccessibleName(translate("Drop", "Drop to add"))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def appear(self) -> None:
        self.setGeometry(self.window().rect())
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c.accent, 4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 6, 6)
        words = self.accessibleName()
        painter.setFont(self._theme.font(Role.BUTTON))
        width = painter.fontMetrics().horizontalAdvance(words) + 40
        height = self._theme.px(40)
        pill = QRectF((self.width() - width) / 2, self.height() - height - 48, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.accent)
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.setPen(c.on_accent)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
        painter.end()


class Dropping(QObject):
    """Watches a window. Fields of one line would take a file for a text, so they take no drops."""

    dropped = Signal(list)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._edge = DropEdge(theme, window)
        window.setAcceptDrops(True)
        for field in window.findChildren(QLineEdit):
            field.setAcceptDrops(False)
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        match event:
            case QDropEvent() if event.type() == QEvent.Type.Drop:
                return self._drop(event)
            case QDragEnterEvent() | QDragMoveEvent():
                return self._carry(event)
        if event.type() == QEvent.Type.DragLeave:
            self._edge.hide()
        return False

    def _carry(self, event: QDragEnterEvent | QDragMoveEvent) -> bool:
        if not local_paths(event.mimeData()):
            return False
        if self._edge.isHidden():
            self._edge.appear()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        return True

    def _drop(self, event: QDropEvent) -> bool:
        self._edge.hide()
        paths = local_paths(event.mimeData())
        if not paths:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.dropped.emit(paths)
        return True
