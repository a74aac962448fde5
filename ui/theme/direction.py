"""Margins that follow the direction of reading; Qt mirrors layouts, but not their margins."""

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QGuiApplication


def margins(lead: int, top: int, trail: int, bottom: int) -> QMargins:
    """`lead` is where a line begins: left in English, right in Arabic."""
    if QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft:
        return QMargins(trail, top, lead, bottom)
    return QMargins(lead, top, trail, bottom)
