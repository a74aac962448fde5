"""Replaces a small file in one step: whoever reads meanwhile sees the old one or the new one.

Any thread that may wait for the disk.
"""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes, *, lasting: bool = False) -> None:
    """`lasting`: through a power cut too, where the system can do that. Its folder must be there.
    Raises `OSError`; the file is then as it was, and nothing lies beside it."""
    handle, name = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    if lasting:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """New names in it last only then. Windows opens no folders; there the file system sees to
    it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
