"""A place for one start, where the person's own folder can not be written: a kiosk, a stick with a
switch, somebody else's home. What is there can be read and gone on with; nothing of it is kept.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.paths import Paths


@contextmanager
def borrowed(paths: Paths) -> Iterator[Paths]:
    """A folder that nobody else can read and that is gone afterwards, with copies of the chats and
    settings of `paths`, its models and packs. Raises `OSError` where there is no place for one."""
    with tempfile.TemporaryDirectory(prefix="snug-", ignore_cleanup_errors=True) as folder:
        place = Paths(data=Path(folder), log=Path(folder) / "log")
        for original, copy in _copied(paths, place):
            _copy(original, copy)
        if os.path.isdir(paths.models):  # noqa: PTH112  Path.is_dir raises where it may not look
            _lead_to(paths.models, place.models)
        _lead_to(paths.packs, place.packs)  # with none there none can be added, for no next start
        yield place


def _copied(paths: Paths, place: Paths) -> Iterator[tuple[Path, Path]]:
    """The journal after its database: what was said last may be in no other file yet."""
    yield paths.database, place.database
    journal = f"{paths.database.name}-wal"
    yield paths.data / journal, place.data / journal
    yield paths.settings, place.settings
    yield paths.lessons, place.lessons


def _copy(original: Path, copy: Path) -> None:
    """With its content only: what can not be written would stay so."""
    try:
        shutil.copyfile(original, copy)
    except OSError:  # not there, or not to be read either
        copy.unlink(missing_ok=True)  # half a file is worse than none


def _lead_to(folder: Path, place: Path) -> None:
    with suppress(OSError):  # Windows wants a right for it
        place.symlink_to(folder, target_is_directory=True)
