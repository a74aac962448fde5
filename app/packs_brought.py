"""Packs among the files that a person hands over: which are for this computer, and adding those.

A stick carries packs for three systems: those that are not for this one are passed over in silence,
unless none is for it. Blocks; not for the window's thread.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from app.packs import importer, shelf
from app.paths import Paths
from engine.errors import Cancelled, NoSpace, PackRefused
from engine.packs.install import Importer
from engine.packs.store import listed
from engine.types.cancel import CancelToken
from engine.types.packs import Manifest, PackProblem, PackState

SUFFIX = ".pack"
_DEEPEST = 2
"""Folders in a folder that was handed over: a stick, its "packs"."""
_MOST_ENTRIES = 2000
_FOR_OTHERS = (
    PackProblem.OTHER_SYSTEM,
    PackProblem.OTHER_PROCESSOR,
    PackProblem.OTHER_BUILD,
    PackProblem.OTHER_INTERFACE,
)
"""The nearer to this computer, the later."""
_STRANGERS = (PackProblem.NOT_A_PACK, PackProblem.MANIFEST_MISSING)
"""What other programs' files of the same name are: version control has such."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackOffer:
    """A pack that one of ours signed, for this computer. Its files were not looked at yet."""

    path: Path
    manifest: Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class PacksFound:
    """`offers` can be added, `there` are in use already, `refused` says why others can not be.
    `rest` is everything else that was handed over, folders included, and `folders` those of them
    that held packs."""

    offers: tuple[PackOffer, ...] = ()
    there: tuple[PackOffer, ...] = ()
    refused: tuple[PackRefused, ...] = ()
    rest: tuple[Path, ...] = ()
    folders: frozenset[Path] = frozenset()

    @property
    def any(self) -> bool:
        """There is something to say of packs."""
        return bool(self.offers or self.there or self.refused)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one offer: `error` is None where it was added."""

    offer: PackOffer
    error: PackRefused | NoSpace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """How far adding `offer` and all others is, 0 to 1. `trying`: its files are in their place, and
    a child process tries it, which may take a minute."""

    offer: PackOffer
    fraction: float
    trying: bool = False


@dataclass(slots=True)
class _Sorting:
    """What was found so far."""

    good: dict[str, PackOffer] = field(default_factory=dict)
    for_others: list[PackRefused] = field(default_factory=list)
    refused: list[PackRefused] = field(default_factory=list)

    def add(self, offer: PackOffer) -> None:
        """Of two with one id the newer counts."""
        known = self.good.get(offer.manifest.pack_id)
        if known is None or known.manifest.created < offer.manifest.created:
            self.good[offer.manifest.pack_id] = offer

    def refuse(self, error: PackRefused, *, named: bool) -> None:
        """`named`: a person handed over this very file."""
        if error.problem in _FOR_OTHERS:
            self.for_others.append(error)
        elif named or error.problem not in _STRANGERS:
            self.refused.append(error)


def look_at(paths: Paths, handed: Sequence[Path], cancel: CancelToken) -> PacksFound:
    """Adds nothing. Raises `Cancelled` only."""
    found, rest, folders = _Sorting(), [], set()
    look = importer(paths, cancel)
    for path in dict.fromkeys(handed):
        is_folder = os.path.isdir(path)  # noqa: PTH112  Path.is_dir raises where it may not look
        inside = [*_packs_in(path)] if is_folder else []
        named = _is_pack(path) and not is_folder
        for pack in [path] if named else inside:
            if cancel.cancelled:
                raise Cancelled
            _look_at(pack, look, found, named=named)
        if inside:
            folders.add(path)
        if not named:
            rest.append(path)
    return _sorted(paths, found, tuple(rest), frozenset(folders))


def _look_at(pack: Path, look: Importer, found: _Sorting, *, named: bool) -> None:
    try:
        found.add(PackOffer(path=pack, manifest=look.look(pack)))
    except PackRefused as error:
        found.refuse(error, named=named)


def _sorted(
    paths: Paths, found: _Sorting, rest: tuple[Path, ...], folders: frozenset[Path]
) -> PacksFound:
    good = sorted(found.good.values(), key=lambda offer: offer.manifest.pack_id)
    in_use = _in_use(paths) if good else {}
    there = [offer for offer in good if _is_there(offer, in_use)]
    refused = [*found.refused, *([] if good else _nearest(found.for_others))]
    return PacksFound(
        offers=tuple(offer for offer in good if offer not in there),
        there=tuple(there),
        refused=tuple(refused),
        rest=rest,
        folders=folders,
    )


def _in_use(paths: Paths) -> dict[str, Manifest]:
    return {
        pack.pack_id: pack.manifest
        for pack in listed(shelf(paths))
        if pack.state is PackState.IN_USE and pack.manifest is not None
    }


def _is_there(offer: PackOffer, in_use: dict[str, Manifest]) -> bool:
    """It, or a newer one."""
    known = in_use.get(offer.manifest.pack_id)
    return known is not None and known.created >= offer.manifest.created


def _nearest(refused: Iterable[PackRefused]) -> list[PackRefused]:
    """One of those that are for others says enough: that which is nearly for us."""
    by_nearness = sorted(refused, key=lambda error: _FOR_OTHERS.index(PackProblem(error.problem)))
    return by_nearness[-1:]


def _is_pack(path: Path) -> bool:
    return path.suffix.lower() == SUFFIX


def _packs_in(folder: Path) -> Iterator[Path]:
    """Files that are called so, in it and not far below. What can not be read has none."""
    waiting, looked = [(folder, 0)], 0
    while waiting:
        place, depth = waiting.pop(0)
        for entry in _entries(place):
            looked += 1
            if looked > _MOST_ENTRIES:
                return
            if _is_folder(entry) and depth < _DEEPEST:
                waiting.append((Path(entry.path), depth + 1))
            elif _is_pack(Path(entry.name)) and os.path.isfile(entry.path):  # noqa: PTH113  as above
                yield Path(entry.path)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    with suppress(OSError):
        return entry.is_dir(follow_symlinks=False)
    return False


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    with suppress(OSError), os.scandir(folder) as inside:
        return sorted(inside, key=lambda entry: entry.name)
    return []


# --- adding -------------------------------------------------------------------------------------


def add(
    paths: Paths,
    offers: Sequence[PackOffer],
    heard: Callable[[Advance], None],
    cancel: CancelToken,
) -> tuple[Outcome, ...]:
    """One after the other; what went wrong with one stops no other. `cancel` ends it: what was
    added before stays, and the rest has no outcome. They are used from the next start on. Raises
    `ProgramReplaced` where Snug was updated meanwhile: none can be tried any more."""
    outcomes: list[Outcome] = []
    total_bytes = max(sum(offer.manifest.size_bytes for offer in offers), 1)
    done_bytes = 0
    for offer in offers:
        with suppress(Cancelled):
            error = _add(paths, offer, _part(offer, heard, done_bytes, total_bytes), cancel)
            outcomes.append(Outcome(offer=offer, error=error))
        if cancel.cancelled:
            break
        done_bytes += offer.manifest.size_bytes
    return tuple(outcomes)


def _part(
    offer: PackOffer, heard: Callable[[Advance], None], before_bytes: int, total_bytes: int
) -> Callable[[int, int], None]:
    def tell(done_bytes: int, of_bytes: int) -> None:
        fraction = min((before_bytes + done_bytes) / total_bytes, 1.0)
        heard(Advance(offer=offer, fraction=fraction, trying=done_bytes >= of_bytes))

    return tell


def _add(
    paths: Paths, offer: PackOffer, heard: Callable[[int, int], None], cancel: CancelToken
) -> PackRefused | NoSpace | None:
    """Why it could not be added. Raises `Cancelled`."""
    work = importer(paths, cancel)
    try:
        work.run(offer.path, heard, cancel)
    except PackRefused as error:
        if error.problem == PackProblem.NO_SPACE:
            return _lacking(work, offer) or error
        return error
    return None


def _lacking(work: Importer, offer: PackOffer) -> NoSpace | None:
    """With numbers, where the disk tells them and still lacks room."""
    with suppress(OSError):
        needed_bytes, free_bytes = work.room(offer.manifest)
        if needed_bytes > free_bytes:
            return NoSpace(work.shelf.folder, needed_bytes, free_bytes)
    return None
