"""The type roles of the design, as fonts of the system. Sizes are pixels, so no system differs."""

from dataclasses import dataclass
from enum import Enum

from PySide6.QtGui import QFont, QFontDatabase


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """`px` and `line` at 100 % text size."""

    px: int
    line: int
    weight: QFont.Weight = QFont.Weight.Normal
    mono: bool = False


class Role(Enum):
    DISPLAY = Style(px=36, line=44, weight=QFont.Weight.DemiBold)
    PAGE_TITLE = Style(px=24, line=32, weight=QFont.Weight.DemiBold)
    TITLE = Style(px=18, line=24, weight=QFont.Weight.DemiBold)
    HEADING = Style(px=15, line=20, weight=QFont.Weight.DemiBold)
    READING = Style(px=16, line=26)
    CELL = Style(px=15, line=22)
    CELL_HEAD = Style(px=13, line=18, weight=QFont.Weight.DemiBold)
    CONTROL = Style(px=14, line=20)
    BUTTON = Style(px=14, line=20, weight=QFont.Weight.Medium)
    SECOND = Style(px=13, line=18)
    CAPTION = Style(px=12, line=16)
    LABEL = Style(px=12, line=16, weight=QFont.Weight.DemiBold)
    CODE = Style(px=14, line=22, mono=True)


def font(role: Role, scale_percent: int = 100) -> QFont:
    """The font of `role` at a text size of `scale_percent`."""
    style = role.value
    system = (
        QFontDatabase.SystemFont.FixedFont if style.mono else QFontDatabase.SystemFont.GeneralFont
    )
    made = QFontDatabase.systemFont(system)
    made.setPixelSize(round(style.px * scale_percent / 100))
    made.setWeight(style.weight)
    return made


def line_height(role: Role, scale_percent: int = 100) -> int:
    """Line height in pixels."""
    return round(role.value.line * scale_percent / 100)
