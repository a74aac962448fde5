"""Colours for code, by the label of its fence. No Qt; never guesses a language, any thread.

Lexing is handed out line by line, so whoever paints decides how much of it to do at a time.
"""

from collections.abc import Iterator
from functools import cache, lru_cache

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType

Piece = tuple[int, int, str]
"""Start, end (code points in the line) and kind: "key", "str", "num", "com", "fn"."""

LONGEST = 200_000
"""Code of more characters than this stays in one colour."""

_KINDS: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "com"),
    (String, "str"),
    (Number, "num"),
    (Keyword, "key"),
    (Name.Builtin, "fn"),
    (Name.Function, "fn"),
    (Name.Class, "fn"),
    (Name.Decorator, "fn"),
    (Name.Tag, "key"),
    (Name.Attribute, "fn"),
)


@lru_cache(maxsize=64)
def lexer_for(label: str) -> Lexer | None:
    """The lexer that knows `label`, if any."""
    name = _names().get(label)
    found = find_lexer_class(name) if name else None
    return found() if found else None


@cache
def _names() -> dict[str, str]:
    """Names of Pygments' own lexers by alias; plug-ins of other packages are never loaded."""
    return {
        alias: name for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases
    }


def plain_label(label: str) -> str:
    """`label` as people write it: "py" is "Python"."""
    name = _names().get(label.lower(), label[:40])
    return "Text" if name == "Text only" else name


def _within(token: _TokenType, family: _TokenType) -> bool:
    return token[: len(family)] == tuple(family)


@lru_cache(maxsize=512)
def _kind(token: _TokenType) -> str:
    return next((kind for family, kind in _KINDS if _within(token, family)), "")


def pieces_by_line(label: str, text: str) -> Iterator[tuple[int, list[Piece]]]:
    """Each line's number and coloured pieces, lazily; nothing for an unknown label."""
    lexer = lexer_for(label.lower())
    if lexer is None or len(text) > LONGEST:
        return
    line, start, pieces = 0, 0, list[Piece]()
    for index, token, value in lexer.get_tokens_unprocessed(text):
        kind = _kind(token)
        if not kind and _within(token, Name) and text.startswith("(", index + len(value)):
            kind = "fn"
        at = index
        for part in value.splitlines(keepends=True) if "\n" in value else (value,):
            if kind:
                pieces.append((at - start, at - start + len(part.rstrip("\n")), kind))
            at += len(part)
            if part.endswith("\n"):
                yield line, pieces
                line, start, pieces = line + 1, at, []
    yield line, pieces


def pieces_of_line(label: str, line: str) -> list[Piece]:
    """Colours of one line on its own: right unless it stands inside a longer string or remark."""
    return next((pieces for _, pieces in pieces_by_line(label, line)), [])
