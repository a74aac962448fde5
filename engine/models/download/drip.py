"""Notices a server that drips: it sends too much to be silent and too little to ever be done."""

from collections.abc import Callable
from typing import Final

from engine.errors import ServerSilent

LEAST_BYTES_PER_S: Final = 512


class Drip:
    """Of one connection, whose thread uses it."""

    def __init__(self, clock: Callable[[], float], within_s: float) -> None:
        self._clock = clock
        self._within_s = within_s
        self.begin()

    def begin(self) -> None:
        """Look from now on: it was us who did not read."""
        self._since_s = self._clock()
        self._bytes = 0

    def saw(self, count_bytes: int, address: str) -> None:
        """Raises `ServerSilent` if that is next to nothing."""
        self._bytes += count_bytes
        if self._clock() - self._since_s < self._within_s:
            return
        if self._bytes < LEAST_BYTES_PER_S * self._within_s:
            raise ServerSilent(address, f"{self._bytes} bytes in {self._within_s:g} s")
        self.begin()
