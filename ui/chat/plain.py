"""What is copied from a block. No Qt, any thread.

Selections count UTF-16 units of `linear`, as Qt's text layouts do.
"""

from ui.chat.nodes import Block, Code, Rule, Table


def linear(block: Block) -> str:
    """The block's text as one string; selection offsets point into it."""
    if isinstance(block, Code):
        return block.text.removesuffix("\n")
    if isinstance(block, Table):
        lines = (block.head, *block.rows)
        return "\n".join("\t".join(cell.text for cell in line) for line in lines)
    return "" if isinstance(block, Rule) else block.text.text


def units(text: str) -> int:
    """Length of `text` in UTF-16 units."""
    if text.isascii():
        return len(text)
    return len(text) + sum(character > "\uffff" for character in text)


def cut_units(text: str, start: int, end: int) -> str:
    """Part of `text` between two UTF-16 offsets."""
    if text.isascii():
        return text[start:end]
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le", "replace")


def prefix(block: Block) -> str:
    """Bullets and quote marks that stand before the block when it is copied whole."""
    marks = ("> " if c.quote else f"{c.marker} " if c.marker else "" for c in block.path)
    return "".join(marks)


def gap(block: Block) -> str:
    """What separates `block` from the one before it in copied text."""
    joint = getattr(block, "joint", None)
    if isinstance(joint, str):
        return joint
    return "\n" if any(c.marker for c in block.path) else "\n\n"
