"""Every failure and every event has words for people, and none of them is jargon."""

import inspect
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from app import events
from app.conversations.values import Conversation, Turn, TurnState
from app.errors import AppError, DiskFull, NotWritable, SettingRejected
from engine.errors import (
    Cancelled,
    EngineCrashed,
    EngineError,
    EngineStopped,
    ModelDamaged,
    ModelHeldBack,
    ModelMissing,
    NoSpace,
    OfflineOnly,
    OutOfMemory,
    ServerUnreachable,
)
from engine.types.chat import Role
from engine.types.downloads import DownloadState, DownloadStatus
from engine.types.models import LoadedInfo, LoadSpec, Notice, UnloadReason
from engine.types.plans import Layout
from tests.unit.ui import plans
from ui import messages
from ui.messages import Action, Tone

_JARGON = re.compile(
    r"\b(RAM|VRAM|GPU|tokens?|context|prompt|GGUF|quanti[sz]ed|layers?|inference|server|cache)\b",
    re.IGNORECASE,
)


def tree(root):
    yield root
    for child in root.__subclasses__():
        yield from tree(child)


TREES = ("engine.errors", "app.errors")
CLASSES = [
    kind
    for root in (EngineError, AppError)
    for kind in tree(root)
    if kind.__module__.startswith(TREES)
]
"""Classes that other modules derive for themselves speak with the words of their kin."""

_ARGUMENTS = {
    "path": Path("m"),
    "detail": "why",
    "part": 1,
    "parts": 2,
    "kind": "embedding",
    "prompt_tokens": 9,
    "limit_tokens": 5,
    "found_version": 2,
    "known_version": 1,
    "conversation_id": "c",
    "key": "theme",
    "value": "pink",
    "plan": plans.too_big(),
    "stage": "reply",
    "crashes": 2,
    "cause": "SIGSEGV",
    "timeout_s": 30.0,
    "runtime": "onnx",
    "backend": "vulkan",
    "problem": "crashed",
    "address": "http://nas:8080/v1",
    "names": ("b.gguf",),
    "owner": "ollama",
    "page": "http://hub/model",
    "folder": Path("models"),
    "needed_bytes": 3_300_000_000,
    "free_bytes": 38_000_000,
}


def example(kind):
    if kind.__init__ is Exception.__init__:
        return kind()
    wanted = list(inspect.signature(kind).parameters)
    return kind(*(_ARGUMENTS[name] for name in wanted if name in _ARGUMENTS))


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_error_class_has_words_of_its_own(kind):
    assert kind in messages.worded_errors()
    message = messages.of_error(example(kind))
    assert message.title.endswith(".")
    assert message.sentence.endswith(".")
    assert message.details.startswith(kind.code)


def test_no_words_are_left_over():
    assert messages.worded_errors() == set(CLASSES)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_no_sentence_uses_jargon_or_shouts(kind):
    message = messages.of_error(example(kind))
    words = f"{message.title} {message.sentence}"
    assert not _JARGON.search(words)
    assert "!" not in words


def test_a_foreign_error_gets_plain_words_and_its_own_details():
    message = messages.of_error(RuntimeError("wires crossed"))
    assert message.title == "Something went wrong."
    assert message.details == "RuntimeError: wires crossed"


@pytest.mark.parametrize("notice", Notice)
def test_every_notice_has_words(notice):
    message = messages.of_notice(notice)
    assert message.title
    assert message.sentence
    assert message.tone is Tone.INFO


@pytest.mark.parametrize("action", Action)
def test_every_action_has_a_label(action):
    assert messages.label(action)


WHEN = datetime(2026, 1, 2, tzinfo=UTC)
TURN = Turn(
    id="t",
    conversation_id="c",
    position=1,
    role=Role.ASSISTANT,
    text="",
    state=TurnState.FAILED,
    model="m",
    created_at=WHEN,
)
CONVERSATION = Conversation(
    id="c", title="C", title_is_manual=False, pinned=False, created_at=WHEN, updated_at=WHEN
)
INFO = LoadedInfo(
    spec=LoadSpec(path=Path("m"), layout=Layout(context_length=1, threads=1)),
    name="m",
    backend="cpu",
    load_ms=1.0,
    notices=(),
)

DOWNLOAD = DownloadStatus(
    id="d", title="m", state=DownloadState.FAILED, done_bytes=1, total_bytes=2, error=EngineError()
)

EVENTS = [
    (events.ConversationSaved(conversation=CONVERSATION), None),
    (events.ConversationDeleted(conversation_id="c"), None),
    (events.TurnAdded(turn=TURN), None),
    (events.TurnsRemoved(conversation_id="c", first_position=0), None),
    (events.ReplyGrew(conversation_id="c", turn_id="t", text="x"), None),
    (events.ReplyEnded(turn=TURN), None),
    (events.ReplyEnded(turn=TURN, error=Cancelled()), None),
    (events.ReplyEnded(turn=TURN, error=EngineStopped()), Action.START_AGAIN),
    (events.PromptRead(conversation_id="c", fraction=0.5), None),
    (events.ModelLoading(name="m", fraction=0.5), None),
    (events.ModelReady(info=INFO), None),
    (events.ModelFailed(error=Cancelled()), None),
    (events.ModelFailed(error=ModelMissing(Path("m"))), Action.LOAD_AGAIN),
    (events.ModelFailed(error=ModelDamaged(Path("m"))), None),
    (events.ModelFailed(error=plans.does_not_fit()), Action.MAKE_ROOM),
    (events.ModelFailed(error=ModelHeldBack(Path("m"), "load", 2)), Action.TRY_ONCE_MORE),
    (events.ModelFailed(error=OutOfMemory("kv")), Action.LOAD_AGAIN),
    (events.ReplyEnded(turn=TURN, error=EngineCrashed("SIGSEGV", "reply")), Action.START_AGAIN),
    (events.ReplyEnded(turn=TURN, error=plans.does_not_fit()), Action.MAKE_ROOM),
    (events.ModelLoadCancelled(name="m"), None),
    (events.ModelUnloaded(name="m", reason=UnloadReason.MEMORY), Action.LOAD_AGAIN),
    (events.ModelUnloaded(name="m", reason=UnloadReason.IDLE), None),
    (events.ModelUnloaded(name="m", reason=UnloadReason.SUSPEND), None),
    (events.MemoryRecovered(), None),
    (events.DownloadChanged(status=DOWNLOAD), None),
    (events.DownloadRemoved(id="d"), None),
    (events.LibraryChanged(), None),
    (events.ModelChosen(), None),
    (events.ModelFailed(error=ServerUnreachable("http://nas")), Action.LOAD_AGAIN),
    (events.ReplyEnded(turn=TURN, error=OfflineOnly("http://nas")), None),
]


