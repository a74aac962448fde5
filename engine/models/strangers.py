"""Reads JSON files that somebody else wrote: bounded, and nothing in them is believed."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.errors import ModelDamaged, ModelMissing

Record = Mapping[str, Any]

_TEXT_LIMIT_CHARACTERS = 200


def read_bytes(path: Path, limit_bytes: int) -> bytes:
    """Raises `ModelMissing`, also for a pipe or a device, or `ModelDamaged` for more than
    `limit_bytes`. Waits for no pipe."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ModelMissing(path, "not a regular file")
            data = file.read(limit_bytes + 1)
    except (OSError, ValueError) as error:
        raise ModelMissing(path, str(error)) from error
    if len(data) > limit_bytes:
        raise ModelDamaged(path, f"more than {limit_bytes} bytes")
    return data


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_record(path: Path, limit_bytes: int) -> Record:
    """An object of JSON. Raises `ModelMissing` or `ModelDamaged`."""
    try:
        content = json.loads(read_bytes(path, limit_bytes))
    except (ValueError, RecursionError) as error:
        raise ModelDamaged(path, f"no JSON: {error}"[:_TEXT_LIMIT_CHARACTERS]) from error
    if not isinstance(content, dict):
        raise ModelDamaged(path, "no JSON object")
    return content


def record(value: object) -> Record:
    """`value` if it is an object of JSON, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def whole(value: object, least: int, most: int) -> int | None:
    """`value` if it is a whole number within these bounds; a bool is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if least <= value <= most else None


def one_line(value: object) -> str:
    """Text fit to be shown: one line, no control characters, not endless; else empty."""
    if not isinstance(value, str):
        return ""
    printable = "".join(c if c.isprintable() else " " for c in value[:_TEXT_LIMIT_CHARACTERS])
    return " ".join(printable.split())
