"""The words of the Models page: what a model is for, whose it is, how far a download is.

No jargon here; files, formats and numbers of parameters are under Details. GUI thread.
"""

import math
from typing import assert_never

from PySide6.QtCore import QCoreApplication

from engine.errors import NoSpace, TokenMissing, TokenRefused
from engine.types.downloads import DownloadState, DownloadStatus
from engine.types.library import InstalledModel, Owner, Soundness, Trouble
from ui.plan_words import joined
from ui.size_words import space, space_number, space_unit

translate = QCoreApplication.translate

_MINUTE_S = 60
_LONG_S = 90 * _MINUTE_S


# --- what a model is ---------------------------------------------------------------------------


def purpose_words(purpose: str) -> str:  # noqa: C901, PLR0911 - one line a purpose
    """What it is good for: `purpose` is a `ModelPurpose` of the catalogue. "" for another one."""
    match purpose:
        case "tiny":
            return translate("Purpose", "Short answers, on almost any computer.")
        case "quick":
            return translate("Purpose", "Quick answers, easy on the battery.")
        case "everyday":
            return translate("Purpose", "Everyday writing and questions.")
        case "careful":
            return translate("Purpose", "Longer, more careful texts.")
        case "long":
            return translate("Purpose", "Long, careful texts.")
        case "hard":
            return translate("Purpose", "Hard problems, step by step.")
        case "study":
            return translate("Purpose", "Studying, sums and step-by-step answers.")
        case "code":
            return translate("Purpose", "Programs and technical questions.")
        case "languages":
            return translate("Purpose", "Writing and translating in many languages.")
        case "many_languages":
            return translate("Purpose", "Speaks more than 70 languages.")
        case "pictures":
            return translate("Purpose", "Made for pictures too. Snug uses it for text so far.")
        case _:
            return ""


def program_name(owner: Owner) -> str:
    """As its makers write it; "" of what is no program's."""
    names = {
        Owner.OLLAMA: "Ollama",
        Owner.LM_STUDIO: "LM Studio",
        Owner.JAN: "Jan",
        Owner.GPT4ALL: "GPT4All",
        Owner.HUGGING_FACE: "Hugging Face",
    }
    return names.get(owner, "")


def owner_words(model: InstalledModel) -> str:
    """Where it is from, "" of one in the library."""
    match model.owner:
        case Owner.SNUG:
            return ""
        case Owner.PROGRAM:
            return translate("Models", "Came with Snug.")
        case Owner.PERSON:
            folder = model.path.parent.name or str(model.path.parent)
            return translate("Models", "Used from your folder “{folder}”.").format(folder=folder)
        case _:
            return translate("Models", "Found in {program}, used where it is.").format(
                program=program_name(model.owner)
            )


def model_line(model: InstalledModel, purpose: str) -> str:
    """The one plain line below the name."""
    parts = [purpose_words(purpose), owner_words(model)]
    said = [part for part in parts if part]
    if not said:
        said = [translate("Models", "{size} on the disk.").format(size=space(model.size_bytes))]
    line = said[0]
    for part in said[1:]:
        line = joined(line, part)
    return line


def trouble_words(trouble: Trouble, missing: int) -> str:  # noqa: C901, PLR0911 - one line each
    """Why a model that is listed can not be used."""
    match trouble:
        case Trouble.PARTS_MISSING:
            if missing == 1:
                return translate("Models", "One of its files is missing.")
            return translate("Models", "{n} of its files are missing.").format(n=missing)
        case Trouble.CUT_OFF:
            return translate("Models", "Its file is not complete.")
        case Trouble.DAMAGED:
            return translate("Models", "Its file is damaged.")
        case Trouble.TOO_NEW:
            return translate("Models", "It needs a newer Snug.")
        case Trouble.NOT_A_CHAT_MODEL:
            return translate("Models", "It is not made for chatting.")
        case Trouble.UNREADABLE:
            return translate("Models", "Snug may not read its file.")
        case Trouble.GONE:
            return translate("Models", "Its file was moved or deleted.")
        case _:
            assert_never(trouble)


