"""One conversation as Markdown text, for a file or the clipboard. Pure; the words come from the ui.

A turn's own Markdown is kept as it is. A code block that a stopped reply left open is closed, so
that it does not swallow the turns after it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.conversations.values import Conversation, Turn, TurnState
from engine.types.chat import Role

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportWords:
    """Translated words: who speaks, and the note under a reply that did not end by itself."""

    user: str
    assistant: str
    system: str
    unfinished: str


def to_markdown(conversation: Conversation, turns: Iterable[Turn], words: ExportWords) -> str:
    """The title as a heading, each turn under the name of who said it. Ends with a newline."""
    title = re.sub(r"([\\`*_\[\]<>#])", r"\\\1", conversation.title)
    blocks = [f"# {title}".rstrip(), *(_block(turn, words) for turn in turns)]
    return "\n\n".join(blocks) + "\n"


def close_fences(text: str) -> str:
    """`text` with its last code block closed."""
    fence = ""
    for line in text.splitlines():
        fence = _fence_after(line, fence)
    return f"{text.rstrip()}\n{fence}" if fence else text


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after `line`, "" for none (CommonMark 0.31, section 4.5)."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    marks, info = found.groups()
    if not fence:
        return "" if marks[0] == "`" and "`" in info else marks
    closes = marks[0] == fence[0] and len(marks) >= len(fence) and not info.strip()
    return "" if closes else fence


def _block(turn: Turn, words: ExportWords) -> str:
    parts = [f"## {_speaker(turn, words)}"]
    if text := turn.text.strip("\n"):
        parts.append(close_fences(text))
    if turn.state is not TurnState.COMPLETE:
        parts.append(f"*{words.unfinished}*")
    return "\n\n".join(parts)


def _speaker(turn: Turn, words: ExportWords) -> str:
    match turn.role:
        case Role.USER:
            return words.user
        case Role.ASSISTANT:
            return f"{words.assistant} ({turn.model})" if turn.model else words.assistant
        case Role.SYSTEM:
            return words.system
