"""What is said of packs: what they are for, in a person's words."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.packs_brought import Advance, Outcome, PackOffer, PacksFound
from engine.errors import PackRefused
from ui.packs.problem_words import problem_words
from ui.size_words import space

translate = QCoreApplication.translate

_MAKERS = {
    "cuda": "NVIDIA",
    "hip": "AMD",
    "rocm": "AMD",
    "musa": "Moore Threads",
    "sycl": "Intel",
    "openvino": "Intel",
    "cann": "Ascend",
}
_WHOLE = 100


def cards_words(offer: PackOffer) -> str:
    """ "NVIDIA graphics cards"."""
    maker = _MAKERS.get(offer.manifest.backend)
    if maker is None:
        return translate("Packs", "more graphics cards")
    return translate("Packs", "{maker} graphics cards").format(maker=maker)


def ask_title(offers: Sequence[PackOffer]) -> str:
    if len(offers) == 1:
        return translate("Packs", "Add support for {cards}?").format(cards=cards_words(offers[0]))
    return translate("Packs", "Add support for these graphics cards?")


def ask_lines(offers: Sequence[PackOffer]) -> list[str]:
    size = space(sum(offer.manifest.size_bytes for offer in offers))
    if len(offers) == 1:
        words = translate(
            "Packs", "It takes {a} of space. Snug checked that it comes from Snug's makers."
        )
        return [words.format(a=size)]
    words = translate(
        "Packs",
        "Together they take {a} of space. Snug checked that they come from Snug's makers.",
    )
    return ["\n".join(map(cards_words, offers)), words.format(a=size)]


def there_words(offer: PackOffer) -> str:
    words = translate("Packs", "Support for {cards} is there already.")
    return words.format(cards=cards_words(offer))


def refused_line(path: Path, words: str) -> str:
    return translate("Packs", "{file}: {why}").format(file=path.name, why=words)


def refused_lines(refused: Sequence[PackRefused]) -> list[str]:
    return [refused_line(error.path, problem_words(error)) for error in refused]


def told_title(found: PacksFound) -> str:
    """Where there is nothing to add."""
    if found.there and not found.refused:
        return there_words(found.there[0])
    if len(found.refused) == 1:
        words = translate("Packs", "Snug cannot add {file}")
        return words.format(file=found.refused[0].path.name)
    return translate("Packs", "Snug cannot add these files")


def told_lines(found: PacksFound) -> list[str]:
    there = [there_words(offer) for offer in found.there]
    if not found.refused:
        return [*there[1:], translate("Packs", "Nothing needs to be done.")]
    if len(found.refused) == 1:
        said = [problem_words(found.refused[0])]
    else:
        said = refused_lines(found.refused)
    return [*said, *there, translate("Packs", "Nothing was changed.")]


# --- while it is added, and afterwards ----------------------------------------------------------


def adding_title(offer: PackOffer) -> str:
    words = translate("Packs", "Adding support for {cards}…")
    return words.format(cards=cards_words(offer))


def advance_words(now: Advance) -> str:
    if now.trying:
        return translate("Packs", "Trying it out. This can take a minute.")
    words = translate("Packs", "Copying and checking… {n}%")
    return words.format(n=int(now.fraction * _WHOLE))


def done_title(outcomes: Sequence[Outcome]) -> str:
    added = [outcome for outcome in outcomes if outcome.error is None]
    if added and len(added) < len(outcomes):
        return translate("Packs", "Some of it was added.")
    if len(outcomes) > 1:
        if added:
            return translate("Packs", "Support for these graphics cards is added.")
        return translate("Packs", "Support for these graphics cards was not added.")
    if added:
        return _added_words(outcomes[0])
    words = translate("Packs", "Support for {cards} was not added.")
    return words.format(cards=cards_words(outcomes[0].offer))


def _added_words(outcome: Outcome) -> str:
    words = translate("Packs", "Support for {cards} is added.")
    return words.format(cards=cards_words(outcome.offer))


def done_lines(outcomes: Sequence[Outcome]) -> list[str]:
    added = [outcome for outcome in outcomes if outcome.error is None]
    lines = [
        problem_words(outcome.error)
        if len(outcomes) == 1
        else refused_line(outcome.offer.path, problem_words(outcome.error))
        for outcome in outcomes
        if outcome.error is not None
    ]
    if added:
        if len(added) < len(outcomes):
            lines = [*(_added_words(outcome) for outcome in added), *lines]
        return [*lines, translate("Packs", "It is used the next time Snug starts.")]
    return [*lines, translate("Packs", "Nothing was changed. Snug works as before.")]
