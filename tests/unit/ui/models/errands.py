"""Work that is done when a test says so, on the test's own thread."""

from collections.abc import Callable

from engine.types.cancel import CancelToken


class Errands:
    """An `Errand` that keeps what it was given."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], None], CancelToken]] = []

    def __call__(self, work, done, failed) -> CancelToken:
        token = CancelToken()

        def go() -> None:
            try:
                result = work(token)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told
                failed(error)
            else:
                done(result)

        self.waiting.append((go, token))
        return token

    def run(self) -> None:
        """Everything that waits, and what follows from it."""
        while self.waiting:
            self.waiting.pop(0)[0]()
