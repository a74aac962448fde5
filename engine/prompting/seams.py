"""What a session asks of a native engine. Each runtime brings its own; one thread uses them."""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol


class Decoded(Enum):
    DONE = 0
    FULL = 1
    ABORTED = 2


class TextStream(Protocol):
    """Text of tokens as they come, whole characters only."""

    def push(self, token: int) -> str: ...

    def flush(self) -> str:
        """What stands for a character that never got its last bytes, else nothing."""


class Vocabulary(Protocol):
    """A model's tokens."""

    @property
    def bos(self) -> int | None: ...

    @property
    def eos(self) -> int | None: ...

    @property
    def wants_bos(self) -> bool: ...

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Token ids of `text`. With `special`, control tokens written in it become themselves."""

    def control_texts(self, text: str) -> set[str]:
        """The control tokens that are written out in `text`, as they are written there."""

    def is_end(self, token: int) -> bool:
        """Whether the token ends a reply."""

    def pieces(self, tokens: Sequence[int]) -> list[bytes]:
        """What each token of a reply adds to its text; nothing for control tokens."""

    def reading(self, begun: Sequence[int], /) -> TextStream:
        """A stream for a reply; `begun` are tokens of it that were shown before."""


class Context(Protocol):
    """Evaluates tokens and remembers them: `tokens`, position by position, of `length` at most.
    `ubatch` are evaluated at once."""

    @property
    def tokens(self) -> list[int]: ...

    @property
    def length(self) -> int: ...

    @property
    def ubatch(self) -> int: ...

    def abort(self) -> None:
        """End a running `decode` soon. Callable from any thread."""

    def allow(self) -> None:
        """Take `abort` back before new work."""

    def decode(self, tokens: Sequence[int]) -> Decoded:
        """Evaluate up to `ubatch` tokens after those in memory; all of them or none."""

    def decode_one(self, token: int) -> Decoded:
        """`decode` of a single token."""

    def keep(self, count: int) -> int:
        """Forget all but the first `count` tokens; returns how many could be kept."""


class Sampler(Protocol):
    """Chooses the tokens of one reply."""

    def sample(self) -> int:
        """The next token after the last evaluated one."""

    def close(self) -> None: ...
