"""Changes what is installed: putting to use, going back, checking, removing.

No folder of a pack that may be in use is ever renamed or written to, beside its `.ok`: Windows
locks libraries that are loaded. One Snug at a time, by the lock of `alone`. Blocks; any thread.
"""

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import PackRefused
from engine.packs import disk, names, stamp, store
from engine.packs.alone import alone, drop_empty
from engine.packs.hashes import Finding, read_again
from engine.packs.stamp import Stamp
from engine.packs.store import Shelf
from engine.types.packs import InstalledPack, Manifest, PackProblem, PackState

Sleep = Callable[[float], None]

_PAUSES_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0, 2.0)
"""Between tries to move a folder: a virus scanner reads new libraries for seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A pack as it is after the check, and the file or folder that was found, "" for none."""

    pack: InstalledPack
    finding: Finding
    name: str


def clear(shelf: Shelf) -> None:
    """Remove what killed imports left."""
    for left in shelf.folder.glob(f"{store.INCOMING}*"):
        shutil.rmtree(left, ignore_errors=True)


def clear_unfinished(shelf: Shelf) -> None:
    """Remove packs of this build that are not to be used."""
    for pack in store.listed(shelf):
        if pack.state is PackState.UNFINISHED:
            _let_go(pack.folder)


def drop(place: Path) -> None:
    """First its `.ok`. What can not be removed, because it is loaded, goes another time."""
    stamp.drop(place)
    shutil.rmtree(place, ignore_errors=True)
    for folder in place.parents[:2]:
        drop_empty(folder)


def _let_go(place: Path) -> None:
    """Drop what is no longer needed; it is no matter where that can not be done."""
    with suppress(OSError):
        drop(place)


def new_place(shelf: Shelf, manifest: Manifest, asked_for: Path) -> Path:
    """A folder of its own, so that no other has to give way; it is not made, but what it lies in
    is. Raises `PackRefused` or `OSError`."""
    build = shelf.folder / manifest.build_id
    packs = build / manifest.pack_id
    for folder in (build, packs):
        folder.mkdir(0o755, exist_ok=True)
        if not disk.is_folder(folder.lstat()):
            raise PackRefused(asked_for, PackProblem.NOT_WRITABLE, f"{folder.name} is a link")
    for folder in (shelf.folder, build, packs):
        disk.close_to_others(folder)
    taken = [int(path.name) for path in packs.glob("[1-9]*") if path.name.isdecimal()]
    return packs / str(1 + max(taken, default=0))


def move(source: Path, target: Path, sleep: Sleep = time.sleep) -> None:
    """Rename a folder, again while something holds it. Raises the last `OSError`."""
    for pause_s in _PAUSES_S:
        with suppress(PermissionError):
            source.rename(target)
            return
        sleep(pause_s)
    source.rename(target)


def put_to_use(
    shelf: Shelf, place: Path, manifest: Manifest, seen: Stamp, asked_for: Path
) -> InstalledPack:
    """From now on it is this one, with its files as they were `seen`. All but the one that was in
    use so far are removed. Raises `PackRefused` if they changed since, or `OSError`; then no other
    pack was touched."""
    order = 1 + max((pack.order for pack in store.listed(shelf)), default=0)
    stamp.write(place, replace(seen, order=order))
    now = [pack for pack in store.listed(shelf) if _is(pack, manifest)]
    used = [pack for pack in now if pack.folder == place and pack.state is PackState.IN_USE]
    if not used:
        raise _not_usable(place, manifest, seen, asked_for)
    for pack in now:
        if pack.folder not in (place, _kept(now)):
            _let_go(pack.folder)
    return used[0]


def _not_usable(place: Path, manifest: Manifest, seen: Stamp, asked_for: Path) -> PackRefused:
    """Something else changed its folder, which the plug-in did if it was nobody else."""
    name = stamp.difference(place, manifest, seen)
    known = {*names.OURS, *(file.path for file in manifest.files)}
    added = name and name not in known
    problem = PackProblem.UNLISTED_FILE if added else PackProblem.HASH_DIFFERS
    return PackRefused(asked_for, problem, name)


