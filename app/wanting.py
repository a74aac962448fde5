"""From a model of a repository to what is to be downloaded: which files, under which names, into
which folder. The same choice gives the same download on every day. Pure."""

import hashlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from engine.models.library.naming import safe_name
from engine.types.downloads import Wanted, WantedFile
from engine.types.hub import HubFile, HubRepo, Offering
from engine.types.models import ModelFormat

_ENDINGS = ("-gguf", "_gguf", ".gguf", "-onnx", "_onnx")
_DIGITS = 6
"""Of the id, in the folder's name: two revisions of a model may be there at once."""


def wanted_for(
    title: str, repo: HubRepo, offering: Offering, library: Path, *, with_projector: bool
) -> Wanted:
    """Into a folder of its own below `library`."""
    files = offering.files
    if with_projector and offering.projector is not None:
        files = (*files, offering.projector)
    wanted_id = _id_of(repo, files)
    return Wanted(
        id=wanted_id,
        title=title,
        hub=repo.hub,
        repo=repo.id,
        revision=repo.revision,
        licence=repo.licence,
        files=_named(files, offering.format),
        folder=library / _folder_name(repo, offering, wanted_id),
        quantization=offering.quantization,
    )


def _id_of(repo: HubRepo, files: Sequence[HubFile]) -> str:
    parts = [repo.hub.address, repo.id, repo.revision, *sorted(file.path for file in files)]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:20]


def _folder_name(repo: HubRepo, offering: Offering, wanted_id: str) -> str:
    base = repo.id.rpartition("/")[2]
    for ending in _ENDINGS:
        if base.lower().endswith(ending):
            base = base[: -len(ending)]
    parts = [base, offering.quantization, wanted_id[:_DIGITS]]
    return safe_name("-".join(part for part in parts if part))


def _named(files: Sequence[HubFile], kind: ModelFormat) -> tuple[WantedFile, ...]:
    """Files of ONNX keep their folders below the one that all are in; others have none."""
    common = _common_folder(files) if kind is ModelFormat.ONNX else ""
    found: list[WantedFile] = []
    taken: set[str] = set()
    for file in files:
        name = _name(file.path, common, kind)
        while name.casefold() in taken:  # two folders of a repository may call files the same
            head, _, last = name.rpartition("/")
            name = f"{head}/_{last}" if head else f"_{last}"
        taken.add(name.casefold())
        size_bytes, sha256 = file.size_bytes, file.sha256
        found.append(WantedFile(path=file.path, name=name, size_bytes=size_bytes, sha256=sha256))
    return tuple(found)


def _name(path: str, common: str, kind: ModelFormat) -> str:
    if kind is ModelFormat.ONNX:
        inner = path.removeprefix(f"{common}/") if common else path
        return "/".join(safe_name(part) for part in inner.split("/"))
    return safe_name(path.rpartition("/")[2])


def _common_folder(files: Sequence[HubFile]) -> str:
    folders = [PurePosixPath(file.path).parent.parts for file in files]
    common: list[str] = []
    for names in zip(*folders, strict=False):
        if len(set(names)) > 1:
            break
        common.append(names[0])
    return "/".join(common)
