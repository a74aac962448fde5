"""The keyboard of the window: which keys do what, in one table, and the order of F6."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

Bindings = Sequence[tuple[str, Callable[[], object]]]

_MAC_ONLY = {"Ctrl+B": "Meta+Ctrl+S"}


def bind(window: QWidget, bindings: Bindings) -> None:
    """Make each of the keys do its work anywhere in `window`."""
    mac = QApplication.platformName() == "cocoa"
    for keys, work in bindings:
        shortcut = QShortcut(QKeySequence(_MAC_ONLY.get(keys, keys) if mac else keys), window)
        shortcut.setObjectName(f"shortcut {keys}")
        shortcut.activated.connect(work)


def order_focus(widgets: Sequence[QWidget]) -> None:
    """The order of Tab, whatever the order in which the widgets were made."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)


def next_region(regions: Sequence[QWidget], focused: QWidget | None) -> QWidget | None:
    """The region after the one that holds the focus; the first, if none does."""
    seen = [region for region in regions if region.isVisible()]
    if not seen:
        return None
    at = next((n for n, region in enumerate(seen) if holds(region, focused)), -1)
    return seen[(at + 1) % len(seen)]


def holds(region: QWidget, focused: QWidget | None) -> bool:
    """Whether the focus is in `region`."""
    return focused is not None and (region is focused or region.isAncestorOf(focused))


def focus_first(region: QWidget) -> None:
    """Give the focus to `region`, or to the first in it that takes it."""
    reason = Qt.FocusReason.ShortcutFocusReason
    if region.focusPolicy() != Qt.FocusPolicy.NoFocus or region.focusProxy() is not None:
        region.setFocus(reason)
        return
    for child in region.findChildren(QWidget):
        if child.isVisible() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
            child.setFocus(reason)
            return


def next_scale(steps: Sequence[int], now: int, direction: int) -> int:
    """The next of the allowed text sizes, in percent."""
    others = [step for step in steps if (step - now) * direction > 0]
    return min(others, key=lambda step: abs(step - now), default=now)
