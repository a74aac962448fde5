"""What the command line says of models that are had, kept, or on their way; and the same as values
for scripts, whose names and meaning stay."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from app.cli.plan_words import size
from app.cli.words import message_of
from engine.types.downloads import DownloadState, DownloadStatus
from engine.types.library import InstalledModel, Owner, Soundness, Trouble, Verification
from engine.types.plans import Plan, Verdict

if TYPE_CHECKING:
    from app.shop import Choice, Judged
    from engine.types.hub import HubHit

FITS = {
    Verdict.FITS: "runs well",
    Verdict.FITS_SLOWLY: "runs slowly",
    Verdict.TOO_BIG: "too big",
    Verdict.UNKNOWN: "may run",
}
OWNERS = {
    Owner.SNUG: "Snug's library",
    Owner.PROGRAM: "came with Snug",
    Owner.PERSON: "your own folder",
    Owner.OLLAMA: "Ollama",
    Owner.LM_STUDIO: "LM Studio",
    Owner.JAN: "Jan",
    Owner.GPT4ALL: "GPT4All",
    Owner.HUGGING_FACE: "Hugging Face cache",
}
TROUBLES = {
    Trouble.PARTS_MISSING: "parts are missing",
    Trouble.CUT_OFF: "the file ends too early",
    Trouble.DAMAGED: "damaged",
    Trouble.TOO_NEW: "newer than this Snug knows",
    Trouble.NOT_A_CHAT_MODEL: "not made for conversation",
    Trouble.UNREADABLE: "can not be read",
    Trouble.GONE: "no longer there",
}
SOUND = {
    Soundness.SOUND: "every byte is as it should be",
    Soundness.UNPROVEN: "nothing is wrong, but nobody has told a hash to compare with",
    Soundness.DAMAGED: "damaged",
}
STATES = {
    DownloadState.WAITING: "waits for its turn",
    DownloadState.RUNNING: "running",
    DownloadState.PAUSED: "paused",
    DownloadState.CHECKING: "checking the files",
    DownloadState.FAILED: "failed",
    DownloadState.DONE: "done",
}
_MINUTE_S = 60


# --- models that are here -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A model with what is known of it here: how it would run, when it answered last (UTC), and
    whether it is the one that answers."""

    model: InstalledModel
    plan: Plan | None
    used: datetime | None
    chosen: bool


def model_as_json(listed: Listed) -> dict[str, object]:
    model, used = listed.model, listed.used
    origin = model.manifest.origin if model.manifest is not None else None
    return {
        "id": model.id,
        "name": model.name,
        "path": str(model.path),
        "size_bytes": model.size_bytes,
        "owner": model.owner.value,
        "format": model.format.value,
        "quantization": model.quantization or None,
        "projector": None if model.projector is None else str(model.projector),
        "trouble": None if model.trouble is None else model.trouble.value,
        "missing": list(model.missing),
        "licence": (model.manifest.licence or None) if model.manifest is not None else None,
        "repo": None if origin is None else origin.repo,
        "revision": None if origin is None else origin.revision,
        "chosen": listed.chosen,
        "last_used": None if used is None else used.isoformat(),
        **fit_as_json(listed.plan),
    }


def fit_as_json(plan: Plan | None) -> dict[str, object]:
    """Null where nobody could tell."""
    rate = None if plan is None else plan.predicted_tokens_per_s
    return {
        "verdict": None if plan is None else plan.verdict.value,
        "needed_bytes": None if plan is None else plan.needed_bytes,
        "free_bytes": None if plan is None else plan.free_bytes,
        "predicted_tokens_per_second": None if rate is None else round(rate, 2),
    }


def model_row(listed: Listed) -> tuple[str, ...]:
    model, used = listed.model, listed.used
    fits = TROUBLES[model.trouble] if model.trouble is not None else _fits(listed.plan)
    when = "never used" if used is None else f"used {used.astimezone():%Y-%m-%d}"
    name = f"{model.name} {model.quantization}".strip()
    where = OWNERS[model.owner]
    return (
        "*" if listed.chosen else " ",
        name,
        size(model.size_bytes),
        where,
        fits,
        when,
        model.id,
    )


def _fits(plan: Plan | None) -> str:
    return FITS[plan.verdict] if plan is not None else ""


