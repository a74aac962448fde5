"""Fonts, text formats and lengths of one theme at one text size. GUI thread.

Made anew when the theme or the text size changes, so nothing in it is ever stale.
"""

from functools import cache

from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat

from ui.chat.nodes import Mark
from ui.theme.colours import Colours
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_HEADINGS = {1: Role.TITLE}


_CHINESE = (
    "Microsoft YaHei UI",
    "PingFang SC",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
)


def is_chinese(text: str) -> bool:
    """Whether a Chinese font should come first: Han characters, and no kana or hangul."""
    if text.isascii():
        return False
    other = any("\u3040" <= c <= "\u30ff" or "\uac00" <= c <= "\ud7af" for c in text)
    return not other and any("\u4e00" <= c <= "\u9fff" for c in text)


class Ink:
    """Cached: a block of text asks for the same few fonts hundreds of times."""

    def __init__(self, theme: Theme) -> None:
        self.colours: Colours = theme.colours
        self.contrast = theme.name == "hc"
        self.scale_percent = theme.scale_percent
        self._theme_font = theme.font
        self.font = cache(self._font)
        self.line = cache(theme.line_height)
        self.metrics = cache(self._metrics)
        self.format = cache(self._format)
        self.px = theme.px
        self.mono_width = self.metrics(Role.CODE).horizontalAdvance("0")

    @staticmethod
    def heading(level: int) -> Role:
        return _HEADINGS.get(level, Role.HEADING)

    def _metrics(self, role: Role) -> QFontMetricsF:
        return QFontMetricsF(self.font(role))

    def _font(self, role: Role, chinese: bool = False) -> QFont:
        """The font of `role`; in Chinese text its quotes and dots are as wide as its letters."""
        made = self._theme_font(role)
        if chinese and not role.value.mono:
            made.setFamilies([*_CHINESE, *made.families()])
        return made

    def _format(self, role: Role, marks: Mark, link: bool, chinese: bool) -> QTextCharFormat:
        """Format of a span within text of `role`."""
        made = QTextCharFormat()
        made.setFont(self._marked_font(role, marks, chinese))
        if link:
            made.setForeground(self.colours.accent)
            made.setFontUnderline(True)
        return made

    def _marked_font(self, role: Role, marks: Mark, chinese: bool) -> QFont:
        font = QFont(self.font(role, chinese))
        if marks & Mark.CODE:
            size = font.pixelSize()
            font = QFont(self.font(Role.CODE))
            font.setPixelSize(round(size * 0.9))
        if marks & Mark.BOLD:
            font.setWeight(QFont.Weight.DemiBold)
        font.setItalic(bool(marks & Mark.ITALIC))
        font.setStrikeOut(bool(marks & Mark.STRIKE))
        return font

    def selection(self) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setBackground(self.colours.accent)
        made.setForeground(self.colours.on_accent)
        return made

    def code_colour(self, kind: str) -> QColor:
        """Colour of a code token: "key", "str", "num", "com", "fn" or ""."""
        colour: QColor = getattr(self.colours, f"c_{kind}") if kind else self.colours.text
        return colour
