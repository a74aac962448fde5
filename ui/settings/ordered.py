"""Work of the Settings page, one piece after the other; what comes late is not heard.

No Qt here; GUI thread.
"""

from collections import Counter
from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Run(Protocol):
    """Does `work` on a thread of its own, in order; then tells one of the others on this one."""

    def __call__(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None: ...


class Ordered:
    """Of each kind of work only the newest is heard, and none after `close`."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._newest: Counter[str] = Counter()
        self._closed = False

    def do(
        self,
        kind: str,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        if self._closed:
            return
        self._newest[kind] += 1
        number = self._newest[kind]

        def is_current() -> bool:
            return not self._closed and self._newest[kind] == number

        def take(result: T) -> None:
            if is_current():
                done(result)

        def fail(error: Exception) -> None:
            if is_current():
                failed(error)

        self._run(work, take, fail)

    def forget(self, kind: str) -> None:
        """What runs of that kind is not heard any more."""
        self._newest[kind] += 1

    def close(self) -> None:
        self._closed = True
