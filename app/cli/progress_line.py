"""One line on a terminal that is written again and again; nothing where there is no terminal, so
that files and pipes get no noise."""

import sys
from contextlib import suppress


class ProgressLine:
    """On standard error. `clear` leaves the line empty for what comes next."""

    def __init__(self) -> None:
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def show(self, text: str) -> None:
        if self._shown:
            self._write(f"\r{text:{self._width}}")
            self._width = len(text)

    def clear(self) -> None:
        if self._width:
            self._write(f"\r{'':{self._width}}\r")
            self._width = 0

    def fraction(self, what: str) -> "Fraction":
        """For work that tells how much of it is done."""
        return Fraction(self, what)

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
            sys.stderr.buffer.write(text.encode(encoding, "replace"))
            sys.stderr.flush()


class Fraction:
    """Called with how much is done, 0 to 1."""

    def __init__(self, line: ProgressLine, what: str) -> None:
        self._line = line
        self._what = what
        self._percent = -1

    def __call__(self, done: float) -> None:
        percent = int(100 * done)
        if percent != self._percent:
            self._percent = percent
            self._line.show(f"{self._what}: {percent} %")
