"""The folder of licences in the program, and its table of contents for the About box."""

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from freeze.components import Component

INDEX = "index.json"


def write(folder: Path, components: Iterable[Component]) -> list[str]:
    """Copies every text; names of the components that have none, which is a fault."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    entries, without = [], []
    for component in components:
        names = _copy(component, folder / _file_name(component.name))
        entries.append(
            {
                "name": component.name,
                "version": component.version,
                "licence": component.licence,
                "files": [f"{_file_name(component.name)}/{name}" for name in names],
            }
        )
        if not names:
            without.append(component.name)
    text = json.dumps(entries, indent=1, ensure_ascii=False)
    (folder / INDEX).write_text(text + "\n", encoding="utf-8")
    return without


def _copy(component: Component, folder: Path) -> list[str]:
    names: list[str] = []
    for text in component.texts:
        folder.mkdir(exist_ok=True)
        name = _free_name(text.name, names)
        shutil.copyfile(text, folder / name)
        names.append(name)
    return names


def _free_name(name: str, taken: list[str]) -> str:
    return name if name not in taken else f"{len(taken)}-{name}"


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", name)
