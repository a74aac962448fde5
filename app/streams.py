"""Somewhere to write to, for a program that was started without a console, and a quiet end where
nothing can be written. Imports little: it runs before everything else."""

import locale
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from app.paths import find

_AS_IT_IS = {"UTF-8", "UTF8", "ANSI_X3.4-1968", "US-ASCII", "ASCII", "646"}
"""Plain ASCII is where no language is set. Everybody reads UTF-8 there by now."""


def give_streams() -> None:
    """A program without a console has no output streams: give it a file before anybody writes."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, _output_file())
        elif sys.flags.utf8_mode and sys.platform != "win32":
            _speak_as_the_terminal(getattr(sys, name))


def _speak_as_the_terminal(stream: object) -> None:
    """The frozen program takes UTF-8 for names of files everywhere, and so Python would for what it
    prints; a terminal may be set to GBK."""
    told = locale.getencoding()
    if told.upper() not in _AS_IT_IS and isinstance(stream, TextIOWrapper):
        with suppress(LookupError):  # Python does not know all that systems do
            stream.reconfigure(encoding=told, errors="replace")


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
