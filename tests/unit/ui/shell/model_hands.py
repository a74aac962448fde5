"""What tests of the model's state do and see in a window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from ui.models.card import ModelCard
from ui.models.memory_full import MemoryFullDialog


def press(qtbot, root, name):
    qtbot.mouseClick(root.findChild(QAbstractButton, name), Qt.MouseButton.LeftButton)


def tell(it, *events):
    for event in events:
        it.bench.model.handle(event)


def card(it):
    found = it.window.findChildren(ModelCard)
    return next((dialog for dialog in found if dialog.isVisible()), None)


def question(it):
    found = it.window.findChildren(MemoryFullDialog)
    shown = [dialog for dialog in found if dialog.isVisible()]
    assert len(shown) < 2
    return shown[0] if shown else None


def ask(it, qtbot, text="What is the capital of France?"):
    qtbot.keyClicks(it.window.page.composer.field, text)
    qtbot.keyClick(it.window.page.composer.field, Qt.Key.Key_Return)
