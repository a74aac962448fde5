"""What a screen reader says by itself, politely. Costs nothing while none is listening."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

_LONGEST = 20_000


def announce(widget: QWidget, words: str) -> None:
    """Say `words` once."""
    if words and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words[:_LONGEST]))
