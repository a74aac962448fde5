"""Remembers which tokens the model's earlier replies were made of.

Text does not always turn back into the tokens it came from. Putting the very tokens back into
the next prompt is what lets the context keep them instead of evaluating them again.
"""

from collections import OrderedDict
from collections.abc import Sequence

from engine.prompting.seams import Vocabulary


class ReplyMemory:
    """Reply text to its tokens, newest kept, up to `limit_tokens` in all."""

    def __init__(self, vocabulary: Vocabulary, limit_tokens: int) -> None:
        self._vocabulary = vocabulary
        self._limit = limit_tokens
        self._held = 0
        self._replies: OrderedDict[str, tuple[int, ...]] = OrderedDict()

    def find(self, text: str) -> tuple[int, ...] | None:
        return self._replies.get(text)

    def remember(self, text: str, tokens: Sequence[int]) -> None:
        """Keep what `text` was made of; a reply that was cut keeps the tokens that it shows."""
        shown = self._shown(text, tokens)
        if not shown:
            return
        self._held += len(shown) - len(self._replies.pop(text, ()))
        self._replies[text] = shown
        while self._held > self._limit and len(self._replies) > 1:
            _, oldest = self._replies.popitem(last=False)
            self._held -= len(oldest)

    def _shown(self, text: str, tokens: Sequence[int]) -> tuple[int, ...]:
        """The longest beginning of `tokens` that reads exactly as `text`, or none."""
        pieces = self._vocabulary.pieces(tokens)
        target = text.encode("utf-8", "replace")
        raw = b"".join(pieces)
        lead = len(raw) - len(raw.lstrip()) if not raw.startswith(target) else 0
        if not raw[lead:].startswith(target):
            return ()
        length, count = 0, 0
        while length < lead + len(target) and count < len(pieces):
            length += len(pieces[count])
            count += 1
        return tuple(tokens[:count]) if length == lead + len(target) else ()
