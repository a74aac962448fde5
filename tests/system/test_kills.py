"""Kills the window at random moments while it streams; nothing a person said may be lost.

`SNUG_KILLS` says how often: 20 unless told otherwise, 200 by hand before a release.
"""

import os
import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.hands.outside import RealWindow

pytestmark = [pytest.mark.model, pytest.mark.serial, pytest.mark.timeout(3600)]

KILLS = int(os.environ.get("SNUG_KILLS", "20"))
STREAMING_SHARE = 0.75
"""The other kills may come while the model loads or reads the question."""


PROMISED_S = 1.0
"""Text older than this is kept."""


def letters(text: str) -> str:
    """The screen shows Markdown without its marks."""
    return "".join(filter(str.isalpha, text))


def stored(home: Path) -> tuple[str, list[tuple[str, str, str]]]:
    """(verdict of the integrity check, role, state and text of every turn)."""
    with closing(sqlite3.connect(home / "snug.sqlite3")) as database:
        (verdict,) = database.execute("PRAGMA integrity_check").fetchone()
        turns = database.execute("SELECT role, state, text FROM turns ORDER BY created_at")
        return verdict, turns.fetchall()


def test_random_kills_lose_no_word_of_the_person(snug_home: Path, starter_model: Path) -> None:
    chance = random.Random()
    said: list[str] = []
    for number in range(KILLS):
        with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
            question = f"Story number {number}: tell me of the sea, at length."
            window.say(question)
            said.append(question)
            if chance.random() < STREAMING_SHARE:
                window.until(lambda w=window: w.written(1), "no word of the answer")
            time.sleep(chance.uniform(0.0, 1.5))
            shown = window.written(1)
            waited_s = chance.choice((0.0, PROMISED_S))
            time.sleep(waited_s)
            late = window.written(1)
            window.kill()
        verdict, turns = stored(snug_home)
        assert verdict == "ok"
        assert [text for role, _, text in turns if role == "user"] == said
        if waited_s:
            assert letters(turns[-1][2]).startswith(letters(shown))
        print(f"kill {number}: {len(late)} characters on screen, {len(turns[-1][2])} kept")
    with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
        window.until(window.turns, "nothing came back")
        window.close()
    _, turns = stored(snug_home)
    assert {state for _, state, _ in turns} <= {"complete", "failed"}
