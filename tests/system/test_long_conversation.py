"""A conversation of any length opens at once, and reading back is never disturbed by new text."""

import json
import time
from pathlib import Path

import pytest

from app.conversations.store import ConversationStore
from app.conversations.values import TurnState
from app.db import open_database
from engine.types.chat import Role
from tests.hands.outside import RealWindow

pytestmark = [pytest.mark.model, pytest.mark.serial]

LONG_LINE = "One line of two megabytes. " * 77_000


def seed(home: Path, *, turns: int, last: str) -> str:
    database = open_database(home / "snug.sqlite3")
    store = ConversationStore(database)
    conversation = store.create("A long conversation")
    with database.write() as db:
        for position in range(turns):
            role = Role.ASSISTANT if position % 2 else Role.USER
            text = last if position == turns - 2 else f"Turn {position}: " + "some **words** " * 20
            store._insert_turn(db, conversation.id, role=role, text=text, state=TurnState.COMPLETE)
    database.close()
    (home / "settings.json").write_text(json.dumps({"last_conversation": conversation.id}))
    return conversation.id


def test_two_thousand_turns_with_two_megabytes_open_at_once(
    snug_home: Path, starter_model: Path
) -> None:
    seed(snug_home, turns=2000, last=LONG_LINE)
    with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
        window.do("watch")
        window.until(lambda: window.do("shown", widget="modelPill"), "the window has no life")
        started = time.monotonic()
        window.until(lambda: window.written(1999), "the conversation does not open")
        took_s = time.monotonic() - started
        gaps = window.do("gaps")
        assert "Turn 1999" in window.written(1999)
        code, _, errors = window.close()
    assert (code, errors) == (0, "")
    print(f"\nopened {took_s:.2f} s after the window; longest gap since the start {gaps[0]:.0f} ms")


def test_reading_back_stays_in_place_while_text_arrives(
    snug_home: Path, starter_model: Path
) -> None:
    seed(snug_home, turns=40, last="Short.")
    with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
        window.until(lambda: window.written(39), "the conversation does not open")
        window.say("Tell me a long story about a lighthouse and the sea.")
        window.until(lambda: len(window.written(41)) > 10, "no answer")
        window.do("wheel", widget="conversationColumn", notches=12)
        place, shown = window.do("place"), window.turns()
        before = len(window.written(41))
        window.until(lambda: len(window.written(41)) > before + 60, "the text does not grow")
        assert window.do("place") == place
        assert window.turns() == shown
        assert window.do("shown", widget="goToNewest")
        window.do("click", widget="goToNewest")
        window.until(lambda: not window.do("shown", widget="goToNewest"), "not at the end")
        window.close()
