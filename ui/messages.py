"""Words for people: every error, notice and event that needs some becomes a `Message`.

Exhaustive on purpose: a test walks both error trees, and mypy walks the events. Codes and
numbers go to `details`, never into a sentence. Used on the GUI thread.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from PySide6.QtCore import QCoreApplication

from app import errors as app_errors
from app import events
from engine import errors as engine_errors
from engine.types.models import Notice
from ui.error_words import ERRORS, NOTICES, Action

translate = QCoreApplication.translate


class Tone(StrEnum):
    """The colour of a banner; also the order of importance, worst last."""

    INFO = "info"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """`title` is bold and first. `details` is for the Details fold: exact, untranslated."""

    title: str
    sentence: str
    tone: Tone = Tone.BAD
    action: Action | None = None
    details: str = ""


def worded_errors() -> frozenset[type[Exception]]:
    """The error classes that have words of their own."""
    return frozenset(ERRORS)


def of_error(error: Exception) -> Message:
    """What to say about `error`. One that is not ours gets the words of its nearest kin."""
    kin = next((kind for kind in type(error).__mro__ if kind in ERRORS), app_errors.AppError)
    title, sentence, action = ERRORS[kin]
    code = getattr(error, "code", type(error).__name__)
    return Message(
        title=translate("Messages", title),
        sentence=translate("Messages", sentence),
        action=action,
        details=f"{code}: {error}".removesuffix(": "),
    )


def of_notice(notice: Notice) -> Message:
    title, sentence = NOTICES[notice]
    return Message(
        title=translate("Messages", title),
        sentence=translate("Messages", sentence),
        tone=Tone.INFO,
        details=notice.value,
    )


def of_trimmed() -> Message:
    return Message(
        title=translate("Messages", "Earlier messages were shortened to make room."),
        sentence=translate("Messages", "You can still read all of them here."),
        tone=Tone.INFO,
    )


def of_storage_failure(detail: str) -> Message:
    title, sentence, _ = ERRORS[app_errors.StorageError]
    return Message(
        title=translate("Messages", title),
        sentence=translate("Messages", sentence),
        details=detail,
    )


def of_event(event: events.Event) -> Message | None:
    """What a banner says about `event`, if anything."""
    match event:
        case events.ModelFailed() | events.ReplyEnded():
            return _of_failure(event)
        case events.StorageFailed(detail=detail):
            return of_storage_failure(detail)
        case events.HistoryTrimmed():
            return of_trimmed()
        case events.ModelReady(info=info):
            return of_notice(info.notices[0]) if info.notices else None
        case (
            events.ConversationSaved()
            | events.ConversationDeleted()
            | events.TurnAdded()
            | events.TurnsRemoved()
            | events.ReplyGrew()
            | events.PromptRead()
            | events.ModelLoading()
            | events.ModelLoadCancelled()
            | events.ModelUnloaded()
            | events.MemoryRanLow()
            | events.MemoryRecovered()
        ):
            return None
        case _:
            assert_never(event)


def _of_failure(event: events.ModelFailed | events.ReplyEnded) -> Message | None:
    if event.error is None or isinstance(event.error, engine_errors.Cancelled):
        return None
    message = of_error(event.error)
    if isinstance(event, events.ModelFailed):
        return replace(message, action=Action.LOAD_AGAIN)
    return message


def label(action: Action) -> str:
    """The words on the button of `action`."""
    match action:
        case Action.ANSWER_AGAIN:
            return translate("Messages", "Try again")
        case Action.START_AGAIN | Action.LOAD_AGAIN:
            return translate("Messages", "Start again")
        case Action.EDIT_MESSAGE:
            return translate("Messages", "Edit message")
        case _:
            assert_never(action)