def _is(pack: InstalledPack, manifest: Manifest) -> bool:
    return (pack.build_id, pack.pack_id) == (manifest.build_id, manifest.pack_id)


def _kept(packs: list[InstalledPack]) -> Path | None:
    previous = (pack.folder for pack in packs if pack.state is PackState.PREVIOUS)
    return next(previous, None)


def restore(shelf: Shelf, pack_id: str) -> InstalledPack:
    """Go back to the previous pack; again, and it is forward. Raises `PackRefused`."""
    asked_for = Path(pack_id)
    with alone(shelf.folder, asked_for):
        packs = _of(shelf, pack_id)
        for pack in packs:
            if pack.state is PackState.PREVIOUS and pack.manifest is not None:
                return _restored(shelf, pack, pack.manifest, asked_for)
        raise PackRefused(asked_for, PackProblem.NOTHING_TO_RESTORE)


def _restored(
    shelf: Shelf, pack: InstalledPack, manifest: Manifest, asked_for: Path
) -> InstalledPack:
    seen = stamp.taken(pack.folder, manifest, pack.order, shelf.version)
    finding, name = read_again(pack.folder, manifest)
    if finding is not Finding.FINE:
        unreadable = finding is Finding.UNREADABLE
        problem = PackProblem.UNREADABLE if unreadable else PackProblem.HASH_DIFFERS
        raise PackRefused(asked_for, problem, name)
    return put_to_use(shelf, pack.folder, manifest, seen, asked_for)


def remove(shelf: Shelf, pack_id: str) -> tuple[InstalledPack, ...]:
    """Of every build. What was removed. Raises `PackRefused`."""
    with alone(shelf.folder, Path(pack_id)):
        packs = _of(shelf, pack_id)
        for pack in packs:
            drop(pack.folder)
        return packs


def check(shelf: Shelf, pack_id: str) -> tuple[Checked, ...]:
    """Read all of a pack's files again. A damaged pack is not used any more, until its files are
    right again; one whose files only look changed is used again. What could not be read stays as
    it is. Raises `PackRefused`."""
    with alone(shelf.folder, Path(pack_id)):
        found = [(pack, *_checked(shelf, pack)) for pack in _of(shelf, pack_id)]
        now = {pack.folder: pack for pack in store.listed(shelf)}
        return tuple(
            Checked(pack=now.get(pack.folder, pack), finding=finding, name=name)
            for pack, finding, name in found
        )


def _checked(shelf: Shelf, pack: InstalledPack) -> tuple[Finding, str]:
    if pack.manifest is None:
        finding, name = _without_manifest(pack.folder), names.MANIFEST
    else:
        finding, name = _compared(shelf, pack, pack.manifest)
    if finding is Finding.DAMAGED:
        stamp.set_aside(pack.folder)
    return finding, name


def _without_manifest(place: Path) -> Finding:
    """It is not believed: because it is wrong, or because it can not be read?"""
    try:
        store.signed_words(place)
    except FileNotFoundError:
        return Finding.DAMAGED
    except OSError:
        return Finding.UNREADABLE
    return Finding.DAMAGED


def _compared(shelf: Shelf, pack: InstalledPack, manifest: Manifest) -> tuple[Finding, str]:
    aside = stamp.read_aside(pack.folder)
    order = pack.order or (aside.order if aside else 1)
    try:
        now = stamp.taken(pack.folder, manifest, order, shelf.version)  # before they are read
    except OSError:
        return read_again(pack.folder, manifest)
    finding, name = read_again(pack.folder, manifest)
    if finding is not Finding.FINE:
        return finding, name
    if name := stamp.difference(pack.folder, manifest, now):
        return Finding.DIFFERENT, name
    # One that has no stamp and never had was never tried.
    if pack.build_id == shelf.build_id and stamp.was_written(pack.folder):
        stamp.write(pack.folder, now)
    return finding, name


def _of(shelf: Shelf, pack_id: str) -> tuple[InstalledPack, ...]:
    """Raises `PackRefused` if there is none."""
    packs = tuple(pack for pack in store.listed(shelf) if pack.pack_id == pack_id)
    if not packs:
        raise PackRefused(Path(pack_id), PackProblem.NOT_INSTALLED)
    return packs
