"""How a second start asks the first to show its window, and what to open in it: it writes a small
file.

No listening, no sockets. The file lies in the person's own folder; what it names is only looked at,
as if it had been dropped on the window.
"""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_NAME = "show-window"
_LARGEST_BYTES = 1 << 20


def ask_to_show(folder: Path, files: Sequence[Path] = ()) -> None:
    """Called by the second start. A folder that can not be written only costs the raising."""
    target = folder / _NAME
    beside = target.with_name(f"{_NAME}.{os.getpid()}")  # whole at once, for whoever reads it
    with suppress(OSError):
        text = json.dumps([str(file) for file in files])
        beside.write_text(text, encoding="utf-8", errors="surrogatepass")
        beside.replace(target)


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

    def files(self) -> tuple[Path, ...]:
        """What the newest request wants to have opened."""
        try:
            if self._file.stat().st_size > _LARGEST_BYTES:
                return ()
            named = json.loads(self._file.read_text(encoding="utf-8", errors="surrogatepass"))
        except (OSError, ValueError):
            return ()
        listed = named if isinstance(named, list) else []
        return tuple(Path(name) for name in listed if isinstance(name, str) and name)

    def _time(self) -> int | None:
        try:
            return self._file.stat().st_mtime_ns
        except OSError:
            return None
