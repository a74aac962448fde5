"""Work of which only the newest counts: what was started before is cancelled and not heard.

No Qt here; GUI thread.
"""

from collections.abc import Callable

from engine.errors import Cancelled
from engine.types.cancel import CancelToken
from ui.models.page_values import Errand, T


class Latest:
    """One kind of work."""

    def __init__(self, errand: Errand, failed: Callable[[Exception], None]) -> None:
        self._errand = errand
        self._failed = failed
        self._number = 0
        self._token = CancelToken()

    def start(
        self,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """`failed` is heard in place of the usual one."""
        self.cancel()
        number = self._number
        tell = failed or self._failed

        def take(result: T) -> None:
            if number == self._number:
                done(result)

        def fail(error: Exception) -> None:
            if number == self._number and not isinstance(error, Cancelled):
                tell(error)

        self._token = self._errand(work, take, fail)

    def cancel(self) -> None:
        """Nothing of what runs is heard any more."""
        self._number += 1
        self._token.cancel()
