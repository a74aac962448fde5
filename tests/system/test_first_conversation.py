"""The first conversation, from the first key to a kill and back, in the real window."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.hands.outside import RealWindow
from tests.hands.screen import virtual_screen

pytestmark = [pytest.mark.model, pytest.mark.serial]

FRANCE = "What is the capital of France?"
STORY = "Tell me a long story about a lighthouse and the sea."


@pytest.fixture(params=["offscreen", pytest.param("xvfb", marks=pytest.mark.xvfb)])
def screen(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    offscreen = nullcontext({"QT_QPA_PLATFORM": "offscreen"})
    with virtual_screen() if request.param == "xvfb" else offscreen as environment:
        yield environment


def grow(window: RealWindow, position: int) -> set[int]:
    """The lengths that an answer is seen to have while it is written."""
    lengths: set[int] = set()
    deadline = time.monotonic() + 60
    while len(lengths) < 4 and time.monotonic() < deadline:
        if written := window.written(position):
            lengths.add(len(written))
        time.sleep(0.03)
    return lengths


def test_talk_kill_and_find_everything_again(
    screen: dict[str, str], snug_home: Path, starter_model: Path
) -> None:
    with RealWindow(**screen) as window:
        window.say(FRANCE)
        assert "Paris" in window.answered(1)
        window.say(STORY)
        assert len(grow(window, 3)) >= 4
        half = window.written(3)
        time.sleep(1.1)  # what is older than a second is promised to be kept
        window.kill()
    with RealWindow(**screen) as window:
        window.until(lambda: FRANCE in window.do("chats"), "the chat is not listed")
        window.until(lambda: len(window.turns()) >= 4, "the turns did not come back")
        turns = window.turns()
        assert FRANCE in turns[0]
        assert "Paris" in turns[1]
        assert STORY in turns[2]
        assert window.written(3).startswith(half)
        code, took_s, errors = window.close()
    assert (code, errors) == (0, "")
    assert took_s < 3


def test_stop_keeps_the_text_and_another_question_works(
    snug_home: Path, starter_model: Path
) -> None:
    with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
        window.say(STORY)
        assert len(grow(window, 1)) >= 4
        window.do("press", widget="composer", key="Escape")
        stopped = window.answered(1)
        assert len(stopped) > len("Snug: ")
        assert window.do("shown", widget="continueAnswer")
        window.say(FRANCE)
        assert window.answered(3)
        assert window.turns()[1][:30] == stopped[:30]


@pytest.mark.parametrize("moment", ["start", "idle", "streaming"])
@pytest.mark.parametrize("how", ["window", "SIGTERM", "SIGINT"])
def test_quitting_at_any_moment_is_quick_and_clean(
    moment: str, how: str, snug_home: Path, starter_model: Path
) -> None:
    if os.name == "nt" and how != "window":
        pytest.skip("signals of POSIX")
    with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
        window.until(lambda: window.do("shown", widget="composer"), "no composer")
        if moment == "idle":
            window.until(lambda: window.do("shown", widget="modelPill"), "no model")
        if moment == "streaming":
            window.say(STORY)
            assert len(grow(window, 1)) >= 4
        if how == "window":
            code, took_s, errors = window.close()
        else:
            started = time.monotonic()
            window.process.send_signal(getattr(signal, how))
            code = window.process.wait(10)
            took_s = time.monotonic() - started
            assert window.process.stderr
            errors = window.process.stderr.read()
    assert (code, errors) == (0, "")
    assert took_s < 3
    if moment == "streaming":
        with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
            window.until(lambda: len(window.turns()) == 2, "the turns did not come back")
            assert STORY in window.turns()[0]


def test_what_was_typed_and_not_sent_is_there_again(snug_home: Path) -> None:
    with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
        window.until(lambda: window.do("shown", widget="modelPill"), "no model")
        window.do("type", widget="composer", text="Half a thought")
        code, _, errors = window.close()
    assert (code, errors) == (0, "")
    with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
        window.until(lambda: window.do("text", widget="composer") == "Half a thought", "it is lost")
        window.close()
