"""Markdown that arrives bit by bit. No Qt, any thread.

Blocks that can no longer change are frozen and their source is forgotten; only the open end is
parsed again: the last paragraph, list item, table row or line of code. At any moment the blocks
equal those of the whole text parsed at once.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from markdown_it.token import Token

from ui.chat.markdown import block_tokens, blocks_of
from ui.chat.nodes import Block, Code, Table


def _tops(tokens: Sequence[Token]) -> list[int]:
    """Where the top-level blocks begin."""
    return [i for i, t in enumerate(tokens) if t.level == 0 and t.nesting >= 0 and t.map]


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0


class MarkdownStream:
    """`blocks` grows with `feed`; `feed` says from which block on they differ."""

    def __init__(self) -> None:
        self._frozen: list[Block] = []
        self._end: list[Block] = []
        self._tail = ""
        self._head = ""
        """Lines that make `_tail` parse as the rest of the open table or code."""
        self._open: Table | Code | None = None
        """What of that table or code is already frozen."""
        self._number: int | None = None
        """Number of the next item of the open ordered list."""
        self._return = ""
        self._parts: list[str] = []

    def has_read(self, text: str) -> bool:
        """Whether `text` is exactly what has been fed so far."""
        return "".join(self._parts) == text

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (*self._frozen, *self._end)

    def feed(self, text: str) -> tuple[int, list[Block]]:
        """Index of the first block that may differ, and the blocks from there on."""
        self._parts.append(text)
        text = self._return + text
        self._return = "\r" if text.endswith("\r") else ""
        text = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        return self._add(text)

    def finish(self) -> tuple[int, list[Block]]:
        """Takes a trailing carriage return for a line end."""
        text, self._return = self._return.replace("\r", "\n"), ""
        return self._add(text)

    def _add(self, text: str) -> tuple[int, list[Block]]:
        first = len(self._frozen)
        self._tail += text
        if "\n" in text:
            self._freeze()
        self._end = self._merged(block_tokens(self._head + self._tail))
        return first, [*self._frozen[first:], *self._end]

    def _merged(self, tokens: Sequence[Token]) -> list[Block]:
        """Blocks of the tail, the first one joined to what is frozen of it."""
        blocks = blocks_of(tokens, self._number)
        if self._open is not None:
            blocks[0] = _join(self._open, blocks[0])
        return blocks

    def _freeze(self) -> None:
        """Looks at whole lines only: a half line may still turn into anything."""
        whole = self._head + self._tail[: self._tail.rfind("\n") + 1]
        tokens = block_tokens(whole)
        tops = _tops(tokens)
        if not tops:
            return
        last = tops[-1]
        if last:
            self._frozen += self._merged(tokens[:last])
            self._advance(_line(tokens[last]), None)
            whole = whole.split("\n", _line(tokens[last]))[-1]
            shift = _line(tokens[last])
        else:
            shift = 0
        self._freeze_in(tokens[last:], whole, shift)

    def _advance(self, lines: int, number: int | None) -> None:
        """The tail now begins `lines` further down; nothing of it is frozen."""
        self._tail = (self._head + self._tail).split("\n", lines)[-1]
        self._head, self._open, self._number = "", None, number

    def _freeze_in(self, tokens: Sequence[Token], whole: str, shift: int) -> None:
        """Freezes rows, lines or items of the open block `tokens`, which begins `whole`."""
        opener = tokens[0]
        lines = whole.count("\n")
        ends = (opener.map[1] if opener.map else 0) - shift
        if opener.type == "table_open" and ends == lines:
            head = "".join(whole.splitlines(keepends=True)[:2])
            self._hold(cast("Table", self._merged(tokens)[0]), whole, head)
        elif opener.type == "fence" and ends == lines and opener.content.count("\n") == lines - 1:
            self._freeze_code(tokens, whole, lines)
        elif opener.type in {"bullet_list_open", "ordered_list_open"}:
            self._freeze_items(tokens, shift)

    def _freeze_code(self, tokens: Sequence[Token], whole: str, lines: int) -> None:
        """The label of a fence may hold a "|": over a line of dashes it is the head of a table. So
        its second line is waited for, and it is gone on with without the label."""
        if lines > 1:
            indent = whole[: len(whole) - len(whole.lstrip(" "))]
            head = f"{indent}{tokens[0].markup}\n"
            self._hold(cast("Code", self._merged(tokens)[0]), whole, head)

    def _hold(self, block: Table | Code, whole: str, head: str) -> None:
        """`head` in place of what is frozen lets the rest be parsed as a part of it."""
        self._tail = (self._head + self._tail)[len(whole) :]
        self._head = head
        self._open = block

    def _freeze_items(self, tokens: Sequence[Token], shift: int) -> None:
        items = [i for i, t in enumerate(tokens) if t.type == "list_item_open" and t.level == 1]
        if len(items) < 2:
            return
        number = None
        if tokens[0].type == "ordered_list_open":
            begun = int(tokens[0].attrs.get("start", 1))
            start = begun if self._number is None else self._number
            number = start + len(items) - 1
        self._frozen += blocks_of(tokens[: items[-1]], self._number)
        self._advance(_line(tokens[items[-1]]) - shift, number)


def _join(frozen: Table | Code, rest: Block) -> Block:
    if isinstance(frozen, Table) and isinstance(rest, Table):
        return replace(frozen, rows=frozen.rows + rest.rows)
    return replace(cast("Code", frozen), text=cast("Code", frozen).text + cast("Code", rest).text)
