"""When to try again, and when to give up. Pure but for the jitter that is passed in.

A try that fetched something begins the count anew. A network that is gone is waited for as long as
it takes, once the server has been seen to answer.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import (
    EngineError,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    ServerSilent,
    ServerUnreachable,
)

PASSING = (ServerUnreachable, ServerSilent, ServerBusy, ServerFailed, ServerIncomprehensible)
"""What may be better the next time; everything else is told at once."""
_LONGEST_STATED_S = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds before the second try, at most between two, and how many tries in a row may fetch
    nothing."""

    first_s: float = 1.0
    last_s: float = 60.0
    tries: int = 12


class Retries:
    def __init__(self, pace: Pace, jitter: Callable[[], float]) -> None:
        self._pace = pace
        self._jitter = jitter
        self._failed = 0
        self._answered = False

    def answered(self) -> None:
        self._answered = True

    def progressed(self) -> None:
        self._failed = 0
        self._answered = True

    def delay_s(self, error: EngineError) -> float:
        """How long to wait. Raises the error when it was tried often enough, or can not pass."""
        self._failed += 1
        if not isinstance(error, PASSING):
            raise error
        patient = self._answered and isinstance(error, ServerUnreachable)
        if self._failed >= self._pace.tries and not patient:
            raise error
        steps = min(self._failed - 1, 30)
        delay_s = min(self._pace.first_s * 2.0**steps, self._pace.last_s) * self._jitter()
        return max(delay_s, _stated_s(error))


def _stated_s(error: EngineError) -> float:
    stated = error.retry_after_s if isinstance(error, ServerBusy) else None
    return min(stated or 0.0, _LONGEST_STATED_S)
