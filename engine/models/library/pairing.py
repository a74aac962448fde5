"""Which projector lets which model of the same folder see. Only where their names agree: with eyes
of another model it would speak nonsense. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.models.library.titles import stem_of, words_of

_PROJECTOR = re.compile(r"mm-?proj|vision-?adapter", re.IGNORECASE)
_EMPTY_WORDS = frozenset(
    ("mmproj", "mm", "proj", "model", "ggml", "gguf", "vision", "f16", "bf16", "f32", "q8", "it")
)
_SIZE = re.compile(r"[ae]?\d+b")
_BEST = ("f16", "bf16", "q8_0", "f32")
"""Half precision is what most machines compute with; the others in the order of their size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """`stated` is the name in the file's own header."""

    path: Path
    stated: str = ""


def is_called_projector(name: str) -> bool:
    return _PROJECTOR.search(name) is not None


def pair(models: Sequence[Named], projectors: Sequence[Named]) -> dict[Path, Path]:
    """The projector of each model that has one, by path."""
    alone = len({_words(stem_of(model.path)) for model in models}) == 1
    pairs = {}
    for model in models:
        fitting = [eyes for eyes in projectors if _fits(model, eyes, alone=alone)]
        if fitting:
            pairs[model.path] = min(fitting, key=lambda eyes: _order(model, eyes)).path
    return pairs


def _fits(model: Named, projector: Named, *, alone: bool) -> bool:
    """All that one of its names says is said of the model too. Beside one model only (in any number
    of quantizations) it may say nothing, or must share a word that is more than a number."""
    mine = _words(stem_of(model.path)) | _words(model.stated)
    called, stated = _words(stem_of(projector.path)), _words(projector.stated)
    if _sizes(called) and _sizes(mine).isdisjoint(_sizes(called)) and _sizes(mine):
        return False
    if any(words and words <= mine for words in (called, stated)):
        return True
    return alone and (not called or any(not word.isdigit() for word in called & mine))


def _order(model: Named, projector: Named) -> tuple[int, int, str]:
    """The one that says most of the model first, then the handiest precision."""
    mine = _words(stem_of(model.path)) | _words(model.stated)
    shared = len(mine & (_words(stem_of(projector.path)) | _words(projector.stated)))
    name = projector.path.name.lower()
    found = (place for place, text in enumerate(_BEST) if _has(name, text))
    return -shared, next(found, len(_BEST)), name


def _has(name: str, precision: str) -> bool:
    return re.search(rf"(?<![0-9a-z]){precision}(?![0-9a-z])", name) is not None


def _sizes(words: frozenset[str]) -> frozenset[str]:
    """Such as 7b: a projector of the same family, for another size of model, does not fit."""
    return frozenset(filter(_SIZE.fullmatch, words))


def _words(text: str) -> frozenset[str]:
    return words_of(text) - _EMPTY_WORDS
