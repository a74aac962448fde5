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
from engine.types.models import Notice, UnloadReason
from ui.error_words import ERRORS, NOTICES, TOO_SLOW, Action
from ui.plan_words import short_name
from ui.size_words import sizes, space

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


def of_error(error: Exception, model: str = "") -> Message:
    """What to say about `error`, which happened to `model` if that is known.

    An error that is not ours gets the words of its nearest kin.
    """
    kin = next((kind for kind in type(error).__mro__ if kind in ERRORS), app_errors.AppError)
    title, sentence, action = ERRORS[kin]
    if isinstance(error, engine_errors.DoesNotFit) and error.plan.only_too_slow:
        title, sentence = TOO_SLOW
    code = getattr(error, "code", type(error).__name__)
    fill = _values(error, model)
    return Message(
        title=_ended_once(translate("Messages", title).format(**fill)),
        sentence=translate("Messages", sentence).format(**fill),
        action=action,
        details=f"{code}: {error}".removesuffix(": "),
    )


def _ended_once(title: str) -> str:
    """A name that was cut ends a sentence by itself."""
    return title.replace("….", "…")


def _values(error: Exception, model: str) -> dict[str, str]:
    """What stands for the names in braces."""
    if isinstance(error, engine_errors.DoesNotFit):
        needed, free = sizes(error.plan)
        name = short_name(model) or translate("Messages", "this model")
        return {"model": name, "a": needed, "b": free}
    if isinstance(error, engine_errors.NoSpace):
        lacking = max(error.needed_bytes - error.free_bytes, 0)
        fill = {"a": space(error.needed_bytes), "b": space(lacking)}
        return {**fill, "model": short_name(model)}
    return {"model": short_name(model) or translate("Messages", "This model")}


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


def of_nothing_kept(error: app_errors.StorageError) -> Message:
    """Snug works in a borrowed folder, see `app/borrowed.py`."""
    return replace(
        of_error(error),
        title=translate("Messages", "Snug cannot save anything now."),
        sentence=translate(
            "Messages",
            "What you write or add is gone when you close Snug."
            " Your earlier chats stay as they are.",
        ),
    )


def of_low_memory() -> Message:
    return Message(
        title=translate("Messages", "Memory is nearly full."),
        sentence=translate("Messages", "Close a program, or use a smaller model."),
        action=Action.SHOW_MODELS,
        tone=Tone.WARN,
    )


def of_fallen_back() -> Message:
    """The chosen model is gone, with its disk perhaps."""
    return Message(
        title=translate("Messages", "The model you chose is not there any more."),
        sentence=translate("Messages", "Snug answers with the one it came with."),
        action=Action.SHOW_MODELS,
        tone=Tone.WARN,
    )


def of_unloaded(event: events.ModelUnloaded) -> Message | None:
    """Only where a person would wonder: after a rest the next question brings the model back."""
    match event.reason:
        case UnloadReason.MEMORY:
            return Message(
                title=translate(
                    "Messages", "Memory was nearly full, so {model} was closed."
                ).format(model=short_name(event.name)),
                sentence=translate("Messages", "Your text is safe."),
                tone=Tone.WARN,
                action=Action.LOAD_AGAIN,
                details=f"unloaded: {event.reason.value}",
            )
        case UnloadReason.IDLE | UnloadReason.SUSPEND:
            return None
        case _:
            assert_never(event.reason)


def of_slower_device() -> Message:
    """A graphics card that was faster before."""
    return Message(
        title=translate("Messages", "The graphics card is much slower than it was."),
        sentence=translate("Messages", "Answers go on. Restarting the computer may help."),
        tone=Tone.WARN,
        details="device_slowed",
    )


def of_event(event: events.Event, model: str = "") -> Message | None:  # noqa: C901, PLR0911 - a table
    """What a banner says about `event`, if anything; `model` is the one in use."""
    match event:
        case events.ModelFailed() | events.ReplyEnded():
            return _of_failure(event, model)
        case events.StorageFailed(detail=detail):
            return of_storage_failure(detail)
        case events.HistoryTrimmed():
            return of_trimmed()
        case events.MemoryRanLow():
            return of_low_memory()
        case events.ModelUnloaded():
            return of_unloaded(event)
        case events.DeviceGotSlower():
            return of_slower_device()
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
            | events.MemoryRecovered()
            | events.DownloadChanged()
            | events.DownloadRemoved()
            | events.LibraryChanged()
            | events.ModelChosen()
        ):
            return None
        case _:
            assert_never(event)


_OWN_WAY_OUT = {Action.MAKE_ROOM, Action.TRY_ONCE_MORE, None}
"""Starting again as before would not help; nor does it with a file that can not be used."""


def _of_failure(event: events.ModelFailed | events.ReplyEnded, model: str) -> Message | None:
    if event.error is None or isinstance(event.error, engine_errors.Cancelled):
        return None
    message = of_error(event.error, model)
    if isinstance(event, events.ModelFailed) and message.action not in _OWN_WAY_OUT:
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
        case Action.TRY_ONCE_MORE:
            return translate("Messages", "Try it again")
        case Action.MAKE_ROOM:
            return translate("Messages", "What can help")
        case Action.SHOW_MODELS:
            return translate("Messages", "See models")
        case _:
            assert_never(action)
