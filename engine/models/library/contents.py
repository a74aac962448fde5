"""What a model consists of, and what its files are called in a folder of Snug's. Reads sizes and
manifests, no content; any thread that may wait for a disk."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.errors import ModelMissing, PartsMissing
from engine.models.library.naming import safe_name
from engine.models.library.notes import NOTES
from engine.models.library.plain_files import size_of, stated_hash
from engine.types.library import FileRecord, InstalledModel, Manifest
from engine.types.models import ModelFormat

_ENDING = ".gguf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A file to be copied: from `source` to `name` (slashes between folders) in the model's new
    folder. `sha256` is "" where nobody has told."""

    source: Path
    name: str
    size_bytes: int
    sha256: str = ""


def folder_of(model: InstalledModel) -> Path:
    """Where its files lie."""
    return model.path if model.format is ModelFormat.ONNX else model.path.parent


def inner_name(model: InstalledModel, path: Path) -> str:
    """What a manifest in the model's folder calls this file of it."""
    folder = folder_of(model)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name


def own_files(model: InstalledModel) -> tuple[Path, ...]:
    """Without the notes that lie beside, which everybody writes anew."""
    return tuple(path for path in model.files if inner_name(model, path) not in NOTES)


def expected_hash(model: InstalledModel, path: Path) -> str:
    """As the manifest says, or the file's own name; "" where nobody has told. Raises `OSError`."""
    name = inner_name(model, path)
    known = model.manifest.files if model.manifest is not None else ()
    hashes = (record.sha256 for record in known if record.name == name)
    return next(hashes, "") or stated_hash(path)


def pieces_of(model: InstalledModel) -> tuple[Piece, ...]:
    """What is loaded comes first. Raises `PartsMissing` or `ModelMissing`."""
    if model.missing:
        raise PartsMissing(model.path, model.missing)
    if not model.files:
        raise ModelMissing(model.path)
    names = _names(model)
    paths = sorted(own_files(model), key=lambda path: path != model.path)
    return tuple(_piece(model, path, names[path]) for path in paths)


def _piece(model: InstalledModel, path: Path, name: str) -> Piece:
    try:
        size_bytes, sha256 = size_of(path), expected_hash(model, path)
    except OSError as error:
        raise ModelMissing(path, str(error)) from error
    return Piece(source=path, name=name, size_bytes=size_bytes, sha256=sha256)


def _names(model: InstalledModel) -> Mapping[Path, str]:
    """Distinct ones, also where a disk does not tell capital letters from small ones."""
    names: dict[Path, str] = {}
    taken: set[str] = set()
    for path in own_files(model):
        name = wanted = _name(model, path)
        number = 2
        while name.casefold() in taken:
            name, number = f"{number}-{wanted}", number + 1
        taken.add(name.casefold())
        names[path] = name
    return names


def _name(model: InstalledModel, path: Path) -> str:
    if model.format is ModelFormat.ONNX:
        return "/".join(safe_name(part) for part in inner_name(model, path).split("/"))
    if path.name.lower().endswith(_ENDING):
        return safe_name(path.name)
    kind = "mmproj-" if path == model.projector else ""
    return safe_name(f"{kind}{safe_name(model.name)}{_ENDING}")


def loaded_path(model: InstalledModel, pieces: tuple[Piece, ...], folder: Path) -> Path:
    """What `model.path` is in its new folder."""
    inside = (piece.name for piece in pieces if piece.source == model.path)
    return folder.joinpath(next(inside, ""))


def manifest_of(
    model: InstalledModel, pieces: tuple[Piece, ...], hashes: Mapping[str, str]
) -> Manifest:
    """For the new folder; `hashes` by the names there."""
    told = model.manifest
    projector = (piece.name for piece in pieces if piece.source == model.projector)
    return Manifest(
        name=model.name,
        files=tuple(
            FileRecord(name=piece.name, size_bytes=piece.size_bytes, sha256=hashes[piece.name])
            for piece in pieces
        ),
        origin=told.origin if told is not None else None,
        licence=told.licence if told is not None else "",
        quantization=model.quantization,
        projector=next(projector, ""),
    )