def table(rows: Sequence[Sequence[str]]) -> str:
    """In columns, two blanks between."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _width(text: str) -> int:
    """In columns of a terminal: Chinese takes two each."""
    return sum(2 if east_asian_width(sign) in "WF" else not combining(sign) for sign in text)


def verified(model: InstalledModel, found: Verification) -> str:
    bad = f": {', '.join(found.bad)}" if found.bad else ""
    return f"{model.name}: {SOUND[found.soundness]}{bad}"


# --- models that can be had -----------------------------------------------------------------------


def judged_as_json(judged: "Judged") -> dict[str, object]:
    entry = judged.entry
    return {
        "id": entry.id,
        "name": entry.name,
        "maker": entry.maker,
        "licence": entry.licence,
        "classes": sorted(kind.value for kind in entry.classes),
        "purpose": entry.purpose.value,
        "repo": entry.repo,
        "quantization": entry.quantization,
        "parameters": entry.parameters,
        "context_length": entry.context_length,
        "sees": entry.sees,
        "size_bytes": judged.size_bytes,
        "exact": judged.exact,
        "recommended": judged.recommended,
        **fit_as_json(judged.plan),
    }


def judged_row(judged: "Judged") -> tuple[str, ...]:
    entry, about = judged.entry, "" if judged.exact else "about "
    kinds = ", ".join(sorted(kind.value for kind in entry.classes))
    mark = "*" if judged.recommended else " "
    fits = FITS[judged.verdict]
    return (mark, entry.name, about + size(judged.size_bytes), fits, kinds, entry.licence, entry.id)


def hit_as_json(hit: "HubHit") -> dict[str, object]:
    return {
        "repo": hit.repo,
        "downloads": hit.downloads,
        "likes": hit.likes,
        "gated": hit.gated,
        "licence": hit.licence or None,
        "updated": None if hit.updated is None else hit.updated.isoformat(),
    }


def hit_row(hit: "HubHit") -> tuple[str, ...]:
    gated = "asks for an access token" if hit.gated else ""
    return (hit.repo, f"{hit.downloads} downloads", hit.licence, gated)


def choice_as_json(choice: "Choice") -> dict[str, object]:
    offering = choice.offering
    return {
        "name": choice.title,
        "quantization": offering.quantization or None,
        "format": offering.format.value,
        "files": [file.path for file in offering.files],
        "missing": list(offering.missing),
        "projector": None if offering.projector is None else offering.projector.path,
        "size_bytes": offering.size_bytes,
        "exact": choice.exact,
        "recommended": choice.recommended,
        "refused": None if choice.refusal is None else choice.refusal.code,
        **fit_as_json(choice.plan),
    }


def choice_row(choice: "Choice") -> tuple[str, ...]:
    offering = choice.offering
    much = "" if offering.size_bytes is None else size(offering.size_bytes)
    fits = "parts are missing" if offering.missing else _fits(choice.plan)
    fits = "can not be used" if choice.refusal is not None else fits
    mark = "*" if choice.recommended else " "
    first = offering.files[0].path if offering.files else ""
    return (mark, choice.title, offering.quantization, much, fits, first)


# --- models on their way --------------------------------------------------------------------------


def download_as_json(status: DownloadStatus) -> dict[str, object]:
    return {
        "id": status.id,
        "title": status.title,
        "state": status.state.value,
        "done_bytes": status.done_bytes,
        "total_bytes": status.total_bytes or None,
        "error": None if status.error is None else status.error.code,
    }


def download_rows(statuses: Iterable[DownloadStatus]) -> list[tuple[str, ...]]:
    return [(it.title, _far(it), _state(it), it.id) for it in statuses]


def _state(status: DownloadStatus) -> str:
    why = "" if status.error is None else f": {message_of(status.error)}"
    return f"{STATES[status.state]}{why}"


def progress(status: DownloadStatus) -> str:
    """One line that is written again and again."""
    if status.state is DownloadState.CHECKING:
        return f"{status.title}: checking the files"
    parts = [f"{status.title}: {_far(status)}"]
    if status.bytes_per_s:
        parts.append(f"{size(int(status.bytes_per_s))} a second")
    if status.left_s is not None:
        parts.append(f"about {_duration(status.left_s)} left")
    return ", ".join(parts)


def _far(status: DownloadStatus) -> str:
    if status.state is DownloadState.DONE:
        return size(status.total_bytes)
    if not status.total_bytes:
        return size(status.done_bytes, math.floor)
    return f"{size(status.done_bytes, math.floor)} of {size(status.total_bytes)}"


def _duration(seconds: float) -> str:
    if seconds < _MINUTE_S:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / _MINUTE_S)
    return f"{minutes} min" if minutes < 2 * 60 else f"{minutes / 60:.1f} h"
