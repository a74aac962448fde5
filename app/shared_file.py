"""Small files of JSON that several Snugs change at the same time: read, changed and replaced in one
step under a lock, so that nobody loses what another has written. Waits for the disk.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.errors import from_os_error
from engine.guard.lock import held
from engine.guard.whole import replace_file

_LIMIT_BYTES = 4 << 20
_LOCK_S = 2.0
"""Another program holds it for a moment only; after that it is written all the same."""

Content = dict[str, Any]


def read_shared(path: Path) -> Content:
    """Empty where there is none, or nothing that makes sense."""
    with suppress(OSError, ValueError, RecursionError):
        with path.open("rb") as file:
            text = file.read(_LIMIT_BYTES + 1)
        content = json.loads(text) if len(text) <= _LIMIT_BYTES else None
        if isinstance(content, dict):
            return content
    return {}


def change_shared(path: Path, change: Callable[[Content], Content]) -> None:
    """Replace what the file holds now by what `change` makes of it. Raises `DiskFull` or
    `NotWritable`; the file is then as it was."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with held(path.with_name(f"{path.name}.lock"), _LOCK_S, delete=True):
            before = read_shared(path)
            after = change(json.loads(json.dumps(before)))
            if after != before:
                text = json.dumps(after, indent=1) + "\n"  # in ASCII: names need not be text
                replace_file(path, text.encode("ascii"), lasting=True)
    except OSError as error:
        raise from_os_error(path, error) from error
