"""Which widget shows which block, and how a turn becomes blocks. GUI thread."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from ui.chat.blocks import BlockWidget, RuleBlock, TextBlock
from ui.chat.bubble import Bubble
from ui.chat.column import Entry
from ui.chat.ink import Ink
from ui.chat.nodes import Block, Code, Rule, Said, Table
from ui.chat.pieces import split_said

if TYPE_CHECKING:
    from ui.chat.stream import MarkdownStream


def make_block(ink: Ink, block: Block, parent: QWidget) -> BlockWidget:
    """A widget for `block`, not yet laid out."""
    match block:
        case Code():
            return _code(ink, block, parent)
        case Table():
            from ui.chat.tableblock import TableBlock  # noqa: PLC0415 - start stays light

            return TableBlock(ink, block, parent)
        case Rule():
            return RuleBlock(ink, block, parent)
        case Said():
            return Bubble(ink, block, parent)
        case _:
            return TextBlock(ink, block, parent)


def _code(ink: Ink, block: Code, parent: QWidget) -> BlockWidget:
    from ui.chat.codeblock import CodeBlock  # noqa: PLC0415 - Pygments only when there is code
    from ui.chat.pasteblock import PasteBlock, is_paste  # noqa: PLC0415

    return (PasteBlock if is_paste(block) else CodeBlock)(ink, block, parent)


def read_blocks(entry: Entry) -> Sequence[Block]:
    """Blocks of a whole turn. A person's text is never Markdown."""
    if not entry.is_answer:
        return split_said(entry.turn.text)
    if entry.is_writing:
        return stream_of(entry).blocks
    from ui.chat.markdown import parse  # noqa: PLC0415 - costs 70 ms, only when needed

    return parse(entry.turn.text)


def stream_of(entry: Entry) -> "MarkdownStream":
    """The reader of an answer that is being written; begins with what is there already."""
    if entry.stream is None:
        from ui.chat.stream import MarkdownStream  # noqa: PLC0415

        entry.stream = MarkdownStream()
        entry.stream.feed(entry.turn.text)
    stream: MarkdownStream = entry.stream
    return stream
