"""What the Models page is laid out with: headings, sections, and the order of Tab. GUI thread."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ui.theme.buttons import RING
from ui.theme.fonts import Role
from ui.theme.theme import Theme


class Heading(QLabel):
    """A title in its role, in any theme and text size."""

    def __init__(self, theme: Theme, text: str, role: Role) -> None:
        super().__init__(text)
        self._theme = theme
        self._role = role
        self.setTextFormat(Qt.TextFormat.PlainText)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(self._theme.font(self._role))
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.colours.text)
        self.setPalette(palette)
        self.setMinimumHeight(self._theme.line_height(self._role))


class Section(QWidget):
    """A heading and what stands below it. It leaves room at both sides for the rings of buttons
    that stand at the edge of the page."""

    def __init__(
        self, heading: QWidget | None, parts: Sequence[QWidget], *, gap: int, above: int = 24
    ) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(RING, above, RING, 0)
        column.setSpacing(0)
        if heading is not None:
            column.addWidget(heading)
            column.addSpacing(gap)
        for part in parts:
            column.addWidget(part)


def focus_in_order(regions: Sequence[QWidget]) -> None:
    """Tab goes from one region to the next, and inside each as its parts are laid out."""
    found = [widget for region in regions for widget in _takers(region)]
    for before, after in pairwise(found):
        QWidget.setTabOrder(before, after)


def _takers(region: QWidget) -> Iterator[QWidget]:
    if region.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield region
    layout = region.layout()
    if layout is None:
        return
    for index in range(layout.count()):
        yield from _inside(layout.itemAt(index))


def _inside(item: object) -> Iterator[QWidget]:
    widget = item.widget() if hasattr(item, "widget") else None
    if widget is not None:
        yield from _takers(widget)
        return
    inner = item.layout() if hasattr(item, "layout") else None
    if inner is not None:
        for index in range(inner.count()):
            yield from _inside(inner.itemAt(index))
