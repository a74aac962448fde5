"""Thin scroll bars, and blocks that scroll sideways inside their frame. GUI thread."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from ui.chat.ink import Ink

_SHEET = """
QScrollBar {{ background: transparent; border: none; margin: 0; }}
QScrollBar:vertical {{ width: 10px; }}
QScrollBar:horizontal {{ height: 10px; }}
QScrollBar::handle {{ background: {thumb}; border-radius: 4px; margin: 1px; }}
QScrollBar::handle:hover {{ background: {over}; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def style_bar(bar: QScrollBar, ink: Ink) -> None:
    """Thumb only, no arrows."""
    thumb, over = ink.colours.control.name(), ink.colours.line.name()
    bar.setStyleSheet(_SHEET.format(thumb=thumb, over=over))


class SideScroll:
    """A bar at the bottom edge of `owner`, there only while its content is too wide."""

    HEIGHT = 12

    def __init__(self, owner: QWidget, ink: Ink) -> None:
        self._owner = owner
        self._ink = ink
        self._bar: QScrollBar | None = None

    @property
    def offset(self) -> int:
        return self._bar.value() if self._bar else 0

    @property
    def height(self) -> int:
        """What the bar needs at the bottom."""
        return self.HEIGHT if self._bar else 0

    def set_widths(self, content: int, visible: int) -> None:
        """Makes, adjusts or removes the bar."""
        if content <= visible:
            if self._bar:
                self._bar.deleteLater()
                self._bar.hide()
                self._bar = None
            return
        if self._bar is None:
            self._bar = QScrollBar(Qt.Orientation.Horizontal, self._owner)
            self._bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            style_bar(self._bar, self._ink)
            self._bar.valueChanged.connect(self._owner.update)
            self._bar.show()
        self._bar.setRange(0, content - visible)
        self._bar.setPageStep(visible)
        self._bar.setSingleStep(40)

    def place(self, x: int, bottom: int, width: int) -> None:
        if self._bar:
            self._bar.setGeometry(x, bottom - self.HEIGHT, width, 10)

    def wheel(self, event: QWheelEvent) -> None:
        """Takes sideways wheels; the others go on to the column."""
        delta = event.angleDelta()
        sideways = delta.x() or (
            delta.y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0
        )
        if self._bar and sideways and abs(sideways) >= abs(delta.y()):
            self._bar.setValue(self._bar.value() - sideways // 2)
            event.accept()
        else:
            event.ignore()

    def step(self, pixels: int) -> bool:
        """Moves by `pixels`; False when there is nothing to scroll."""
        if self._bar is None:
            return False
        self._bar.setValue(self._bar.value() + pixels)
        return True
