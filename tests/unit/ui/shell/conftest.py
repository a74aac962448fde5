"""Windows for the tests of the shell, each ended as the program ends."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.unit.ui.shell import world


@pytest.fixture
def make(qtbot, snug_home):
    """Starts a window; ends every one that was started."""
    made = []

    def start(script=None, titles=(), *, begin=True):
        it = world.build(snug_home, script)
        made.append(it)
        it.ids = world.seed(it.container, titles)
        it.window.show()
        qtbot.waitUntil(it.window.isActiveWindow)
        if begin:
            it.bench.begin()
            qtbot.waitUntil(lambda: it.window.sidebar.model.rowCount() >= len(titles))
        return it

    yield start
    for it in made:
        it.close()
        it.window.deleteLater()
        QApplication.sendPostedEvents()
        QApplication.processEvents()


@pytest.fixture
def quiet(make, qtbot):
    """A window whose model has not been asked for."""
    return make(begin=False)


@pytest.fixture
def wishes(quiet, monkeypatch):
    """What reaches the services."""
    made = []

    def prepare(**how):
        made.append(how)

    monkeypatch.setattr(quiet.container.chat, "prepare", prepare)
    monkeypatch.setattr(quiet.container.models, "use", lambda *model: made.append(model))
    return made


# --- the pill and the details ---
