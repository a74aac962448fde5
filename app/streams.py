"""Somewhere to write to, for a program that was started without a console, and a quiet end where
nothing can be written. Imports little: it runs before everything else."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from app.paths import find


def give_streams() -> None:
    """A program without a console has no output streams: give it a file before anybody writes."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, _output_file())


def let_go_of_streams() -> None:
    """At its very end Python writes what is left. Where nobody reads any more, or the disk is full,
    it would complain with words and an exit code of its own: what is left there is given up."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            _point_to_nowhere(stream)


def _point_to_nowhere(stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # it has no descriptor, or none any more
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _output_file() -> TextIO:
    folder = find().log
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return (folder / "output.log").open("a", encoding="utf-8", buffering=1)
    except OSError:
        return Path(os.devnull).open("a", encoding="utf-8")
