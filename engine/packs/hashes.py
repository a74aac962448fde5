"""Reads the files of a pack again and compares them with what was signed. Seconds for a large one;
changes nothing; any thread.
"""

from enum import StrEnum
from pathlib import Path

from engine.packs import disk
from engine.types.packs import Manifest


class Finding(StrEnum):
    """What a look at a pack's files found."""

    FINE = "fine"
    DAMAGED = "damaged"
    """A file is not there or is not the one that was signed."""
    UNREADABLE = "unreadable"
    """A file is there and could not be read: nothing is known of it."""
    DIFFERENT = "different"
    """The files that were signed are there, but something beside them is not as it was."""


def read_again(folder: Path, manifest: Manifest) -> tuple[Finding, str]:
    """With the first file that is damaged, or else the first that can not be read."""
    unreadable = ""
    for file in manifest.files:
        try:
            if not disk.holds(_path(folder, file.path), file.size_bytes, file.sha256):
                return Finding.DAMAGED, file.path
        except OSError:
            unreadable = unreadable or file.path
    return (Finding.UNREADABLE, unreadable) if unreadable else (Finding.FINE, "")


def _path(folder: Path, name: str) -> Path:
    return folder.joinpath(*name.split("/"))