def soundness_words(soundness: Soundness, name: str) -> str:
    match soundness:
        case Soundness.SOUND:
            words = translate("Models", "{model} is complete and undamaged.")
        case Soundness.UNPROVEN:
            words = translate("Models", "{model} can be read in full. There is nothing to compare.")
        case Soundness.DAMAGED:
            words = translate("Models", "{model} is damaged. Remove it and get it again.")
        case _:
            assert_never(soundness)
    return words.format(model=name)


# --- how far a download is ---------------------------------------------------------------------


def left_words(left_s: float) -> str:
    """ "about 4 minutes", rounded up."""
    if left_s < _MINUTE_S:
        return translate("Time", "less than a minute")
    if left_s < _LONG_S:
        minutes = math.ceil(left_s / _MINUTE_S)
        if minutes == 1:
            return translate("Time", "about a minute")
        return translate("Time", "about {n} minutes").format(n=minutes)
    hours = math.ceil(left_s / 3600)
    return translate("Time", "about {n} hours").format(n=hours)


def part_words(status: DownloadStatus) -> tuple[str, str]:
    """What is here and how much it is in all: "1.5" and "3.3 GB"."""
    done = space_number(status.done_bytes, status.total_bytes)
    return done, f"{space_number(status.total_bytes)} {space_unit(status.total_bytes)}"


def download_words(status: DownloadStatus, waits_for: str = "") -> str:  # noqa: C901, PLR0911
    """The line at the end of a row; `waits_for` names what comes before a WAITING one."""
    done, total = part_words(status)
    match status.state:
        case DownloadState.WAITING:
            if not waits_for:
                return translate("Downloads", "Waiting for its turn")
            return translate("Downloads", "Waiting for {model} to finish").format(model=waits_for)
        case DownloadState.RUNNING if status.error is not None:
            again = translate("Downloads", "Trying again by itself…")
            return joined(failure_words(status), again)
        case DownloadState.RUNNING:
            return _running_words(status, done, total)
        case DownloadState.PAUSED:
            if not status.total_bytes:
                return translate("Downloads", "Paused")
            return translate("Downloads", "Paused at {a} of {b}").format(a=done, b=total)
        case DownloadState.CHECKING:
            return translate("Downloads", "Checking the file… nearly done")
        case DownloadState.FAILED:
            return failure_words(status)
        case DownloadState.DONE:
            return translate("Downloads", "Ready")
        case _:
            assert_never(status.state)


def _running_words(status: DownloadStatus, done: str, total: str) -> str:
    if not status.total_bytes:
        return translate("Downloads", "Starting…")
    if status.left_s is None:
        return translate("Downloads", "{a} of {b}").format(a=done, b=total)
    return translate("Downloads", "{a} of {b} – {t} left").format(
        a=done, b=total, t=left_words(status.left_s)
    )


def failure_words(status: DownloadStatus) -> str:
    """Why it FAILED and what of it is safe."""
    from ui.models.hub_words import of_hub_error  # noqa: PLC0415 - it needs words from here

    error = status.error
    if isinstance(error, NoSpace):
        lacking = max(error.needed_bytes - error.free_bytes, 0)
        return translate("Downloads", "Disk full. Free {a}, then resume.").format(a=space(lacking))
    if error is not None and not drops(status):
        return of_hub_error(error)
    done, total = part_words(status)
    if not status.done_bytes or not status.total_bytes:
        return translate("Downloads", "The connection dropped. Nothing is lost.")
    return translate("Downloads", "The connection dropped at {a} of {b}. Nothing is lost.").format(
        a=done, b=total
    )


def drops(status: DownloadStatus) -> bool:
    """Whether it failed because the way to the other side was lost."""
    from ui.models.hub_words import is_lost_connection  # noqa: PLC0415 - as above

    return status.error is not None and is_lost_connection(status.error)


def is_stuck(status: DownloadStatus) -> bool:
    """It FAILED, or it runs and waits for the other side."""
    waits = status.state is DownloadState.RUNNING and status.error is not None
    return waits or status.state is DownloadState.FAILED


def wants_token(status: DownloadStatus) -> bool:
    return isinstance(status.error, TokenMissing | TokenRefused)
