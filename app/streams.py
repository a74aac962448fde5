"""Somewhere to write to, for a program that was started without a console. Imports little: it runs
before everything else."""

import os
import sys
from pathlib import Path
from typing import TextIO

from app.paths import find


def give_streams() -> None:
    """A program without a console has no output streams: give it a file before anybody writes."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, _output_file())


def _output_file() -> TextIO:
    folder = find().log
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return (folder / "output.log").open("a", encoding="utf-8", buffering=1)
    except OSError:
        return Path(os.devnull).open("a", encoding="utf-8")
