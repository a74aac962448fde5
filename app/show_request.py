"""How a second start asks the first to show its window: it touches a small file.

No listening, no sockets. The file holds nothing; only its time counts.
"""

from contextlib import suppress
from pathlib import Path

_NAME = "show-window"


def ask_to_show(folder: Path) -> None:
    """Called by the second start. A folder that can not be written only costs the raising."""
    with suppress(OSError):
        (folder / _NAME).touch()


class ShowRequests:
    """Kept by the first start; asked about once a second, which costs one `stat`."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _NAME
        self._seen = self._time()

    def pending(self) -> bool:
        """True once for each time that somebody asked."""
        now = self._time()
        changed = now is not None and now != self._seen
        self._seen = now
        return changed

    def _time(self) -> int | None:
        try:
            return self._file.stat().st_mtime_ns
        except OSError:
            return None
