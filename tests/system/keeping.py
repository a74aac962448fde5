"""A process of its own that copies a model or moves a library, so that a test can kill it.

    python -m tests.system.keeping copy SOURCE_FILE LIBRARY
    python -m tests.system.keeping move LIBRARY TARGET SETTING_FILE
    python -m tests.system.keeping fill SOURCE_FILE LIBRARY      (without a reserve)

It says "ready" before it begins, and the code of the error it ends with, if any.
"""

import sys
from pathlib import Path

from engine.errors import EngineError
from engine.models.library import disks
from engine.models.library.copying import copy_in
from engine.models.library.moving import move_library
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel, Owner
from engine.types.models import ModelFormat


def model_at(path: Path) -> InstalledModel:
    return InstalledModel(
        id="id",
        name="Tiny",
        path=path,
        files=(path,),
        size_bytes=path.stat().st_size,
        owner=Owner.PERSON,
        format=ModelFormat.GGUF,
        facts=None,
    )


def use(setting: Path, folder: Path) -> None:
    """As a settings file is written: whole or not at all."""
    new = setting.with_suffix(".new")
    new.write_text(str(folder))
    new.replace(setting)


def main(what: str, source: Path, target: Path, *more: Path) -> None:
    if what == "fill":
        disks.RESERVE_BYTES = -(1 << 40)
    print("ready", flush=True)
    if what == "move":
        move_library(
            source, target, lambda _: None, CancelToken(), switch=lambda: use(more[0], target)
        )
    else:
        copy_in(model_at(source), target, lambda _: None, CancelToken())


if __name__ == "__main__":
    try:
        main(sys.argv[1], *map(Path, sys.argv[2:]))
    except EngineError as error:
        print(error.code)
        sys.exit(3)
