"""The pieces in which an answer comes back from the thread that asked for it."""

from collections.abc import Mapping
from dataclasses import dataclass

BY_PROXY = "by_proxy"
"""What is told with each step on the way: whether the computer that we connect to is a proxy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """A connection stands; the request is on its way. `near`: to a computer of this network that is
    no proxy."""

    near: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The answer is complete; `error` if it is not."""

    error: Exception | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """A redirect on the way to an answer: `origin` (scheme, host, port) sent us on. The `headers`
    are without the address, which may be signed."""

    origin: tuple[str, str, int]
    status: int
    headers: Mapping[str, str]


Piece = Connected | Head | bytes | End
