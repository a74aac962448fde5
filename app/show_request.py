"""How a second start asks the first to show its window, and what to open in it: it writes a small
file, one for each request, for a file manager starts one Snug for each of several files at once.

No listening, no sockets. The files lie in the person's own folder; what they name is only looked
at, as if it had been dropped on the window.
"""

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

_FOLDER = "show-requests"
_SUFFIX = ".json"
_LARGEST_BYTES = 1 << 20
_MOST = 1000
_OLD_AFTER_S = 60.0
"""What a Snug that was just ending was asked for is for the next one; what is older, for nobody."""


def ask_to_show(folder: Path, files: Sequence[Path] = ()) -> None:
    """Called by the second start. A folder that can not be written only costs the raising."""
    target = folder / _FOLDER / f"{time.time_ns()}-{os.getpid()}{_SUFFIX}"
    beside = target.with_suffix(".part")  # whole at once, for whoever reads it
    with suppress(OSError):
        target.parent.mkdir(exist_ok=True)
        text = json.dumps([str(file) for file in files])
        beside.write_text(text, encoding="utf-8", errors="surrogatepass")
        beside.replace(target)


class ShowRequests:
    """Kept by the first start; asked about once a second, which costs one look into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER
        self._done = {request for request in self._there() if _is_old(request)}
        """Those that can not be deleted, as after a start with sudo, are not served again."""
        for request in self._done:
            _forget(request)

    def taken(self) -> tuple[Path, ...] | None:
        """What all new requests want to have opened, the oldest first; None: nobody asked."""
        requests = [request for request in self._there() if request not in self._done]
        if not requests:
            return None
        self._done.update(requests)
        files = [file for request in requests for file in _named_in(request)]
        return tuple(dict.fromkeys(files))

    def _there(self) -> list[Path]:
        """By time."""
        with suppress(OSError), os.scandir(self._folder) as inside:
            named = sorted(entry.path for entry in inside if entry.name.endswith(_SUFFIX))
            return [Path(path) for path in named[:_MOST]]
        return []


def _named_in(request: Path) -> Iterator[Path]:
    """It is gone afterwards."""
    try:
        small = request.stat().st_size <= _LARGEST_BYTES
        text = request.read_text(encoding="utf-8", errors="surrogatepass") if small else ""
        named = json.loads(text)
    except (OSError, ValueError):
        named = []
    _forget(request)
    listed = named if isinstance(named, list) else []
    return (Path(name) for name in listed if isinstance(name, str) and name)


def _is_old(request: Path) -> bool:
    try:
        return time.time() - request.stat().st_mtime > _OLD_AFTER_S
    except OSError:
        return False


def _forget(request: Path) -> None:
    with suppress(OSError):
        request.unlink()