def test_the_examples_cover_every_event_that_may_stay_silent():
    told = {
        events.DeviceGotSlower,
        events.HistoryTrimmed,
        events.MemoryRanLow,
        events.StorageFailed,
    }
    assert {type(event) for event, _ in EVENTS} | told == set(get_args(events.Event))


@pytest.mark.parametrize(("event", "action"), EVENTS)
def test_events_speak_only_where_something_can_be_done(event, action):
    message = messages.of_event(event)
    assert (message.action if message else None) is action


def test_what_was_left_out_and_what_was_not_saved_are_told():
    trimmed = messages.of_event(events.HistoryTrimmed(conversation_id="c", dropped_turns=3))
    failed = messages.of_event(events.StorageFailed(detail="errno 28"))
    assert trimmed.tone is Tone.INFO
    assert failed.tone is Tone.BAD
    assert failed.details == "errno 28"


def test_a_graphics_card_that_got_slower_is_a_warning_and_no_failure():
    message = messages.of_event(events.DeviceGotSlower(name="m"))
    assert message.tone is Tone.WARN
    assert message.sentence.startswith("Answers go on.")
    assert message.details == "device_slowed"


def test_the_model_and_the_sizes_are_named_in_the_sentence():
    message = messages.of_error(plans.does_not_fit(), "Qwen3 8B")
    assert message.title == "Not enough memory for Qwen3 8B."
    assert message.sentence == "It needs 6.3 GB and 5.1 GB is free."
    held = messages.of_error(ModelHeldBack(Path("m"), "load", 2), "Qwen3 8B")
    assert held.title == "Qwen3 8B did not end well last time."
    assert messages.of_error(ModelHeldBack(Path("m"), "load", 2)).title.startswith("This model ")


def test_a_long_name_leaves_room_for_what_is_said():
    name = "Mistral Small Instruct " * 9
    for message in (
        messages.of_error(plans.does_not_fit(), name),
        messages.of_error(ModelHeldBack(Path("m"), "load", 2), name),
        messages.of_event(events.ModelUnloaded(name=name, reason=UnloadReason.MEMORY)),
    ):
        assert "Mistral Small" in message.title
        assert "…" in message.title
        assert len(message.title) < 90
        assert "…." not in message.title


def test_nobody_is_accused_and_nothing_is_claimed_that_is_not_known():
    held = messages.of_error(ModelHeldBack(Path("m"), "load", 2), "Qwen3 8B")
    full = messages.of_error(OutOfMemory("kv"))
    assert held.sentence == "It waits until you start it."
    assert (full.title, full.sentence) == (
        "There was not enough memory.",
        "The model stopped. Your text is safe.",
    )


def test_a_name_with_braces_is_shown_as_it_is():
    assert "{a}" in messages.of_error(plans.does_not_fit(), "{a} 8B").title


def test_space_on_a_disk_is_told_in_words_of_files():
    message = messages.of_error(NoSpace(Path("m"), 3_300_000_000, 38_000_000))
    assert message.sentence == "It needs 3.3 GB. Free 3.3 GB more, then try again."


def test_low_memory_is_told_calmly_and_says_what_helps():
    message = messages.of_event(events.MemoryRanLow())
    assert (message.tone, message.action) == (Tone.WARN, messages.Action.SHOW_MODELS)
    assert message.sentence == "Close a program, or use a smaller model."


def test_a_model_that_was_closed_for_memory_is_named_and_the_text_is_safe():
    gone = events.ModelUnloaded(name="Gemma 3 4B", reason=UnloadReason.MEMORY)
    message = messages.of_event(gone)
    assert "Gemma 3 4B" in message.title
    assert message.sentence == "Your text is safe."


def test_a_notice_of_a_ready_model_is_told():
    ready = events.ModelReady(info=replace(INFO, notices=(Notice.TEMPLATE_MISSING,)))
    assert messages.of_event(ready) == messages.of_notice(Notice.TEMPLATE_MISSING)


def test_a_full_disk_names_the_file_under_details_only():
    message = messages.of_error(DiskFull(Path("chats.db"), "no space"))
    assert "chats.db" in message.details
    assert "chats.db" not in message.title + message.sentence
    assert "pink" in messages.of_error(SettingRejected("theme", "pink")).details


def test_where_nothing_is_kept_the_folder_is_named_under_details_only():
    said = messages.of_nothing_kept(NotWritable(Path("/srv/kiosk"), "read-only"))
    assert said.title == "Snug cannot save anything now."
    assert "earlier chats stay as they are" in said.sentence
    assert "/srv/kiosk" in said.details
    assert "/srv/kiosk" not in said.title + said.sentence
