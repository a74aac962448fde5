"""Widgets that a test leaves in cycles are collected here, on the GUI thread, as in the program:
see `ui/shell/litter.py`. Another thread that happened to do it would kill the whole process."""

import gc
from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

_PATIENCE_MS = 30_000
"""A busy machine is slow, and slowness is no failure."""


@pytest.fixture(autouse=True)
def _collect_here() -> Iterator[None]:
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = QtBot.waitUntil

    def wait_long(bot: QtBot, until: Callable[[], object], *, timeout: int = 0) -> None:
        wait(bot, until, timeout=max(timeout, _PATIENCE_MS))

    monkeypatch.setattr(QtBot, "waitUntil", wait_long)
