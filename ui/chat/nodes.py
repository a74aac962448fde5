"""What an answer consists of: flat blocks of marked text. Values only, no Qt, any thread.

Containers (quotes, lists) do not nest blocks; each block carries the `path` of containers it
stands in, outermost first, so that a column can show, measure and forget blocks one by one.
Offsets count code points.
"""

from dataclasses import dataclass
from enum import IntFlag


class Mark(IntFlag):
    """How a stretch of text is set."""

    NONE = 0
    BOLD = 1
    ITALIC = 2
    STRIKE = 4
    CODE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """`start` to `end` (exclusive) is set in `marks`; `href` makes it a link."""

    start: int
    end: int
    marks: Mark = Mark.NONE
    href: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Text with spans in order, never overlapping. "\\n" is a line break within the block."""

    text: str
    spans: tuple[Span, ...] = ()

    def cut(self, start: int, end: int) -> "Text":
        """The part from `start` to `end`, with its spans."""
        spans = (
            Span(
                start=max(s.start, start) - start,
                end=min(s.end, end) - start,
                marks=s.marks,
                href=s.href,
            )
            for s in self.spans
            if s.start < end and s.end > start
        )
        return Text(self.text[start:end], tuple(spans))


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """A quote, or a list item. `marker` ("•", "◦", "3.") stands beside its first block only."""

    quote: bool = False
    marker: str = ""
    checked: bool | None = None


Path = tuple[Container, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    text: Text
    path: Path = ()
    joint: str | None = None
    """Set when it goes on with the block before it; what stood between them in the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    level: int
    text: Text
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    label: str
    """First word of the fence's info, as written; "" without one."""
    text: str
    """As in the source, with its last line break."""
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Every row has as many cells as `head`. `aligns`: "left", "center", "right" or ""."""

    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    aligns: tuple[str, ...]
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A piece of what the person wrote: literal, never Markdown."""

    text: Text
    path: Path = ()
    joint: str | None = None
    last: bool = True


Block = Paragraph | Heading | Code | Table | Rule | Said
