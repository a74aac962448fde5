"""A model in several files, `name-00001-of-00003.gguf` and on: which ones belong together, and what
their headers say as one. Any thread but the window's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from engine.errors import ModelDamaged, ModelMissing
from engine.models.cursor import quoted
from engine.models.gguf import TENSORS_LIMIT, GgufHeader, read_header
from engine.models.strangers import whole
from engine.models.tensors import TensorInfo
from engine.types.parts import part_name

PARTS_LIMIT = 65_535
"""What the two bytes of `split.count` hold."""


def find_parts(path: Path) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """The files of the set that `path` is named after and that are there, in order, and the names
    of those that are not. A file that stands alone is a set of one."""
    name = part_name(path.name)
    if name is None:
        return (path,), ()
    there = {sibling: path.with_name(sibling) for sibling in name.all if _is_file(path, sibling)}
    missing = tuple(sibling for sibling in name.all if sibling not in there)
    return tuple(there.values()), missing


def first_part(path: Path) -> Path:
    """What is loaded when `path` is named: llama.cpp only takes the first part of a set. `path`
    itself if it stands alone or the first one is not there."""
    name = part_name(path.name)
    if name is None or name.part == 1 or not _is_file(path, name.sibling(1)):
        return path
    return path.with_name(name.sibling(1))


def split_of(header: GgufHeader) -> tuple[int, int]:
    """Which part of how many, as the header says; 1 of 1 for a whole model, 0 where it does not say
    which. Files count from 0, people from 1."""
    parts = whole(header.metadata.get("split.count"), 2, PARTS_LIMIT)
    if parts is None:
        return 1, 1
    index = whole(header.metadata.get("split.no"), 0, parts - 1)
    return (0 if index is None else index + 1), parts


def read_model(path: Path) -> tuple[Path, GgufHeader]:
    """The header of a model and the file to load it from: of all its parts if they are there, else
    of the first that is. Raises a `ModelFileError`."""
    path = first_part(path)
    header = read_header(path)
    if split_of(header)[1] == 1:
        return path, header
    paths, missing = find_parts(path)
    if missing or len(paths) == 1:
        return path, header
    return path, merge_headers([header, *map(read_header, paths[1:])], path)


def merge_headers(headers: Sequence[GgufHeader], path: Path = Path()) -> GgufHeader:
    """One header out of those of all parts, in order: what the first says, the tensors of all.

    Offsets of tensors stay those in their own file. Raises `ModelDamaged` for parts that do not
    belong together.
    """
    for index, header in enumerate(headers):
        if split_of(header) != (index + 1, len(headers)):
            raise ModelDamaged(path, f"part {index + 1} says it is part {split_of(header)}")
    first = headers[0]
    return replace(
        first,
        tensors=_tensors(path, headers),
        file_size=sum(header.file_size for header in headers),
        files=len(headers),
    )


def _tensors(path: Path, headers: Iterable[GgufHeader]) -> tuple[TensorInfo, ...]:
    tensors: dict[str, TensorInfo] = {}
    for header in headers:
        for tensor in header.tensors:
            if tensor.name in tensors:
                raise ModelDamaged(path, f"two parts have the tensor {quoted(tensor.name)}")
            tensors[tensor.name] = tensor
    if len(tensors) > TENSORS_LIMIT:
        raise ModelDamaged(path, f"{len(tensors)} tensors")
    return tuple(tensors.values())


def _is_file(beside: Path, name: str) -> bool:
    try:
        return beside.with_name(name).is_file()
    except (OSError, ValueError) as error:
        raise ModelMissing(beside, str(error)) from error
