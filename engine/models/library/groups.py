"""Which of the files in a folder are one model: parts belong together, by name. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.models.library.walk import FoundFile
from engine.types.models import ModelFormat
from engine.types.parts import PartName, part_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Files that may be a model. `path` is what would be loaded; `name` and `projector` are what
    the program they belong to says; "" and None where it says nothing."""

    path: Path
    files: tuple[FoundFile, ...]
    missing: tuple[str, ...] = ()
    format: ModelFormat = ModelFormat.GGUF
    name: str = ""
    projector: FoundFile | None = None

    @property
    def stamp(self) -> tuple[int, ...]:
        """Changes when a file does."""
        return tuple(
            number
            for file in self.files
            for number in (file.size_bytes, file.modified_ns, file.identity[1])
        )


def group(files: Iterable[FoundFile]) -> tuple[Candidate, ...]:
    """The models that the files of one folder make up, in the order of their names."""
    sets: dict[tuple[str, int], list[FoundFile]] = {}
    found: list[Candidate] = []
    for file in files:
        name = part_name(file.path.name)
        if name is None:
            found.append(Candidate(path=file.path, files=(file,)))
        else:
            sets.setdefault((name.stem, name.parts), []).append(file)
    found += [_whole(parts) for parts in sets.values()]
    return tuple(sorted(found, key=lambda candidate: candidate.path.name))


def _whole(parts: Sequence[FoundFile]) -> Candidate:
    """Its path is that of the first part, wherever that is."""
    ordered = sorted(parts, key=lambda part: part.path.name)
    name = part_name(ordered[0].path.name)
    assert isinstance(name, PartName)  # noqa: S101 - only files with such names come here
    there = {part.path.name for part in ordered}
    return Candidate(
        path=ordered[0].path.with_name(name.sibling(1)),
        files=tuple(ordered),
        missing=tuple(sibling for sibling in name.all if sibling not in there),
    )
