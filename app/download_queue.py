"""Which downloads are wanted, in which order, and why one failed: in one file that outlives the
program and that several Snugs share. What was fetched of each lies with its files. Waits for the
disk.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.shared_file import Content, change_shared, read_shared
from engine.child.wire import WireError, decode, encode
from engine.errors import EngineError
from engine.types.downloads import Wanted

_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """`error` is why it failed last."""

    wanted: Wanted
    error: EngineError | None = None


class DownloadQueue:
    """The file `path`. What makes no sense in it is passed over. All but `read` raise a
    `StorageError` where it can not be written."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> tuple[Queued, ...]:
        """In order."""
        return tuple(_read(read_shared(self._path)).values())

    def put(self, queued: Queued) -> None:
        """At the end, or in the place of the one with the same id."""

        def change(known: dict[str, Queued]) -> dict[str, Queued]:
            return {**known, queued.wanted.id: queued}

        self._change(change)

    def remove(self, download_id: str) -> None:
        self._change(lambda known: {key: it for key, it in known.items() if key != download_id})

    def order(self, ids: Sequence[str]) -> None:
        """Bring these into this order; others, which another Snug has added, come after them."""

        def change(known: dict[str, Queued]) -> dict[str, Queued]:
            first = {key: known[key] for key in ids if key in known}
            return {**first, **known}

        self._change(change)

    def _change(self, change: Callable[[dict[str, Queued]], dict[str, Queued]]) -> None:
        def changed(content: Content) -> Content:
            queued = change(_read(content)).values()
            return {"format": _FORMAT, "downloads": [encode_queued(it) for it in queued]}

        change_shared(self._path, changed)


def encode_queued(queued: Queued) -> dict[str, Any]:
    return {"wanted": encode(queued.wanted), "error": encode(queued.error)}


def _read(content: Content) -> dict[str, Queued]:
    listed = content.get("downloads") if content.get("format") == _FORMAT else None
    found = [_decoded(item) for item in listed] if isinstance(listed, list) else []
    return {queued.wanted.id: queued for queued in found if queued is not None}


def _decoded(item: Any) -> Queued | None:
    try:
        wanted = decode(Wanted, item["wanted"])
    except (WireError, KeyError, TypeError):
        return None
    try:
        return Queued(wanted=wanted, error=decode(EngineError | None, item["error"]))
    except (WireError, KeyError):
        return Queued(wanted=wanted)
