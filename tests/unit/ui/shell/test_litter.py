"""Python's garbage is collected on the GUI thread only."""

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject

from ui.shell import litter
from ui.shell.litter import Litter


class Cycle:
    """Holds itself and says on which thread it went."""

    def __init__(self, went):
        self.me = self
        weakref.finalize(self, lambda: went.append(threading.current_thread()))


@pytest.fixture
def running(qtbot, monkeypatch):
    monkeypatch.setattr(litter, "_EVERY_MS", 10)
    parent = QObject()
    made = Litter(parent)
    made.begin()
    yield made
    made.end()
    gc.disable()  # as the tests of this room have it


def test_other_threads_collect_nothing_and_this_one_soon_does(running, qtbot):
    assert not gc.isenabled()
    went = []

    def litter_a_lot():
        for _ in range(20):
            Cycle(went)
        [[] for _ in range(10_000)]

    thread = threading.Thread(target=litter_a_lot)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(went) == 20)
    assert set(went) == {threading.main_thread()}


def test_afterwards_python_does_it_again(running):
    running.end()
    assert gc.isenabled()
