"""The pieces in which an answer comes back from the thread that asked for it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """A connection stands; the request is on its way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The answer is complete; `error` if it is not."""

    error: Exception | None = None


Piece = Connected | Head | bytes | End
