"""Models in folders without rules of their own: Snug's library, a stick, a person's folder, and
those of LM Studio and GPT4All. Never opens a file; any thread but the window's.
"""

from collections.abc import Iterator
from pathlib import Path

from engine.models.library.groups import Candidate, group
from engine.models.library.pairing import is_called_projector
from engine.models.library.walk import FoundFile, FoundFolder, is_model_file, look, walk
from engine.models.onnx_folder import CONFIG
from engine.types.cancel import CancelToken
from engine.types.models import ModelFormat

_UNFINISHED = "incomplete"
_FILES_OF_A_FOLDER = 1_000
Batch = tuple[Candidate, ...]
"""Candidates among which a projector may belong to a model."""


def read_plain(place: Path, cancel: CancelToken) -> Iterator[Batch]:
    """Of every folder below `place`, or of a single file. Raises `Cancelled`."""
    if is_model_file(place.name) and look(place) is not None:
        yield _one(place, cancel)
        return
    for folder in walk(place, cancel):
        yield batch(folder)


def read_gpt4all(place: Path, cancel: CancelToken) -> Iterator[Batch]:
    """As `read_plain`, but for what GPT4All has not fetched whole yet, which it passes over too
    (gpt4all-chat/src/modellist.cpp of nomic-ai/gpt4all)."""
    for found in read_plain(place, cancel):
        yield tuple(one for one in found if not one.path.name.startswith(_UNFINISHED))


def batch(folder: FoundFolder) -> Batch:
    """The candidates of one folder."""
    if folder.is_model:
        return _onnx(folder.path)
    return group(folder.files)


def _one(file: Path, cancel: CancelToken) -> Batch:
    """Of its neighbours only those that may belong to it are looked into."""
    around = [found for folder in walk(file.parent, cancel, deepest=0) for found in folder.files]
    found = group(around)
    mine = [candidate for candidate in found if _holds(candidate, file)]
    eyes = [candidate for candidate in found if is_called_projector(candidate.path.name)]
    return tuple(dict.fromkeys((*mine, *eyes)))


def _holds(candidate: Candidate, file: Path) -> bool:
    return any(found.path == file for found in candidate.files)


def _onnx(folder: Path) -> Batch:
    """Begins with its configuration, which makes it a model."""
    config = look(folder / CONFIG)
    if config is None:
        return ()
    files = (config, *(file for file in _files(folder) if file.path.name != CONFIG))
    return (Candidate(path=folder, files=files, format=ModelFormat.ONNX),)


def _files(folder: Path) -> Iterator[FoundFile]:
    try:
        paths = sorted(folder.iterdir())[:_FILES_OF_A_FOLDER]
    except OSError:
        return
    for path in paths:
        file = look(path)
        if file is not None:
            yield file
