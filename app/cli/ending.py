"""The end of a command that the system asks for: SIGTERM, and SIGHUP when its terminal is gone.

They become an exception in the main thread, so that everything that is open is closed in order:
a reply stops, what was said is stored, and no note is left that would blame the model for it.
Main thread only: Python takes handlers from no other.
"""

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

_ASKING = ("SIGTERM", "SIGHUP")
"""There is no SIGHUP on Windows."""


class ToldToEnd(BaseException):
    """Like `KeyboardInterrupt` no error: what catches those lets it pass."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def told_to_end() -> Iterator[None]:
    """Within it the first such signal raises `ToldToEnd`. What comes after it, Ctrl+C too, is
    ignored: the end itself is not disturbed."""
    numbers = _asking()

    def end(number: int, _frame: FrameType | None) -> None:
        _ignore((*numbers, signal.SIGINT))
        raise ToldToEnd(number)

    with _kept((*numbers, signal.SIGINT)):
        for number in numbers:
            signal.signal(number, end)
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals are ignored, for the few seconds that closing may take."""
    numbers = (*_asking(), signal.SIGINT)
    with _kept(numbers):
        _ignore(numbers)
        yield


def _asking() -> tuple[signal.Signals, ...]:
    """Those that exist and are not to be ignored: `nohup` wants that of SIGHUP."""
    found = [signal.Signals[name] for name in _ASKING if hasattr(signal, name)]
    return tuple(number for number in found if signal.getsignal(number) is not signal.SIG_IGN)


def _ignore(numbers: Iterable[signal.Signals]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def _kept(numbers: Iterable[signal.Signals]) -> Iterator[None]:
    """What is done about these signals within is undone at the end."""
    previous = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
