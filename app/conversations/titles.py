"""A title out of the person's own words, so that no model is needed for one. Pure.

The first words, without Markdown, on one line, cut between words where a script has spaces. Width
counts as a terminal's does: a Chinese character is two.
"""

import re
import unicodedata

TITLE_WIDTH = 48
_LOOK_AT_CHARS = 2000
_JOINERS = "\u200c\u200d"
_MARKS_AT_START = re.compile(r"^[ \t]*(?:(?:#{1,6}|>+|[-*+]|\d{1,9}[.)])[ \t]+)+", re.MULTILINE)
_FENCES = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*$", re.MULTILINE)
_RULES = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$", re.MULTILINE)
_LINKS = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_EMPHASIS = re.compile(r"(\*{1,3}|(?<!\w)_{1,3}|~~|`+)(?=\S)([^\n]*?\S)\1(?!\w)")
_QUOTES = "\"'“”„‟‘’‚«»‹›「」『』`*_#> \t"  # noqa: RUF001 (quotes of many languages)


def title_from(text: str, *, fallback: str) -> str:
    """At most `TITLE_WIDTH` columns of the beginning of `text`; `fallback` if it has no words."""
    plain = _plain(text[:_LOOK_AT_CHARS])
    if not any(c.isalnum() for c in plain):
        plain = _one_line(text[:_LOOK_AT_CHARS]).strip()
    return _cut(plain, TITLE_WIDTH) or fallback


def _plain(text: str) -> str:
    for pattern in (_FENCES, _RULES, _MARKS_AT_START):
        text = pattern.sub("", text)
    text = _LINKS.sub(r"\1", text)
    return _one_line(_EMPHASIS.sub(r"\2", text)).strip(_QUOTES)


def _one_line(text: str) -> str:
    """Control, private and half characters become spaces or go; white space is one space."""
    return " ".join("".join(map(_printable, text)).split())


def _printable(character: str) -> str:
    if character in _JOINERS:  # they hold emoji and Indic letters together
        return character
    match unicodedata.category(character):
        case "Cf":  # invisible, and may turn the direction of what follows
            return ""
        case "Cc" | "Cs" | "Co" | "Cn" | "Zl" | "Zp":
            return " "
        case _:
            return character


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    end = _fitting(text, width - 1)  # one column for the ellipsis
    space = text.rfind(" ", 0, end + 1)
    if space > end // 2:
        end = space
    return text[:end].rstrip(" ,;:.-—") + "…"


def _fitting(text: str, width: int) -> int:
    """How many characters fit, without parting a letter from its marks."""
    end = used = 0
    while end < len(text) and used + _columns(text[end]) <= width:
        used += _columns(text[end])
        end += 1
    while 0 < end < len(text) and (_columns(text[end]) == 0 or text[end - 1] == "\u200d"):
        end -= 1
    return end


def _width(text: str) -> int:
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if character in _JOINERS or unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
