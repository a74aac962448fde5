"""Markdown into flat blocks. No Qt, no I/O, any thread.

CommonMark with tables, strike-through, bare addresses and task lists. Raw HTML is text. Link
reference definitions are not read: they would hide text (`[^1]: note`) and let a line far below
change an answer that has already been read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table as _table_rule
from markdown_it.token import Token

from ui.chat.inline import inline
from ui.chat.nodes import (
    Block,
    Code,
    Container,
    Heading,
    Paragraph,
    Path,
    Rule,
    Table,
    Text,
)
from ui.chat.pieces import split_paragraph

_TICKS = re.compile(r"\\.|(?<!`)(`+)(?!`)|\|", re.DOTALL)
_DEEPEST = 60
_TASK = re.compile(r"\[([ xX])\][ \t]+")


def split_cells(line: str) -> list[str]:
    """Cells of one table row; a bar inside a code span, or after a backslash, does not part."""
    cells, start, at = [], 0, 0
    while found := _TICKS.search(line, at):
        at = found.end()
        if found.group(1):
            close = re.compile(rf"(?<!`){found.group(1)}(?!`)").search(line, at)
            at = close.end() if close else at
        elif found.group() == "|":
            cells.append(line[start : found.start()])
            start = at
    cells.append(line[start:])
    if cells and not cells[0].strip():
        cells.pop(0)
    if cells and not cells[-1].strip():
        cells.pop()
    return [cell.strip().replace("\\|", "|") for cell in cells]


def _fit(cells: list[str], columns: int) -> list[str]:
    """As many cells as the head has; what is over joins the last, so nothing is lost."""
    if len(cells) > columns:
        return [*cells[: columns - 1], " | ".join(cells[columns - 1 :])]
    return cells + [""] * (columns - len(cells))


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """markdown-it's rule, then the cells of each row again with `split_cells`."""
    first = len(state.tokens)
    if not _table_rule(state, start, end, silent):
        return False
    row: list[Token] = []
    for token in () if silent else state.tokens[first:]:
        if token.type == "inline":
            row.append(token)
        elif token.type == "tr_close" and row and row[0].map:
            line = row[0].map[0]
            source = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
            if line > start:
                for cell, content in zip(row, _fit(split_cells(source), len(row)), strict=True):
                    cell.content = content
            row = []
        elif token.type == "tr_close":
            row = []
    return True


def _parser() -> MarkdownIt:
    options = {"html": False, "maxNesting": _DEEPEST + 1}
    made = MarkdownIt("commonmark", options).enable("table").disable("reference")
    made.core.ruler.enableOnly(["normalize", "block"])
    made.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    return made


_BLOCKS = _parser()


def block_tokens(source: str) -> list[Token]:
    """Block tokens of `source`, their inline content not yet read."""
    tokens = _BLOCKS.parse(source)
    if any(token.level >= _DEEPEST for token in tokens):
        return _flattened(tokens, source)
    return tokens


def _flattened(tokens: list[Token], source: str) -> list[Token]:
    """What nests too deep would be left out by the parser; it is shown as it was written."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    made: list[Token] = []
    start = 0
    for at, token in enumerate(tokens, 1):
        if token.level or token.nesting > 0:
            continue
        block, start = tokens[start:at], at
        deep = any(inner.level >= _DEEPEST for inner in block)
        made += _as_written(block[0], lines) if deep else block
    return made


def _as_written(opener: Token, lines: list[str]) -> list[Token]:
    first, end = opener.map or [0, 0]
    text = Token("inline", "", 0, content="\n".join(lines[first:end]), children=[], level=1)
    return [
        Token("paragraph_open", "p", 1, map=[first, end]),
        text,
        Token("paragraph_close", "p", -1),
    ]


class _Walker:
    """Turns block tokens into flat blocks, keeping the open containers."""

    def __init__(self, first_number: int | None) -> None:
        self._path: list[Container] = []
        self._numbers: list[int | None] = []
        self._first_number = first_number

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "table_open":
                end = next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close")
                yield _table_of(tokens[at:end], self._place())
                at = end
            elif token.type == "inline":
                yield from self._text(tokens[at - 1], token)
            else:
                yield from self._other(token)
            at += 1

    def _place(self) -> Path:
        """The path of the next block; its markers are then used up."""
        path = tuple(self._path)
        self._path = [replace(c, marker="", checked=None) if c.marker else c for c in self._path]
        return path

    def _text(self, opener: Token, token: Token) -> Iterator[Block]:
        content = token.content
        if opener.type == "heading_open":
            yield Heading(level=int(opener.tag[1:]), text=inline(content), path=self._place())
            return
        if self._path and self._path[-1].marker and (task := _TASK.match(content)):
            content = content[task.end() :]
            self._path[-1] = replace(self._path[-1], checked=task.group(1) != " ")
        yield from split_paragraph(Paragraph(text=inline(content), path=self._place()))

    def _other(self, token: Token) -> Iterator[Block]:
        kind = token.type
        if kind in {"fence", "code_block"}:
            label = token.info.strip().split(maxsplit=1)[0] if token.info.strip() else ""
            yield Code(label=label, text=token.content, path=self._place())
        elif kind == "hr":
            yield Rule(path=self._place())
        elif kind == "list_item_close":
            if self._path[-1].marker:  # an empty item still shows its bullet
                yield Paragraph(text=Text(""), path=self._place())
            self._path.pop()
        else:
            self._container(token)

    def _container(self, token: Token) -> None:
        kind = token.type
        if kind == "blockquote_open":
            self._path.append(Container(quote=True))
        elif kind == "blockquote_close":
            self._path.pop()
        elif kind == "bullet_list_open":
            self._numbers.append(None)
        elif kind == "ordered_list_open":
            self._numbers.append(self._start(token))
        elif kind in {"bullet_list_close", "ordered_list_close"}:
            self._numbers.pop()
        elif kind == "list_item_open":
            self._path.append(Container(marker=self._marker()))
        self._first_number = None if kind.endswith("_open") else self._first_number

    def _start(self, token: Token) -> int:
        if self._first_number is not None and token.level == 0:
            return self._first_number
        return int(token.attrs.get("start", 1))

    def _marker(self) -> str:
        number = self._numbers[-1]
        if number is None:
            return "•" if sum(n is None for n in self._numbers) % 2 else "◦"
        self._numbers[-1] = number + 1
        return f"{number}."


def _table_of(tokens: Sequence[Token], path: Path) -> Table:
    rows: list[list[Text]] = []
    aligns: list[str] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "th_open":
            aligns.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif token.type == "inline":
            rows[-1].append(inline(token.content))
    head, *body = (tuple(row) for row in rows)
    return Table(head=head, rows=tuple(body), aligns=tuple(aligns), path=path)


def blocks_of(tokens: Sequence[Token], first_number: int | None = None) -> list[Block]:
    """Blocks of whole top-level tokens. `first_number` numbers a list that goes on."""
    return list(_Walker(first_number).blocks(tokens))


def parse(source: str) -> tuple[Block, ...]:
    """All blocks of `source`."""
    return tuple(blocks_of(block_tokens(source)))
