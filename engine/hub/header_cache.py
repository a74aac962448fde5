"""Headers that were read from a hub, kept so that nobody asks for them twice.

One small file for each; a damaged one is deleted and read anew. Nothing here fails: without a
folder that can be written, headers are just read again. Any thread.
"""

import hashlib
import logging
import os
from contextlib import suppress
from pathlib import Path

from engine.guard.whole import replace_file
from engine.hub.header_json import NoHeaderError, packed, unpacked
from engine.models.gguf import GgufHeader

log = logging.getLogger("snug.hub")

MOST_ENTRIES = 200
_MOST_BYTES = 8 << 20
_SUFFIX = ".header"


class HeaderCache:
    """Headers by what names a file for good: hub, repository, revision, path and hash."""

    def __init__(self, folder: Path, most_entries: int = MOST_ENTRIES) -> None:
        self._folder = folder
        self._most_entries = most_entries

    def get(self, key: tuple[str, ...], size_bytes: int | None) -> GgufHeader | None:
        """None too for one of a file of another size."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                header = unpacked(file.read(_MOST_BYTES))
        except OSError:
            return None
        except NoHeaderError as error:
            log.warning("a kept header is damaged: %s", error)
            self._delete(path)
            return None
        if size_bytes not in (None, header.file_size):
            self._delete(path)
            return None
        with suppress(OSError):
            os.utime(path)  # the least recently used go first
        return header

    def put(self, key: tuple[str, ...], header: GgufHeader) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._path(key), packed(header))
            self._forget_old()
        except OSError as error:
            log.info("a header can not be kept: %s", error)

    def _path(self, key: tuple[str, ...]) -> Path:
        name = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{name}{_SUFFIX}"

    def _forget_old(self) -> None:
        found = list(self._folder.glob(f"*{_SUFFIX}"))
        if len(found) <= self._most_entries:
            return
        for path in sorted(found, key=_used_s)[: -self._most_entries]:
            self._delete(path)

    def _delete(self, path: Path) -> None:
        with suppress(OSError):
            path.unlink()


def _used_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # deleted meanwhile
        return 0.0
