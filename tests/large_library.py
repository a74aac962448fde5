"""The library of a person who tries everything: 30 models whose headers hold vocabularies of
262,144 tokens, each in a folder with its manifest, as sparse files. Never load one."""

from pathlib import Path

from engine.models.library.manifest import write_manifest
from engine.types.library import FileRecord, Manifest
from tests import ggufs, zoo

MODELS = 30
_ANIMAL = "gemma3-4b"


def write_library(folder: Path) -> int:
    """Writes them, each with a name of its own; how many."""
    animal = zoo.ZOO[_ANIMAL]
    metadata, tensors = animal.metadata(), animal.tensors()
    head = ggufs.header(metadata, tensors)
    size_bytes = len(head) + ggufs.data_bytes(tensors)
    for number in range(MODELS):
        place = folder / f"Gemma {number}" / f"gemma-{number:02d}-Q4_K_M.gguf"
        place.parent.mkdir(parents=True)
        with place.open("wb") as file:
            file.write(head)
            file.truncate(size_bytes)
        record = FileRecord(name=place.name, size_bytes=size_bytes)
        write_manifest(place.parent, Manifest(name=f"Gemma {number}", files=(record,)))
    return MODELS
