"""Marked text laid out in lines of one height. GUI thread.

A bare QTextLayout: there is no document, so nothing in a text can name a resource to load.
"""

from unicodedata import bidirectional

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from ui.chat.ink import Ink, is_chinese
from ui.chat.nodes import Mark, Text
from ui.chat.plain import units
from ui.theme.fonts import Role

Range = tuple[int, int]


def _is_cjk(text: str) -> bool:
    return any("\u2e80" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in text)


def format_range(start: int, end: int, form: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, end - start, form
    return made


def common_length(old: Text, new: Text) -> int:
    """How many leading characters look the same in both."""
    length = min(len(old.text), len(new.text))
    if old.text[:length] != new.text[:length]:
        low = 0
        while low < length:
            middle = (low + length + 1) // 2
            low, length = (
                (middle, length) if old.text[:middle] == new.text[:middle] else (low, middle - 1)
            )
    for a, b in zip(old.spans, new.spans, strict=False):
        if a != b:
            return min(length, a.start, b.start)
    for rest in (old.spans[len(new.spans) :], new.spans[len(old.spans) :]):
        if rest:
            return min(length, rest[0].start)
    return length


class TextRun:
    """One text. `lay_out` it after every change; positions are UTF-16 units."""

    def __init__(self, ink: Ink, role: Role = Role.READING) -> None:
        self._ink = ink
        self._role = role
        self._text = Text("")
        self._layout = QTextLayout()
        self._layout.setCacheEnabled(True)
        self._chinese = False
        self._is_right: bool | None = None
        self._code: list[QRectF] | None = None
        self._formats = False
        self.links: list[tuple[int, int, str]] = []
        self.width = 0.0
        self.natural_width = 0.0
        self.height = 0

    def _option(self) -> QTextOption:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
        option = QTextOption(right if self.right_to_left else Qt.AlignmentFlag.AlignLeft)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setTabStopDistance(32)
        return option

    @property
    def line_height(self) -> int:
        return self._ink.line(self._role)

    def set_text(self, text: Text) -> None:
        self._text = text
        self._layout.setText(text.text.replace("\n", "\u2028"))
        self._chinese = is_chinese(text.text)
        self._layout.setFont(self._ink.font(self._role, self._chinese))
        if self.right_to_left != self._is_right or not text.text:
            self._is_right = self.right_to_left
            self._layout.setTextOption(self._option())
        if text.spans or self._formats:
            self._layout.setFormats(self._ranges())
        self._code = None

    def _ranges(self) -> list[QTextLayout.FormatRange]:
        text, made = self._text.text, []
        self.links = []
        narrow = text.isascii() or max(text) <= "\uffff"
        for span in self._text.spans:
            shift = 0 if narrow else units(text[: span.start]) - span.start
            start, part = span.start + shift, text[span.start : span.end]
            end = start + (len(part) if narrow else units(part))
            marks = span.marks
            if marks & Mark.ITALIC and _is_cjk(part):
                marks &= ~Mark.ITALIC
            made.append(
                format_range(
                    start, end, self._ink.format(self._role, marks, bool(span.href), self._chinese)
                )
            )
            if span.href:
                self.links.append((start, end, span.href))
        self._formats = bool(made)
        return made

    def lay_out(self, width: float) -> None:
        """Breaks into lines no wider than `width` pixels."""
        self.width = width
        line_height, metrics = self.line_height, self._ink.metrics(self._role)
        baseline = (line_height - metrics.height()) / 2 + metrics.ascent()
        layout, y, widest = self._layout, 0.0, 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, y + baseline - line.ascent()))
            widest = max(widest, line.naturalTextWidth())
            y += line_height
        layout.endLayout()
        self.natural_width = widest
        self.height = max(round(y), line_height)
        self._code = None

    def lines(self) -> int:
        return self._layout.lineCount()

    def replace(self, text: Text) -> float:
        """Sets `text`, lays it out, and returns the y from which it looks different."""
        same = units(self._text.text[: common_length(self._text, text)])
        before = [self._line(i).textStart() for i in range(self.lines())]
        self.set_text(text)
        self.lay_out(self.width)
        first = self._layout.lineForTextPosition(max(0, same - 1))
        at = first.lineNumber() if first.isValid() else 0
        for i in range(min(at, len(before))):
            if before[i] != self._line(i).textStart():
                return i * self.line_height
        return min(at, max(0, len(before) - 1)) * float(self.line_height)

    def _line(self, index: int) -> QTextLine:
        return self._layout.lineAt(index)

    # --- asking -------------------------------------------------------------------------------

    def position_at(self, point: QPointF) -> int:
        """Text position nearest to `point`."""
        if not self.lines():
            return 0
        index = min(max(0, int(point.y() // self.line_height)), self.lines() - 1)
        return int(_first(self._line(index).xToCursor(point.x())))

    def link_at(self, point: QPointF) -> str:
        index = int(point.y() // self.line_height)
        if not self.links or not 0 <= index < self.lines():
            return ""
        for rect, href in self._link_rects(index):
            if rect.contains(point):
                return href
        return ""

    def _link_rects(self, index: int) -> list[tuple[QRectF, str]]:
        found = []
        for start, end, href in self.links:
            found += [(rect, href) for rect in self.rects(start, end, index)]
        return found

    def rects(self, start: int, end: int, only_line: int | None = None) -> list[QRectF]:
        """Where the text from `start` to `end` stands, one rectangle a line."""
        made, height = [], self.line_height
        for i in self._lines_of(start, end) if only_line is None else (only_line,):
            line = self._line(i)
            a, b = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
            if a < b:
                x = sorted((_first(line.cursorToX(a)), _first(line.cursorToX(b))))
                made.append(QRectF(x[0], i * height, x[1] - x[0], height))
        return made

    def _lines_of(self, start: int, end: int) -> range:
        first = self._layout.lineForTextPosition(start)
        last = self._layout.lineForTextPosition(max(start, end - 1))
        if not first.isValid():
            return range(0)
        return range(first.lineNumber(), (last if last.isValid() else first).lineNumber() + 1)

    def end_point(self) -> QPointF:
        """Middle of the line just behind the last character."""
        if not self.lines():
            return QPointF(0, self.line_height / 2)
        line = self._line(self.lines() - 1)
        x = _first(line.cursorToX(line.textStart() + line.textLength()))
        return QPointF(x, self.height - self.line_height / 2)

    @property
    def right_to_left(self) -> bool:
        """Direction of the first letter that has one."""
        for character in self._text.text[:200]:
            kind = bidirectional(character)
            if kind in {"R", "AL", "L"}:
                return kind != "L"
        return False

    # --- painting -----------------------------------------------------------------------------

    def draw(
        self, painter: QPainter, at: QPointF, clip: QRectF, colour: QColor, chosen: Range | None
    ) -> None:
        """`clip` in the painter's coordinates; only lines in it are drawn."""
        for rect in self._code_rects():
            moved = rect.translated(at)
            if moved.intersects(clip):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._ink.colours.sunken)
                painter.drawRoundedRect(moved, 4, 4)
        painter.setPen(colour)
        ranges = [format_range(*chosen, self._ink.selection())] if chosen else []
        self._layout.draw(painter, at, ranges, clip)

    def _code_rects(self) -> list[QRectF]:
        if self._code is None:
            self._code = []
            for span in self._text.spans:
                if span.marks & Mark.CODE:
                    start = units(self._text.text[: span.start])
                    end = start + units(self._text.text[span.start : span.end])
                    edge = (self.line_height - self._ink.px(20)) / 2
                    for rect in self.rects(start, end):
                        self._code.append(rect.adjusted(-2, edge, 2, -edge))
        return self._code


def _first(value: object) -> float:
    """Qt's pair (x, position), of which the stubs know one or the other."""
    return float(value[0] if isinstance(value, tuple) else value)  # type: ignore[arg-type]
