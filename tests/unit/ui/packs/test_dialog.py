"""The dialog from the question to the end, over work that the test does by hand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QProgressBar, QWidget

from app.packs_brought import Advance, Outcome
from engine.errors import PackRefused
from engine.types.cancel import CancelToken
from engine.types.packs import PackProblem
from tests.unit.ui.packs.stock import found, offer
from ui.packs.adding import AddingParts
from ui.packs.dialog import PackDialog
from ui.theme.style import sheet
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform
CLICK = Qt.MouseButton.LeftButton


@dataclass
class Work:
    """An errand that stands still until it is told to go on."""

    token: CancelToken = field(default_factory=CancelToken)
    done: Callable[..., None] | None = None
    failed: Callable[..., None] | None = None
    heard: Callable[[Advance], None] | None = None
    begun: int = 0

    def errand(self, work, done, failed):
        self.begun += 1
        self.done, self.failed = done, failed
        work(self.token)
        return self.token

    def add(self, _offers, heard, _cancel):
        self.heard = heard
        return ()


class World:
    def __init__(self, qtbot, what, size=(720, 520), scale=100):
        self.qtbot = qtbot
        self.work, self.told = Work(), []
        theme = Theme("light", scale)
        self.window = QWidget()
        self.window.setStyleSheet(sheet(theme))
        self.window.resize(*size)
        qtbot.addWidget(self.window)
        self.window.show()
        qtbot.waitUntil(self.window.isActiveWindow)
        parts = AddingParts(errand=self.work.errand, call=lambda then: then(), add=self.work.add)
        tell = lambda _icon, words: self.told.append(words)  # noqa: E731
        self.heard = []
        self.dialog = PackDialog(theme, what, self.window, parts, tell, self.heard.append)
        qtbot.waitUntil(self.dialog.isActiveWindow)

    def button(self, name):
        return self.dialog.findChild(QAbstractButton, name)

    def press(self, name):
        self.qtbot.mouseClick(self.button(name), CLICK)

    @property
    def said(self):
        labels = self.dialog.findChildren(QLabel)
        return "\n".join(label.text() for label in labels if not label.isHidden())

    @property
    def is_closed(self):
        return not self.window.findChildren(PackDialog) or self.dialog.isHidden()


@pytest.fixture
def world(qtbot):
    return lambda *what, **how: World(qtbot, found(*what, **how))


def test_nothing_begins_before_a_person_says_so(world):
    it = world(offer())
    assert it.button("packCancel").hasFocus()
    assert not it.button("packClose").isVisible()
    it.press("packCancel")
    assert it.is_closed
    assert it.work.begun == 0
    assert it.told == []


def test_how_far_it_is_is_seen_and_said(world):
    it = world(offer())
    it.press("packAdd")
    assert it.said.startswith("Adding support for NVIDIA graphics cards…")
    it.work.heard(Advance(offer=offer(), fraction=0.5))
    bar = it.dialog.findChild(QProgressBar, "packBar")
    assert bar.value() == bar.maximum() / 2
    assert "Copying and checking… 50%" in it.said
    it.work.heard(Advance(offer=offer(), fraction=1.0, trying=True))
    assert "Trying it out." in it.said
    it.work.done((Outcome(offer=offer()),))
    assert "is added." in it.said
    assert not bar.isVisible()
    assert it.button("packClose").hasFocus()
    assert it.heard == [it.said.replace("\n", " ")]
    it.press("packClose")
    assert it.is_closed


def test_cancel_stops_first_and_closes_then(world):
    it = world(offer())
    it.press("packAdd")
    it.press("packCancel")
    assert it.work.token.cancelled
    assert "Stopping…" in it.said
    assert not it.is_closed
    it.work.heard(Advance(offer=offer(), fraction=0.7))  # a late word
    assert "Stopping…" in it.said
    it.work.done(())
    assert it.is_closed
    assert it.told == ["Stopped. Nothing was added."]


def test_what_does_not_stop_can_be_left(world, qtbot):
    it = world(offer())
    it.press("packAdd")
    it.press("packCancel")
    it.dialog._patience.lose()
    assert "does not stop yet" in it.said
    it.press("packClose")
    assert it.is_closed
    it.work.done((Outcome(offer=offer()),))  # nobody hears it, and nothing breaks
    assert it.told == []


def test_a_failure_has_its_exact_words_under_details(world):
    it = world(offer())
    it.press("packAdd")
    error = PackRefused(Path("cuda13.pack"), PackProblem.DRIVER_TOO_OLD, "470, needed is 580")
    it.work.done((Outcome(offer=offer(), error=error),))
    assert "The driver of the graphics card is too old for it." in it.said
    assert "470" not in it.said
    it.press("packFold")
    box = it.dialog.findChild(QPlainTextEdit, "packDetails")
    assert box.isVisible()
    assert "470, needed is 580" in box.toPlainText()


def test_what_nobody_expected_is_told_too(world):
    it = world(offer())
    it.press("packAdd")
    it.work.failed(RuntimeError("odd"))
    assert it.button("packClose").isVisible()
    assert "odd" not in it.said


def test_refused_ones_are_named_beside_the_question(world):
    half = PackRefused(Path("half.pack"), PackProblem.CUT_OFF)
    it = world(offer(), there=[offer("amd", "hip")], refused=[half])
    assert "Support for AMD graphics cards is there already." in it.said
    assert "half.pack: The end of the file is missing." in it.said
    assert it.button("packAdd").isVisible()


@pytest.mark.parametrize("scale", [100, 200])
def test_it_fits_into_the_smallest_window(qtbot, scale):
    refused = [
        PackRefused(Path(f"a-very-long-name-of-a-file-number-{n}.pack"), PackProblem.CUT_OFF)
        for n in range(6)
    ]
    it = World(qtbot, found(offer(), refused=refused), scale=scale)
    assert it.dialog.width() <= it.window.width()
    assert it.dialog.height() <= it.window.height()
    assert it.button("packAdd").isVisible()
    it.press("packAdd")
    it.work.heard(Advance(offer=offer(), fraction=1.0, trying=True))
    assert it.dialog.height() <= it.window.height()
