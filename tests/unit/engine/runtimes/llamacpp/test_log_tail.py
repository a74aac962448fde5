"""What llama.cpp logs reaches our log, error messages, and whoever records it meanwhile."""

import logging
import threading

import pytest

from engine.runtimes.llamacpp.native import LogTail

DEBUG, INFO, WARN, ERROR, CONTINUES = 1, 2, 3, 4, 5


def test_a_recording_has_every_line_of_its_time() -> None:
    tail = LogTail()
    tail(INFO, b"before\n", None)
    with tail.record() as lines:
        tail(DEBUG, b"one\n", None)
        tail(ERROR, b"two\n", None)
        tail(CONTINUES, b"...", None)
    tail(INFO, b"after\n", None)
    assert lines == ["one", "two"]


def test_recording_takes_nothing_from_error_messages(caplog: pytest.LogCaptureFixture) -> None:
    tail = LogTail()
    with caplog.at_level(logging.DEBUG, "snug.native"), tail.record():
        tail(WARN, b"careful\n", None)
    assert tail.take() == "careful"
    assert tail.take() == ""
    assert "careful" in caplog.text


def test_recordings_may_be_nested() -> None:
    tail = LogTail()
    with tail.record() as outer:
        with tail.record() as inner:
            tail(INFO, b"both\n", None)
        tail(INFO, b"outer\n", None)
    assert (outer, inner) == (["both", "outer"], ["both"])


def test_another_threads_lines_stay_out() -> None:
    tail = LogTail()
    with tail.record() as lines:
        other = threading.Thread(target=tail, args=(INFO, b"not mine\n", None))
        other.start()
        other.join()
        tail(INFO, b"mine\n", None)
    assert lines == ["mine"]


def test_lines_are_heard_as_they_come() -> None:
    tail = LogTail()
    heard: list[str] = []
    with tail.record(heard.append):
        tail(INFO, b"now\n", None)
        assert heard == ["now"]


def test_a_recording_ends_with_an_error_too() -> None:
    tail = LogTail()
    with pytest.raises(ValueError, match="x"), tail.record() as lines:
        raise ValueError("x")
    tail(INFO, b"after\n", None)
    assert lines == []
