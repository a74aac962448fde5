"""Looks at what a person brings: files, folders, a whole stick. Copies nothing and changes nothing;
what can not be used comes back with the reason. Any thread that may wait for a disk.
"""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from engine.errors import Cancelled
from engine.models.library.cache import ScanCache
from engine.models.library.disks import is_removable
from engine.models.library.entries import listed
from engine.models.library.findings import find_out
from engine.models.library.groups import Candidate
from engine.models.library.notes import NOTES
from engine.models.library.places import Place
from engine.models.library.plain_files import opened
from engine.models.library.scan import scan
from engine.models.library.walk import look
from engine.models.onnx_folder import CONFIG
from engine.types.cancel import CancelToken
from engine.types.library import Brought, InstalledModel, Owner, Trouble

_MAGIC = b"GGUF"


def look_at(
    paths: Sequence[Path], cancel: CancelToken, *, cache: ScanCache | None = None
) -> Brought:
    """A file stands for its whole model: the other parts and the projector beside it come along.
    A path where nothing of use lies is refused itself, a model that can not be used by its own.
    Raises `Cancelled` only."""
    headers = cache or ScanCache(None)
    wanted = tuple(dict.fromkeys(map(_absolute, paths)))
    by_path = {path: _models(path, headers, cancel) for path in wanted}
    found = {model.path: model for models in by_path.values() for model in models}
    usable = tuple(model for model in found.values() if model.usable)
    return Brought(
        models=usable,
        refused=tuple(_refused(by_path, found.values()).items()),
        removable=any(is_removable(file) for model in usable for file in model.files),
        size_bytes=sum(model.size_bytes for model in usable),
    )


def _refused(
    by_path: Mapping[Path, Sequence[InstalledModel]], found: Iterable[InstalledModel]
) -> dict[Path, Trouble]:
    """A projector that was brought with its model is no refusal."""
    refused = {model.path: model.trouble for model in found if model.trouble is not None}
    along = {file for model in found if model.usable for file in model.files}
    nothing = (path for path, models in by_path.items() if not models)
    refused |= {path: _why_nothing(path) for path in nothing}
    return {path: trouble for path, trouble in refused.items() if path not in along}


def _absolute(path: Path) -> Path:
    """Without a look at the disk: links keep their names, which say what they lead to."""
    return Path(os.path.abspath(path))  # noqa: PTH100  Path.absolute keeps ".."


def _models(path: Path, headers: ScanCache, cancel: CancelToken) -> tuple[InstalledModel, ...]:
    if cancel.cancelled:
        raise Cancelled
    place = _place(path)
    if place is None:
        return ()
    models = scan([Place(place, Owner.PERSON)], headers, cancel)
    found = tuple(model for model in models if model.trouble is not Trouble.GONE)
    return found or _under_another_name(place)


def _place(path: Path) -> Path | None:
    """Where to look. Any file of an ONNX folder stands for the folder, and so does a note of ours.
    None for what is not there."""
    if not os.path.exists(path):  # noqa: PTH110  Path.exists raises where it may not look
        return None
    of_folder = path.name in NOTES or os.path.exists(path.parent / CONFIG)  # noqa: PTH110
    return path.parent if of_folder and path.is_file() else path


def _under_another_name(path: Path) -> tuple[InstalledModel, ...]:
    """A model in a file that is not called so, such as Ollama's."""
    file = look(path)
    if file is None or not _begins_like_a_model(path):
        return ()
    candidate = Candidate(path=path, files=(file,))
    finding = find_out(candidate)
    return () if finding is None else (listed(candidate, finding, Owner.PERSON, None).model,)


def _begins_like_a_model(path: Path) -> bool:
    try:
        with opened(path) as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _why_nothing(path: Path) -> Trouble:
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            os.scandir(path).close()
        elif stat.S_ISREG(kind):
            path.open("rb").close()
    except FileNotFoundError:
        return Trouble.GONE
    except (OSError, ValueError):
        return Trouble.UNREADABLE
    return Trouble.NOT_A_CHAT_MODEL
