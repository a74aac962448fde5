"""The type roles of the design, as fonts of the system. Sizes are pixels, so no system differs."""

import sys
from dataclasses import dataclass
from enum import Enum

from PySide6.QtGui import QFont, QFontDatabase

_NO_DESKTOP_FONT = {"", "Sans", "Sans Serif", "sans-serif", "Monospace", "monospace"}
"""What Qt names where no desktop has chosen a font."""
_LATIN = ("Inter", "Noto Sans", "DejaVu Sans")
_MONO = {
    "win32": ("Cascadia Mono", "Consolas"),
    "darwin": ("Menlo",),
    "linux": ("Noto Sans Mono", "DejaVu Sans Mono"),
}
_CHINESE = {
    "win32": ("Microsoft YaHei UI",),
    "darwin": ("PingFang SC",),
    "linux": ("Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei"),
}


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
    QUOTE = Style(px=15, line=24)
    CELL = Style(px=15, line=22)
    CELL_HEAD = Style(px=13, line=18, weight=QFont.Weight.DemiBold)
    CONTROL = Style(px=14, line=20)
    BUTTON = Style(px=14, line=20, weight=QFont.Weight.Medium)
    SECOND = Style(px=13, line=18)
    CAPTION = Style(px=12, line=16)
    BADGE = Style(px=12, line=16, weight=QFont.Weight.Medium)
    LABEL = Style(px=12, line=16, weight=QFont.Weight.DemiBold)
    CODE = Style(px=14, line=22, mono=True)


def _for_system(families: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    return families.get(sys.platform, families["linux"])


def _families(system: str, *, mono: bool, chinese: bool) -> list[str]:
    """In order of preference. Chinese first where it is read, so that “ ” and …… are full width."""
    if system in _NO_DESKTOP_FONT or mono:
        latin: tuple[str, ...] = _for_system(_MONO) if mono else _LATIN
    else:
        latin = (system,)
    han = _for_system(_CHINESE)
    return [*han, *latin] if chinese and not mono else [*latin, *han]


def _weight(weight: QFont.Weight, *, chinese: bool) -> QFont.Weight:
    if not chinese:
        return weight
    return QFont.Weight.Bold if weight >= QFont.Weight.DemiBold else QFont.Weight.Normal


def font(role: Role, scale_percent: int = 100, *, chinese: bool = False) -> QFont:
    """The font of `role` at a text size of `scale_percent`."""
    style = role.value
    system = (
        QFontDatabase.SystemFont.FixedFont if style.mono else QFontDatabase.SystemFont.GeneralFont
    )
    made = QFontDatabase.systemFont(system)
    made.setFamilies(_families(made.family(), mono=style.mono, chinese=chinese))
    made.setPixelSize(round(style.px * scale_percent / 100))
    made.setWeight(_weight(style.weight, chinese=chinese))
    return made


def line_height(role: Role, scale_percent: int = 100) -> int:
    """Line height in pixels."""
    return round(role.value.line * scale_percent / 100)
