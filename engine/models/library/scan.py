"""The models on this computer: looks into every place, remembers what it saw, writes nothing there.

Any thread but the window's. A slow disk makes it wait; a cancel ends it before the next file.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from engine.errors import Cancelled
from engine.models.library.cache import ScanCache
from engine.models.library.entries import Listed, gone, listed
from engine.models.library.findings import Finding, find_out
from engine.models.library.groups import Candidate
from engine.models.library.hugging_face import read_hugging_face
from engine.models.library.jan import read_jan
from engine.models.library.ollama import read_ollama
from engine.models.library.pairing import Named, is_called_projector, pair
from engine.models.library.places import Place
from engine.models.library.plain import Batch, read_gpt4all, read_plain
from engine.models.library.walk import FoundFile, look
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel, Owner, Trouble
from engine.types.models import ModelKind
from engine.types.parts import part_name

__all__ = ["Place", "ScanCache", "scan"]

Read = Callable[[Path, CancelToken], Iterator[Batch]]
_READERS: Mapping[Owner, Read] = {
    Owner.OLLAMA: read_ollama,
    Owner.JAN: read_jan,
    Owner.GPT4ALL: read_gpt4all,
    Owner.HUGGING_FACE: read_hugging_face,
}
_RANK = {owner: place for place, owner in enumerate(Owner)}
"""Snug's own come first."""
_OURS = (Owner.SNUG, Owner.PROGRAM, Owner.PERSON)


def scan(
    places: Sequence[Place],
    cache: ScanCache,
    cancel: CancelToken,
    *,
    expected: Sequence[Path] = (),
) -> tuple[InstalledModel, ...]:
    """Every model in `places`, once each, Snug's own first, then by name.

    Of `expected` paths (a model that was chosen, or is used where a person keeps it) those that are
    no longer there are listed as GONE. `cache` is filled, not saved. Raises `Cancelled`.
    """
    wanted = tuple(dict.fromkeys(map(_loaded, expected)))
    found = _without_doubt([one for place in places for one in _models(place, cache, cancel)])
    models = _once_each(found, frozenset(wanted))
    known = {model.path for model in models}
    left = [path for path in wanted if path not in known]
    models += _left(left, places, cache, cancel)
    return tuple(sorted(models, key=_order))


def _loaded(path: Path) -> Path:
    """The path that a model in parts has here, whichever of them was named."""
    name = part_name(path.name)
    return path if name is None else path.with_name(name.sibling(1))


def _order(model: InstalledModel) -> tuple[int, str, str]:
    return _RANK[model.owner], model.name.casefold(), str(model.path)


def _models(place: Place, cache: ScanCache, cancel: CancelToken) -> Iterator[Listed]:
    read = _READERS.get(place.owner, read_plain)
    for batch in read(place.folder, cancel):
        yield from _batch(batch, place.owner, cache, cancel)


def _batch(batch: Batch, owner: Owner, cache: ScanCache, cancel: CancelToken) -> Iterator[Listed]:
    found = [(one, _known(one, cache, cancel)) for one in batch]
    known = [(one, finding) for one, finding in found if finding is not None]
    eyes = {one.path: one.files[0] for one, finding in known if _is_projector(one, finding)}
    models = [(one, finding) for one, finding in known if one.path not in eyes]
    pairs = pair(
        [_named(one, finding) for one, finding in models if finding.trouble is None],
        [_named(one, finding) for one, finding in known if one.path in eyes],
    )
    for one, finding in models:
        projector = one.projector or _of(eyes, pairs.get(one.path))
        yield listed(one, finding, owner, projector)


def _known(one: Candidate, cache: ScanCache, cancel: CancelToken) -> Finding | None:
    if cancel.cancelled:
        raise Cancelled
    if one.files[0].hidden:
        return Finding(facts=None, trouble=Trouble.UNREADABLE)
    finding = cache.get(one.path, one.stamp)
    if finding is None:
        finding = find_out(one)
        if finding is not None and finding.lasting:
            cache.put(one.path, one.stamp, finding)
    return finding


def _is_projector(one: Candidate, finding: Finding) -> bool:
    if finding.facts is None:
        return is_called_projector(one.path.name)
    return finding.facts.kind is ModelKind.PROJECTOR


def _named(one: Candidate, finding: Finding) -> Named:
    return Named(path=one.path, stated=finding.facts.name if finding.facts is not None else "")


def _of(eyes: Mapping[Path, FoundFile], path: Path | None) -> FoundFile | None:
    return eyes[path] if path is not None else None


def _without_doubt(found: Sequence[Listed]) -> list[Listed]:
    """A library may lie in another program's folder, or the other way round: what nothing says to
    be Snug's is then the other program's, and so never removed."""
    theirs = {_entry(one) for one in found if one.model.owner not in _OURS}
    return [one for one in found if not (theirs and _is_doubtful(one) and _entry(one) in theirs)]


def _is_doubtful(one: Listed) -> bool:
    return one.model.owner is Owner.SNUG and one.model.manifest is None


def _entry(one: Listed) -> str:
    """The same through any link above it; a link itself is another one than what it leads to."""
    folder, name = os.path.split(one.model.path)
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118  quicker than a Path


def _once_each(found: Iterable[Listed], wanted: frozenset[Path]) -> list[InstalledModel]:
    """The same bytes may be known to several programs, or under two names: the one that somebody
    expects, then ours, then one that has a name for people."""
    best: dict[tuple[int, int] | Path, InstalledModel] = {}
    for one in sorted(found, key=lambda one: (one.model.path not in wanted, *_preference(one))):
        known = one.identity if one.identity[1] else one.model.path  # some shares number nothing
        best.setdefault(known, one.model)
    return list(best.values())


def _preference(one: Listed) -> tuple[bool, bool, bool, int]:
    owner = one.model.owner
    return owner not in _OURS, not one.model.usable, not one.called, _RANK[owner]


def _left(
    paths: Sequence[Path], places: Sequence[Place], cache: ScanCache, cancel: CancelToken
) -> list[InstalledModel]:
    """What was expected and is in no place: the person's own, or gone."""
    models = []
    for path in paths:
        here = [one.model for one in _models(Place(path, Owner.PERSON), cache, cancel)]
        mine = [model for model in here if model.path == path]
        mine = mine or [one.model for one in _under_any_name(path, cache, cancel)]
        models += mine or [gone(path, _owner(path, places), cache.last(path))]
    return models


def _under_any_name(path: Path, cache: ScanCache, cancel: CancelToken) -> Iterator[Listed]:
    """A file that is expected need not be called a model: Ollama's are called by their hashes."""
    file = look(path)
    if file is not None:
        yield from _batch((Candidate(path=path, files=(file,)),), Owner.PERSON, cache, cancel)


def _owner(path: Path, places: Sequence[Place]) -> Owner:
    inside = (place.owner for place in places if path.is_relative_to(place.folder))
    return next(inside, Owner.PERSON)
