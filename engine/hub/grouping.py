"""The files of a repository as models that a person can choose: all of its parts in each.

Pure, any thread. No file is lost in silence: each is in an offering, a companion, or named as one
that is none.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from unicodedata import normalize

from engine.hub.names import (
    FileName,
    Role,
    is_gguf,
    is_safe,
    part_path,
    shown_name,
    taken_apart,
)
from engine.hub.onnx import onnx_offerings
from engine.hub.ranking import bits_of, projector_rank, rank
from engine.types.hub import HubFile, Offering
from engine.types.models import ModelFormat

_MOST_MISSING = 100
"""Of the parts that an offering names as missing: one file's name may promise thousands."""
_DRAFT_SHARE = 0.5
"""What has more than this share of its model's weights drafts nothing, whatever it is called."""
_MOST_BITS = 16.0
_MOST_COMPANIONS = 100
_MOST_MODELS = 1000
"""More than any repository has; the files of what is left out are among the others."""

Named = tuple[FileName, HubFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped:
    """`offerings` with the recommended first. `others` belong to none of them; `refused` have names
    that no file of ours may have, or that another file has already."""

    offerings: tuple[Offering, ...]
    others: tuple[HubFile, ...]
    refused: tuple[HubFile, ...]


def group(files: Iterable[HubFile], repo: str = "") -> Grouped:
    """`repo` names models whose files and folders do not ("model-q4_k_m.gguf")."""
    safe, refused = _sorted_out(files)
    onnx, rest = onnx_offerings(safe, repo)
    named = [(taken_apart(file.path), file) for file in rest if is_gguf(file.path)]
    by_role = _roles(named)
    models = [_offering(parts, repo) for parts in _sets(by_role[Role.MODEL])[:_MOST_MODELS]]
    offerings = (*sorted(_with_companions(models, by_role), key=rank), *onnx[:_MOST_MODELS])
    used = _used(offerings)
    return Grouped(
        offerings=offerings,
        others=tuple(file for file in safe if file.path not in used),
        refused=tuple(refused),
    )


def _sorted_out(files: Iterable[HubFile]) -> tuple[list[HubFile], list[HubFile]]:
    safe: list[HubFile] = []
    refused: list[HubFile] = []
    seen: set[str] = set()
    for file in files:
        key = normalize("NFC", file.path).casefold()  # the same file to Windows and macOS
        usable = is_safe(file.path) and key not in seen
        (safe if usable else refused).append(file)
        seen.add(key)
    return safe, refused


def _used(offerings: Iterable[Offering]) -> set[str]:
    used: set[str] = set()
    for offering in offerings:
        used.update(file.path for file in offering.files)
        used.update(file.path for file in (offering.projector, offering.draft) if file)
    return used


# --- roles ----------------------------------------------------------------------------------------


def _roles(named: Sequence[Named]) -> dict[Role, list[Named]]:
    by_role: dict[Role, list[Named]] = {role: [] for role in Role}
    for name, file in named:
        by_role[name.role].append((name, file))
    counts = _counts(by_role[Role.MODEL][:_MOST_MODELS])
    drafts = [
        draft for draft in by_role[Role.DRAFT][:_MOST_COMPANIONS] if _can_draft(draft, counts)
    ]
    by_role[Role.MODEL] += [draft for draft in by_role[Role.DRAFT] if draft not in drafts]
    by_role[Role.DRAFT] = drafts
    return by_role


def _counts(models: Sequence[Named]) -> dict[str, float]:
    """About how many weights they have, by their names without quantization."""
    found: dict[str, float] = {}
    for parts in _sets(models):
        base = parts[0][0].base
        found[base] = min(_weights(parts), found.get(base, math.inf))
    return found


def _weights(parts: Sequence[Named]) -> float:
    """Infinitely many where a size is not known."""
    bits = bits_of(parts[0][0].quantization) or _MOST_BITS
    return sum(math.inf if file.size_bytes is None else file.size_bytes for _, file in parts) / bits


def _can_draft(draft: Named, counts: Mapping[str, float]) -> bool:
    """A repository of drafts alone has models; and some call a model after its own MTP layers."""
    name, file = draft
    if not counts or name.parts > 1:
        return False
    meant = _meant(name, frozenset(counts))
    of_meant = [count for base, count in counts.items() if meant is None or base in meant]
    own = 0 if file.size_bytes is None else _weights([draft])
    return bool(of_meant) and own <= min(of_meant) * _DRAFT_SHARE


# --- parts ----------------------------------------------------------------------------------------


def _sets(named: Iterable[Named]) -> list[list[Named]]:
    """Files that are one model together, each in the order of its parts."""
    sets: dict[tuple[str, str, int], list[Named]] = defaultdict(list)
    for name, file in named:
        key = (name.folder, name.stem, name.parts) if name.parts > 1 else (file.path, "", 1)
        sets[key].append((name, file))
    return [sorted(parts, key=lambda part: part[0].part) for parts in sets.values()]


def _offering(parts: Sequence[Named], repo: str) -> Offering:
    first = parts[0][0]
    there = {name.part for name, _ in parts}
    absent = (number for number in range(1, first.parts + 1) if number not in there)
    return Offering(
        name=shown_name(first.base, first.folder.rpartition("/")[2], repo.rpartition("/")[2]),
        quantization=first.quantization,
        format=ModelFormat.GGUF,
        files=tuple(file for _, file in parts),
        missing=tuple(part_path(first, number) for number in islice(absent, _MOST_MISSING)),
    )


# --- companions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Companion:
    name: FileName
    file: HubFile
    bases: frozenset[str] | None
    """Of the models it is for; None: all."""


def _with_companions(
    models: Sequence[Offering], by_role: dict[Role, list[Named]]
) -> Iterator[Offering]:
    names = [taken_apart(model.files[0].path) for model in models]
    bases = frozenset(name.base for name in names)
    projectors = _companions(by_role[Role.PROJECTOR], bases)
    drafts = _companions(by_role[Role.DRAFT], bases)
    for model, own in zip(models, names, strict=True):
        yield replace(model, projector=_best(projectors, own), draft=_best(drafts, own))


def _companions(named: Sequence[Named], bases: frozenset[str]) -> list[_Companion]:
    return [
        _Companion(name=name, file=file, bases=_meant(name, bases))
        for name, file in named[:_MOST_COMPANIONS]
        if name.parts == 1
    ]


def _best(companions: Sequence[_Companion], own: FileName) -> HubFile | None:
    meant = [each for each in companions if each.bases is None or own.base in each.bases]
    if not meant:
        return None
    return min(meant, key=lambda companion: _order(companion, own)).file


def _order(companion: _Companion, own: FileName) -> tuple[bool, int, str]:
    name = companion.name
    elsewhere = name.folder not in ("", "mmproj", own.folder)
    return elsewhere, projector_rank(name.quantization), companion.file.path


def _meant(companion: FileName, bases: frozenset[str]) -> frozenset[str] | None:
    """One that names no model is for all; else it is for those whose name is most like its."""
    words = _bare_words(companion.base)
    if not words or len(bases) <= 1:
        return None
    likeness = {base: _likeness(words, base) for base in bases}
    most = max(likeness.values())
    return frozenset(base for base, common in likeness.items() if common == most > 0)


def _bare_words(base: str) -> list[str]:
    words = base.lower().replace("_", "-").split("-")
    return [word for word in words if word not in ("", "mmproj", "mtp", "draft", "model")]


def _likeness(words: Sequence[str], base: str) -> int:
    """How many words both begin with."""
    count = 0
    for one, other in zip(words, _bare_words(base), strict=False):
        if one != other:
            break
        count += 1
    return count
