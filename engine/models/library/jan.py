"""Models that Jan keeps: `llamacpp/models/<id>/model.yml` names a file, in Jan's data folder or
wherever the person had it, and its projector; older versions had `models/`.

Layout: extensions/llamacpp-extension/src/index.ts of janhq/jan. Any thread but the window's.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine.errors import ModelFileError
from engine.models.library.groups import Candidate, group
from engine.models.library.plain import Batch, read_plain
from engine.models.library.titles import plain_title
from engine.models.library.walk import FoundFile, look, subfolders
from engine.models.strangers import read_bytes
from engine.types.cancel import CancelToken
from engine.types.parts import part_name

_DESCRIPTION = "model.yml"
_DEPTH = 4
"""An id may have slashes."""
_LIMIT_BYTES = 64 << 10
_LINE = re.compile(r"(?P<key>[a-z_]+):\s+(?P<value>.+?)\s*")


def read_jan(data: Path, cancel: CancelToken) -> Iterator[Batch]:
    """`data` is Jan's data folder. Raises `Cancelled`."""
    for folder in _described(data / "llamacpp" / "models", cancel):
        found = _candidate(data, folder)
        if found is not None:
            yield (found,)
    yield from read_plain(data / "models", cancel)


def _described(models: Path, cancel: CancelToken) -> Iterator[Path]:
    folders = [models]
    for _ in range(_DEPTH):
        folders = [below for folder in folders for below in subfolders(folder, cancel)]
        yield from folders


def _candidate(data: Path, folder: Path) -> Candidate | None:
    description = _read(folder / _DESCRIPTION)
    model = _file(data, description.get("model_path", ""))
    if model is None:
        return None
    name = description.get("name", "").rpartition("/")[2]
    whole = _with_parts(model)
    projector = _file(data, description.get("mmproj_path", ""))
    return replace(whole, name=plain_title(name), projector=projector)


def _with_parts(model: FoundFile) -> Candidate:
    name = part_name(model.path.name)
    if name is None:
        return Candidate(path=model.path, files=(model,))
    parts = (look(model.path.with_name(sibling)) for sibling in name.all)
    return group(part for part in parts if part is not None)[0]


def _file(data: Path, stated: str) -> FoundFile | None:
    """Paths are relative to the data folder, or absolute. Never another kind of file."""
    with suppress(ValueError):
        return look(data / stated) if stated else None
    return None


def _read(path: Path) -> Mapping[str, str]:
    """Plain lines of `key: value`, which is all that Jan writes here; other YAML is passed over."""
    with suppress(ModelFileError, ValueError):
        if look(path) is not None:
            lines = read_bytes(path, _LIMIT_BYTES).decode("utf-8").splitlines()
            found = filter(None, map(_LINE.fullmatch, lines))
            return {line["key"]: _scalar(line["value"]) for line in found}
    return {}


def _scalar(text: str) -> str:
    """Plain, 'single' or "double" quoted."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if text.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(text))
    return text
