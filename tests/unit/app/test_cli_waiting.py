"""Long work of the command line: its result, its error, and Ctrl+C that lets it clean up."""

import io
import os
import signal
import sys
from threading import Event, current_thread

import pytest

from app.cli.progress_line import ProgressLine
from app.cli.waiting import wait_for
from engine.errors import Cancelled, NotLoaded
from engine.types.cancel import CancelToken

WAIT_S = 10


def test_results_and_errors_come_through() -> None:
    assert wait_for(lambda _: current_thread().name) == "snug-work"

    def fail(_: CancelToken) -> None:
        raise NotLoaded

    with pytest.raises(NotLoaded):
        wait_for(fail)


def test_ctrl_c_ends_the_work_first() -> None:
    cleaned = Event()

    def work(cancel: CancelToken) -> None:
        ended = Event()
        cancel.on_cancel(ended.set)
        os.kill(os.getpid(), signal.SIGINT)
        assert ended.wait(WAIT_S)
        cleaned.set()
        raise Cancelled

    with pytest.raises(KeyboardInterrupt):
        wait_for(work)
    assert cleaned.is_set()


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_a_line_is_written_over_and_left_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", Terminal(written, encoding="utf-8"))
    line = ProgressLine()
    progress = line.fraction("copying")
    for done in (0.0, 0.001, 0.5, 1.0):
        progress(done)
    line.clear()
    shown = written.getvalue().decode().split("\r")
    assert [text.rstrip() for text in shown] == [
        "",
        "copying: 0 %",
        "copying: 50 %",
        "copying: 100 %",
        "",
        "",
    ]
    monkeypatch.undo()


def test_nothing_is_written_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = ProgressLine()
    line.show("noise")
    line.clear()
    assert capsys.readouterr().err == ""
