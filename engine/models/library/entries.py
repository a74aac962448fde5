"""From files and what was found in them to a model in the list: its name, its projector, what is
wrong with it. Reads the manifest beside a model of Snug's own; any thread but the window's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.models.library.findings import Finding
from engine.models.library.groups import Candidate
from engine.models.library.manifest import read_manifest
from engine.models.library.titles import id_of, title
from engine.models.library.walk import FoundFile, look
from engine.types.library import InstalledModel, Manifest, Owner, Trouble
from engine.types.models import ModelFormat

_WITH_MANIFEST = (Owner.SNUG, Owner.PROGRAM, Owner.PERSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """`identity` is that of the file the model begins with: the same for the same bytes elsewhere.
    `called`: the name is one that a program gave it."""

    model: InstalledModel
    identity: tuple[int, int]
    called: bool


def listed(
    candidate: Candidate, finding: Finding, owner: Owner, projector: FoundFile | None
) -> Listed:
    manifest = _manifest(candidate) if owner in _WITH_MANIFEST else None
    projector = _stated_projector(candidate, manifest) or projector
    files = (*candidate.files, *([projector] if projector else []))
    trouble, missing = _against(candidate, finding, manifest)
    model = InstalledModel(
        id=id_of(candidate.path),
        name=_name(candidate, finding, manifest),
        path=candidate.path,
        files=tuple(file.path for file in files),
        size_bytes=sum(file.size_bytes for file in files),
        owner=owner,
        format=candidate.format,
        facts=finding.facts,
        projector=projector.path if projector else None,
        missing=missing,
        trouble=trouble,
        manifest=manifest,
    )
    return Listed(
        model=model, identity=candidate.files[0].identity, called=bool(candidate.name or manifest)
    )


def gone(path: Path, owner: Owner, last: Finding | None) -> InstalledModel:
    """A model that was here before; `last` is what was known of it."""
    facts = last.facts if last is not None else None
    return InstalledModel(
        id=id_of(path),
        name=title(facts.name if facts is not None else "", path),
        path=path,
        files=(),
        size_bytes=0,
        owner=owner,
        format=facts.format if facts is not None else ModelFormat.GGUF,
        facts=facts,
        trouble=Trouble.GONE,
    )


def name_of(path: Path, stated: str) -> str:
    """As a model at `path` is listed where no other program has a name for it; `stated` is what its
    header says."""
    manifest = read_manifest(path if path.is_dir() else path.parent)
    named = {file.name for file in manifest.files} if manifest is not None else set()
    if manifest is not None and manifest.name and (path.is_dir() or path.name in named):
        return manifest.name
    return title(stated, path)


def _name(candidate: Candidate, finding: Finding, manifest: Manifest | None) -> str:
    if manifest is not None and manifest.name:
        return manifest.name
    if candidate.name:
        return candidate.name
    stated = finding.facts.name if finding.facts is not None else ""
    return title(stated, candidate.path)


def _folder(candidate: Candidate) -> Path:
    return candidate.path if candidate.format is ModelFormat.ONNX else candidate.path.parent


def _manifest(candidate: Candidate) -> Manifest | None:
    """The one beside it, if it speaks of these files."""
    manifest = read_manifest(_folder(candidate))
    if manifest is None:
        return None
    named = {file.name for file in manifest.files}
    first = candidate.files[0].path.relative_to(_folder(candidate)).as_posix()
    return manifest if first in named else None


def _stated_projector(candidate: Candidate, manifest: Manifest | None) -> FoundFile | None:
    """Never the model itself: a manifest may come from anywhere."""
    found = look(_folder(candidate) / manifest.projector) if manifest is not None else None
    return found if found not in candidate.files else None


def _against(
    candidate: Candidate, finding: Finding, manifest: Manifest | None
) -> tuple[Trouble | None, tuple[str, ...]]:
    """What is wrong, and what is missing: of the set by names, and of what the manifest counts."""
    if candidate.missing and (finding.facts is None or finding.facts.parts > 1):
        return Trouble.PARTS_MISSING, candidate.missing
    if manifest is None or finding.trouble is not None:
        return finding.trouble, ()
    there = _sizes(candidate, manifest)
    missing = tuple(name for name, size in there.items() if size is None)
    if missing:
        return Trouble.PARTS_MISSING, missing
    return _wrong_size(there, manifest), ()


def _sizes(candidate: Candidate, manifest: Manifest) -> Mapping[str, int | None]:
    """Of each file but the projector, without which a model still speaks; None: not there."""
    names = [file.name for file in manifest.files if file.name != manifest.projector]
    found = {name: look(_folder(candidate) / name) for name in names}
    return {name: file.size_bytes if file is not None else None for name, file in found.items()}


def _wrong_size(there: Mapping[str, int | None], manifest: Manifest) -> Trouble | None:
    for file in manifest.files:
        size_bytes = there.get(file.name, file.size_bytes)
        if size_bytes is not None and size_bytes < file.size_bytes:
            return Trouble.CUT_OFF
        if size_bytes != file.size_bytes:
            return Trouble.DAMAGED
    return None
