"""Cuts long texts into pieces that are laid out one by one. Pure, any thread.

The cuts depend only on the text before them, so a growing text keeps its pieces.
"""

from dataclasses import replace

from ui.chat.nodes import Paragraph, Said, Text

PIECE_CHARS = 3000


def cuts(text: str, size: int = PIECE_CHARS) -> list[tuple[int, int]]:
    """`(start, end)` of pieces of at most `size`, cut after a line break or a space if any."""
    found = []
    start = 0
    while len(text) - start > size:
        half, limit = start + size // 2, start + size
        at = text.rfind("\n", half, limit)
        if at < 0:
            at = text.rfind(" ", half, limit)
        end = at + 1 if at >= 0 else limit
        found.append((start, end))
        start = end
    found.append((start, len(text)))
    return found


def _visible(text: Text, start: int, end: int) -> tuple[Text, str]:
    """A piece without the break it was cut at, and that break."""
    if end < len(text.text) and text.text[end - 1] in "\n ":
        return text.cut(start, end - 1), text.text[end - 1]
    return text.cut(start, end), ""


def split_paragraph(block: Paragraph) -> list[Paragraph]:
    """The same paragraph in pieces; itself when it is short."""
    if len(block.text.text) <= PIECE_CHARS:
        return [block]
    made: list[Paragraph] = []
    joint: str | None = None
    quiet = tuple(replace(container, marker="", checked=None) for container in block.path)
    for start, end in cuts(block.text.text):
        piece, after = _visible(block.text, start, end)
        made.append(Paragraph(text=piece, path=quiet if made else block.path, joint=joint))
        joint = after
    return made


def split_said(text: str) -> list[Said]:
    """A person's message in pieces, each a plain text."""
    made: list[Said] = []
    joint: str | None = None
    whole = Text(text)
    for start, end in cuts(text):
        piece, after = _visible(whole, start, end)
        made.append(Said(text=piece, joint=joint, last=end == len(text)))
        joint = after
    return made
