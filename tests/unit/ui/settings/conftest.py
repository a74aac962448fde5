"""A window with the real container, ended as the program ends it."""

import pytest
from PySide6.QtWidgets import QApplication, QMenu

from tests.unit.ui.settings import room


@pytest.fixture
def make(qtbot, snug_home):
    """Starts a window; ends every one that was started."""
    made = []

    def start(size=(1200, 800), theme=None):
        it = room.build(snug_home, theme)
        made.append(it)
        it.window.resize(*size)
        it.window.show()
        qtbot.waitUntil(it.window.isActiveWindow)
        return it

    yield start
    for it in made:
        it.close()
        it.window.deleteLater()
        QApplication.sendPostedEvents()
        QApplication.processEvents()


@pytest.fixture
def menus(monkeypatch):
    """A menu is filled, and not shown: this screen warns that it can not grab the keyboard."""
    monkeypatch.setattr(QMenu, "popup", lambda *_: None)


@pytest.fixture
def it(make):
    return make()
