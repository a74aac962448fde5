"""Inline Markdown of one block into marked text. No Qt; loads nothing, fetches nothing.

Only http, https and mailto addresses become links; a link to anything else stays as it was
typed. A picture is its description with a link. Raw HTML is text, except `<br>`, which models
write in table cells.
"""

import re
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.token import Token

from ui.chat.nodes import Mark, Span, Text

_LINK = re.compile(r"(https?://|mailto:)[^\s]", re.IGNORECASE)
_SPECIAL = re.compile(r"[\\`*_\[<&~@\n]|://|mailto:", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>\n?", re.IGNORECASE)
_LONGEST = 20_000
"""Text over this many characters in one block is shown without inline marks."""

_OPENS = {"strong_open": Mark.BOLD, "em_open": Mark.ITALIC, "s_open": Mark.STRIKE}
_CLOSES = {"strong_close": Mark.BOLD, "em_close": Mark.ITALIC, "s_close": Mark.STRIKE}


def is_link(address: str) -> bool:
    """Whether `address` may be opened at all."""
    return _LINK.match(address) is not None


class Markdown(MarkdownIt):
    """markdown-it with our rule for addresses."""

    def validateLink(self, url: str) -> bool:
        return is_link(url)


def _is_cjk(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7af"


def _emphasis_rule(state: StateInline, silent: bool) -> bool:
    """CommonMark's rule, which expects spaces between words, made to work without them.

    `**结论。**下面` is bold: a star next to a CJK letter may open or close, whatever the
    punctuation on its other side.
    """
    start, known = state.pos, len(state.delimiters)
    if not emphasis.tokenize(state, silent):
        return False
    before = state.src[start - 1] if start else " "
    after = state.src[state.pos] if state.pos < len(state.src) else " "
    for mark in state.delimiters[known:]:
        if mark.marker == ord("*"):
            mark.open = mark.open or (_is_cjk(before) and not after.isspace())
            mark.close = mark.close or (_is_cjk(after) and not before.isspace())
    return True


def _parser() -> Markdown:
    made = Markdown("commonmark", {"html": False, "linkify": True})
    made.inline.ruler.at("emphasis", _emphasis_rule)
    made.enable(["strikethrough", "linkify"])
    if made.linkify is not None:  # `readme.md` and `main.py` are files, not addresses
        made.linkify.set({"fuzzy_link": False, "fuzzy_ip": False})
    return made


_INLINE = _parser()


class _Builder:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._spans: list[Span] = []
        self._open: list[Mark] = []
        self._href = ""

    def add(self, text: str, extra: Mark = Mark.NONE) -> None:
        if not text:
            return
        marks = extra
        for mark in self._open:
            marks |= mark
        start, self._length = self._length, self._length + len(text)
        self._parts.append(text)
        if marks or self._href:
            self._mark(start, marks)

    def _mark(self, start: int, marks: Mark) -> None:
        last = self._spans[-1] if self._spans else None
        if last and last.end == start and (last.marks, last.href) == (marks, self._href):
            start = self._spans.pop().start
        self._spans.append(Span(start=start, end=self._length, marks=marks, href=self._href))

    def token(self, token: Token) -> None:
        kind = token.type
        if kind == "text":
            self.add(_BREAK.sub("\n", token.content))
        elif kind in {"softbreak", "hardbreak"}:
            if not self._parts or not self._parts[-1].endswith("\n"):
                self.add("\n")
        elif kind == "code_inline":
            self.add(token.content, Mark.CODE)
        elif kind in _OPENS:
            self._open.append(_OPENS[kind])
        elif kind in _CLOSES:
            self._open.remove(_CLOSES[kind])
        else:
            self._other(token)

    def _other(self, token: Token) -> None:
        if token.type == "link_open":
            self._href = str(token.attrs.get("href", ""))
        elif token.type == "link_close":
            self._href = ""
        elif token.type == "image":
            self._image(token)
        else:
            self.add(token.content)

    def _image(self, token: Token) -> None:
        address = str(token.attrs.get("src", ""))
        outer, self._href = self._href, self._href or address
        self.add(_plain(token.children or []) or address)
        self._href = outer

    def text(self) -> Text:
        return Text("".join(self._parts), tuple(self._spans))


def _plain(tokens: list[Token]) -> str:
    return "".join(
        "\n" if token.type in {"softbreak", "hardbreak"} else token.content for token in tokens
    )


@lru_cache(maxsize=2048)
def _marked(content: str) -> Text:
    builder = _Builder()
    for token in _INLINE.parseInline(content):
        for child in token.children or []:
            builder.token(child)
    return builder.text()


def inline(content: str) -> Text:
    """`content` of one block as marked text."""
    if len(content) > _LONGEST or not _SPECIAL.search(content):
        return Text(content)
    return _marked(content)
