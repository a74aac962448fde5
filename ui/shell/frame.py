"""Sidebar and page side by side; in a narrow window the sidebar opens over the page."""

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.theme.theme import Theme

WIDE_FROM = 920


class Scrim(QWidget):
    """The veil over the page while the sidebar lies over it; a click takes it away."""

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("scrim")
        self.hide()

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        self.clicked.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colours.scrim)
        painter.end()


class Frame(QWidget):
    """Places the two parts. In a wide window the person's choice holds until 920 is crossed."""

    sidebar_changed = Signal(bool)
    """The sidebar is shown beside the page: True. Hidden, or over it: False."""

    def __init__(self, theme: Theme, sidebar: QWidget, page: QWidget) -> None:
        super().__init__()
        self._sidebar = sidebar
        self._page = page
        self._scrim = Scrim(theme, self)
        self._wide = True
        self._open = True
        page.setParent(self)
        self._scrim.raise_()
        sidebar.setParent(self)
        self._scrim.clicked.connect(self.close_overlay)

    @property
    def is_wide(self) -> bool:
        return self._wide

    @property
    def overlay_open(self) -> bool:
        return self._open and not self._wide

    def set_open(self, is_open: bool) -> None:
        """Show or hide the sidebar, beside the page or over it."""
        self._open = is_open
        self._arrange()

    def toggle(self) -> None:
        self.set_open(not self._open)

    def close_overlay(self) -> None:
        if self.overlay_open:
            self.set_open(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= WIDE_FROM
        if wide != self._wide:
            self._wide = wide
            self._open = wide
        self._arrange()

    def _arrange(self) -> None:
        beside = self._open and self._wide
        width = self._sidebar.width()
        self._sidebar.setVisible(self._open)
        self._scrim.setVisible(self.overlay_open)
        self._scrim.setGeometry(self.rect())
        start = width if beside else 0
        self._place(self._sidebar, QRect(0, 0, width, self.height()))
        self._place(self._page, QRect(start, 0, self.width() - start, self.height()))
        self.sidebar_changed.emit(beside)

    def _place(self, widget: QWidget, box: QRect) -> None:
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            box.moveLeft(self.width() - box.right() - 1)
        widget.setGeometry(box)
