"""Changes what is installed: putting to use, going back, checking, removing.

No folder of a pack that may be in use is ever renamed or written to, beside its `.ok`: Windows
locks libraries that are loaded. One Snug at a time, by the lock of `alone`. Blocks; any thread.
"""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.errors import PackRefused
from engine.guard import lock
from engine.packs import stamp, store
from engine.packs.store import Shelf
from engine.types.packs import InstalledPack, Manifest, PackProblem, PackState

Sleep = Callable[[float], None]

_LOCK = ".lock"
_CHUNK_BYTES = 1 << 20
_PAUSES_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0, 2.0)
"""Between tries to move a folder: a virus scanner reads new libraries for seconds."""


@contextmanager
def alone(shelf: Shelf, asked_for: Path) -> Iterator[None]:
    """No other Snug changes packs meanwhile. An empty folder does not stay. Raises `PackRefused`,
    or an `OSError` where nothing can be written."""
    shelf.folder.mkdir(parents=True, exist_ok=True)
    try:
        held = _lock(shelf.folder / _LOCK, asked_for)
        try:
            yield
        finally:
            if held is not None:
                held.release(delete=True)
    finally:
        _drop_empty(shelf.folder)


def _lock(path: Path, asked_for: Path) -> lock.FileLock | None:
    """None on a disk that has no locks."""
    try:
        held = lock.take(path)
    except OSError:
        return None
    if held is None:
        raise PackRefused(asked_for, PackProblem.ALREADY_BUSY)
    return held


def clear(shelf: Shelf) -> None:
    """Remove what killed imports left, and packs of this build that are not to be used."""
    for left in shelf.folder.glob(f"{store.INCOMING}*"):
        shutil.rmtree(left, ignore_errors=True)
    for pack in store.listed(shelf):
        if pack.state is PackState.UNFINISHED:
            drop(pack.folder)


def drop(place: Path) -> None:
    """First its `.ok`. What can not be removed, because it is loaded, goes another time."""
    stamp.drop(place)
    shutil.rmtree(place, ignore_errors=True)
    for folder in place.parents[:2]:
        _drop_empty(folder)


def _drop_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def new_place(shelf: Shelf, manifest: Manifest) -> Path:
    """A folder of its own, so that no other has to give way."""
    packs = shelf.folder / manifest.build_id / manifest.pack_id
    taken = [int(path.name) for path in packs.glob("[1-9]*") if path.name.isdecimal()]
    return packs / str(1 + max(taken, default=0))


def move(source: Path, target: Path, sleep: Sleep = time.sleep) -> None:
    """Rename a folder, again while something holds it. Raises the last `OSError`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    for pause_s in _PAUSES_S:
        with suppress(PermissionError):
            source.rename(target)
            return
        sleep(pause_s)
    source.rename(target)


def put_to_use(shelf: Shelf, place: Path, manifest: Manifest) -> InstalledPack:
    """From now on it is this one. All but the one that was in use so far are removed."""
    packs = store.listed(shelf)
    stamp.write(place, manifest, 1 + max((pack.order for pack in packs), default=0))
    now = [pack for pack in store.listed(shelf) if _is(pack, manifest)]
    for pack in now:
        if pack.folder != place and pack.folder != _kept(now):
            drop(pack.folder)
    return next(pack for pack in now if pack.folder == place)


def _is(pack: InstalledPack, manifest: Manifest) -> bool:
    return (pack.build_id, pack.pack_id) == (manifest.build_id, manifest.pack_id)


def _kept(packs: list[InstalledPack]) -> Path | None:
    previous = (pack.folder for pack in packs if pack.state is PackState.PREVIOUS)
    return next(previous, None)


def restore(shelf: Shelf, pack_id: str) -> InstalledPack:
    """Go back to the previous pack; again, and it is forward. Raises `PackRefused`."""
    asked_for = Path(pack_id)
    with alone(shelf, asked_for):
        packs = _of(shelf, pack_id)
        for pack in packs:
            if pack.state is PackState.PREVIOUS and pack.manifest is not None:
                if wrong := first_wrong(pack.folder, pack.manifest):
                    raise PackRefused(asked_for, PackProblem.HASH_DIFFERS, wrong)
                return put_to_use(shelf, pack.folder, pack.manifest)
        raise PackRefused(asked_for, PackProblem.NOTHING_TO_RESTORE)


def remove(shelf: Shelf, pack_id: str) -> tuple[InstalledPack, ...]:
    """Of every build. What was removed. Raises `PackRefused`."""
    with alone(shelf, Path(pack_id)):
        packs = _of(shelf, pack_id)
        for pack in packs:
            drop(pack.folder)
        return packs


def check(shelf: Shelf, pack_id: str) -> tuple[tuple[InstalledPack, str], ...]:
    """Read all of a pack's files again: each pack with the name of its first wrong file, "" for
    none. A wrong one is not used any more; one whose files only look changed is used again. Raises
    `PackRefused`."""
    with alone(shelf, Path(pack_id)):
        found = [(pack, _checked(pack)) for pack in _of(shelf, pack_id)]
        now = {pack.folder: pack for pack in store.listed(shelf)}
        return tuple((now.get(pack.folder, pack), wrong) for pack, wrong in found)


def _checked(pack: InstalledPack) -> str:
    if pack.manifest is None:
        return "manifest.json"
    wrong = first_wrong(pack.folder, pack.manifest)
    if wrong:
        stamp.drop(pack.folder)
    elif pack.state is PackState.CHANGED:
        stamp.write(pack.folder, pack.manifest, pack.order)
    return wrong


def first_wrong(folder: Path, manifest: Manifest) -> str:
    for file in manifest.files:
        if _sha256(folder.joinpath(*file.path.split("/"))) != file.sha256:
            return file.path
    return ""


def _sha256(path: Path) -> str:
    """ "" for what can not be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _of(shelf: Shelf, pack_id: str) -> tuple[InstalledPack, ...]:
    """Raises `PackRefused` if there is none."""
    packs = tuple(pack for pack in store.listed(shelf) if pack.pack_id == pack_id)
    if not packs:
        raise PackRefused(Path(pack_id), PackProblem.NOT_INSTALLED)
    return packs
