"""Models in the cache that programs of Hugging Face share: `models--org--name/snapshots/revision`
holds links to blobs (or the files themselves, where a system has no links).

Layout: huggingface_hub's guide "Understand caching". Any thread but the window's.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine.errors import ModelFileError
from engine.models.library.groups import Candidate
from engine.models.library.plain import Batch, batch
from engine.models.library.titles import plain_title
from engine.models.library.walk import subfolders, walk
from engine.models.strangers import read_bytes
from engine.types.cancel import CancelToken
from engine.types.models import ModelFormat

_PREFIX = "models--"
_REVISION_LIMIT_BYTES = 200


def read_hugging_face(cache: Path, cancel: CancelToken) -> Iterator[Batch]:
    """Of each repository every file once, from the newest revision that has it. Raises
    `Cancelled`."""
    for repository in subfolders(cache, cancel):
        if repository.name.startswith(_PREFIX):
            yield from _batches(repository, cancel)


def _batches(repository: Path, cancel: CancelToken) -> Iterator[Batch]:
    seen: set[Path] = set()
    for revision in _revisions(repository, cancel):
        for folder in walk(revision, cancel):
            found = batch(folder)
            new = [one for one in found if one.path.relative_to(revision) not in seen]
            seen.update(one.path.relative_to(revision) for one in new)
            yield tuple(_called(one, repository) for one in new)


def _revisions(repository: Path, cancel: CancelToken) -> list[Path]:
    """The one that `main` names first, then from new to old."""
    found = subfolders(repository / "snapshots", cancel)
    main = _main(repository)
    return sorted(found, key=lambda folder: (folder.name != main, -_modified_ns(folder)))


def _main(repository: Path) -> str:
    with suppress(ModelFileError, ValueError):
        data = read_bytes(repository / "refs" / "main", _REVISION_LIMIT_BYTES)
        return data.decode("ascii").strip()
    return ""


def _modified_ns(folder: Path) -> int:
    with suppress(OSError):
        return folder.stat().st_mtime_ns
    return 0


def _called(candidate: Candidate, repository: Path) -> Candidate:
    """An ONNX folder in a snapshot is called by a hash, or by a precision."""
    if candidate.format is not ModelFormat.ONNX:
        return candidate
    return replace(candidate, name=plain_title(repository.name.rpartition("--")[2]))
