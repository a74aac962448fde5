"""From the bytes of tokens to text that is safe to show.

Called for every token on the inference thread, so it stays in microseconds. It never shows
half a character or a piece of a stop sequence, and never loses text.
"""

import codecs
import re
from collections.abc import Callable

_new_decoder = codecs.getincrementaldecoder("utf-8")


class Utf8Stream:
    """Decodes UTF-8 that arrives in arbitrary pieces; bad bytes become U+FFFD."""

    __slots__ = ("_decode",)

    def __init__(self) -> None:
        self._decode: Callable[[bytes, bool], str] = _new_decoder("replace").decode

    def push(self, data: bytes) -> str:
        """The characters that are complete by now."""
        return self._decode(data, False)

    def flush(self) -> str:
        """U+FFFD for a character that never got its last bytes, else nothing."""
        return self._decode(b"", True)


class PieceStream:
    """See `TextStream`: `piece` gives the bytes of a token, whatever comes before it."""

    __slots__ = ("_piece", "_utf8")

    def __init__(self, piece: Callable[[int], bytes]) -> None:
        self._piece = piece
        self._utf8 = Utf8Stream()

    def push(self, token: int) -> str:
        return self._utf8.push(self._piece(token))

    def flush(self) -> str:
        return self._utf8.flush()


class StopFilter:
    """Ends a text before the earliest place where one of `stop` begins.

    Only text that could still turn out to be a stop sequence is held back. Where one sequence
    is complete and another that began before it is not, the decision waits: the result is the
    same for every way of cutting the text. Empty stop sequences are ignored.
    """

    __slots__ = ("_find", "_heads", "_held", "_stop", "_stopped", "_window")

    def __init__(self, stop: tuple[str, ...]) -> None:
        self._stop = tuple(sequence for sequence in stop if sequence)
        self._heads = frozenset(sequence[0] for sequence in self._stop)
        self._window = max(map(len, self._stop), default=1) - 1
        self._find = re.compile("|".join(map(re.escape, self._stop))).search
        self._held = ""
        self._stopped = False

    def push(self, text: str) -> tuple[str, bool]:
        """(text that may be shown now, whether a stop sequence was met). Nothing follows one."""
        if not self._stop:
            return text, False
        if self._stopped:
            return "", True
        text = self._held + text
        undecided = self._undecided(text)
        match = self._find(text)
        if match and match.start() <= undecided:
            self._held, self._stopped = "", True
            return text[: match.start()], True
        self._held = text[undecided:]
        return text[:undecided], False

    def flush(self) -> tuple[str, bool]:
        """What was held back, when no more text will come; the flag as in `push`."""
        text, self._held = self._held, ""
        match = self._find(text) if self._stop else None
        self._stopped = self._stopped or match is not None
        return (text[: match.start()] if match else text), self._stopped

    def _undecided(self, text: str) -> int:
        """Where the first unfinished stop sequence at the end of `text` begins, else its length."""
        end = len(text)
        for start in range(max(0, end - self._window), end):
            if text[start] in self._heads and self._unfinished(text[start:]):
                return start
        return end

    def _unfinished(self, tail: str) -> bool:
        return any(len(stop) > len(tail) and stop.startswith(tail) for stop in self._stop)
