"""A folder, or a single file, where models may lie, and whose it is. Nothing is opened here."""

from dataclasses import dataclass
from pathlib import Path

from engine.types.library import Owner


@dataclass(frozen=True, slots=True)
class Place:
    """`owner` also says how the folder is laid out: those of other programs have ways of their own.
    Of a single file only its model is listed, with the parts and the projector beside it."""

    folder: Path
    owner: Owner
