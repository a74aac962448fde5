"""Reads and writes snug-model.json, which lies beside a model's files and says what they are.

It travels on sticks between computers, so it is a stranger's file: read with limits, believed only
where every field makes sense, and never followed out of its folder. Any thread.
"""

import json
import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from typing import Final

from engine.models.library.filenames import is_file_name
from engine.types.hub import Hub, HubKind
from engine.types.library import FileRecord, Manifest, Origin

NAME: Final = "snug-model.json"
_FORMAT: Final = 1
_MOST_BYTES = 1 << 20
_MOST_FILES = 2000
_LONGEST_TEXT = 1000
_LARGEST_FILE_BYTES = 1 << 50
_HEX = frozenset("0123456789abcdef")
_READ = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC")
)


class _RefusedError(ValueError):
    """A field is not what it should be."""


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """In one step: whoever reads meanwhile sees the old one or the new one. Raises `OSError`."""
    text = json.dumps(_as_json(manifest), ensure_ascii=False, indent=1) + "\n"
    unfinished = folder / f"{NAME}.{os.getpid()}-{get_ident()}.new"
    try:
        with unfinished.open("wb") as file:
            file.write(text.encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(folder / NAME)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()
        raise


def read_manifest(folder: Path) -> Manifest | None:
    """None where there is none, or one that can not be believed. Waits for nothing, raises
    nothing."""
    try:
        return _manifest(_mapping(json.loads(_content(folder / NAME))))
    except (OSError, ValueError, RecursionError):
        return None


def _content(path: Path) -> str:
    """Raises `OSError` or `ValueError`, also for a link, a pipe, or a file that is too long."""
    handle = os.open(path, _READ)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or path.is_symlink():
            raise _RefusedError
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise _RefusedError
    return data.decode("utf-8")


def _as_json(manifest: Manifest) -> Mapping[str, object]:
    origin = manifest.origin
    return {
        "format": _FORMAT,
        "name": _printable(manifest.name),
        "files": [
            {"name": file.name, "size_bytes": file.size_bytes, "sha256": file.sha256}
            for file in manifest.files
        ],
        "origin": None
        if origin is None
        else {
            "hub": {"kind": origin.hub.kind.value, "address": origin.hub.address},
            "repo": origin.repo,
            "revision": origin.revision,
        },
        "licence": _printable(manifest.licence),
        "quantization": _printable(manifest.quantization),
        "projector": manifest.projector,
    }


def _printable(text: str) -> str:
    """Hubs take what people type; a manifest with a line's end in a name would not be believed."""
    return "".join(filter(str.isprintable, text))[:_LONGEST_TEXT]


# --- reading: every function returns what it names, or raises ValueError -------------------------


def _manifest(content: Mapping[str, object]) -> Manifest:
    if content.get("format") != _FORMAT:
        raise _RefusedError
    files = _list(content.get("files"), _file)
    names = [file.name for file in files]
    projector = _text(content.get("projector", ""))
    if len({name.casefold() for name in names}) < len(names) or projector not in ("", *names):
        raise _RefusedError
    origin = content.get("origin")
    return Manifest(
        name=_text(content.get("name")),
        files=files,
        origin=None if origin is None else _origin(_mapping(origin)),
        licence=_text(content.get("licence", "")),
        quantization=_text(content.get("quantization", "")),
        projector=projector,
    )


def _file(content: Mapping[str, object]) -> FileRecord:
    name, sha256 = _text(content.get("name")), _text(content.get("sha256", ""))
    size_bytes = content.get("size_bytes")
    if type(size_bytes) is not int or not 0 <= size_bytes <= _LARGEST_FILE_BYTES:
        raise _RefusedError
    if not is_file_name(name) or not (sha256 == "" or is_sha256(sha256)):
        raise _RefusedError
    return FileRecord(name=name, size_bytes=size_bytes, sha256=sha256)


def is_sha256(text: str) -> bool:
    """64 hexadecimal digits in lower case."""
    return len(text) == 64 and _HEX.issuperset(text)


def _origin(content: Mapping[str, object]) -> Origin:
    hub = _mapping(content.get("hub"))
    return Origin(
        hub=Hub(kind=HubKind(_text(hub.get("kind"))), address=_text(hub.get("address"))),
        repo=_text(content.get("repo")),
        revision=_text(content.get("revision")),
    )


def _list(
    content: object, item: Callable[[Mapping[str, object]], FileRecord]
) -> tuple[FileRecord, ...]:
    if not isinstance(content, list) or not 0 < len(content) <= _MOST_FILES:
        raise _RefusedError
    return tuple(item(_mapping(part)) for part in content)


def _mapping(content: object) -> Mapping[str, object]:
    if not isinstance(content, dict):
        raise _RefusedError
    return content


def _text(content: object) -> str:
    """Printable, since people see it: no end of line, nothing that turns the writing round."""
    if not isinstance(content, str) or len(content) > _LONGEST_TEXT:
        raise _RefusedError
    if content and not content.isprintable():
        raise _RefusedError
    return content
