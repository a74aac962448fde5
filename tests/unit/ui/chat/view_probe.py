"""Looks at a conversation view and acts on it, as a test of any subject needs."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.conversations.values import Turn
from tests.unit.ui.chat.turns import turn
from ui.chat.plain import linear
from ui.chat.view import ConversationView

TABLE = "| Name | Amount |\n|---|---|\n" + "".join(f"| Item {i} | £{i} |\n" for i in range(200))
PARAGRAPH = "The quick brown fox jumps over the lazy dog and sleeps. " * 8


def long_chat(count: int = 30) -> list[Turn]:
    return [turn(i, f"{i}: " + PARAGRAPH) for i in range(count)]


def canvas(view: ConversationView):
    return view._canvas


def settle(qtbot: QtBot, view: ConversationView) -> None:
    """Until the idle work is done and all text that has come is shown."""
    qtbot.waitUntil(lambda: not canvas(view)._idle.isActive() and not view._pending)


def shown_text(view: ConversationView, index: int = -1) -> str:
    entry = canvas(view).column.entries[index]
    return "\n".join(linear(row.block) for row in entry.rows or ())


def named(view: ConversationView, name: str) -> list[QWidget]:
    return [w for w in view.findChildren(QWidget, name) if w.isVisible()]


def distance_to_end(view: ConversationView) -> int:
    bar = canvas(view).verticalScrollBar()
    return bar.maximum() - bar.value()


def read_at(view: ConversationView, y: int) -> tuple[str, int]:
    """The block at `y` of the window, and how far down in it that is."""
    for _, row in canvas(view).stock.live_rows():
        top = row.widget.mapTo(canvas(view).viewport(), QPoint(0, 0)).y()
        if top <= y < top + row.widget.height():
            return linear(row.block), y - top
    return "", 0


def picture(view: ConversationView) -> QImage:
    """The view painted afresh."""
    return view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def on_screen(view: ConversationView) -> QImage:
    """What all the partial paintings have left on the screen."""
    QApplication.processEvents()
    shot = view.screen().grabWindow(view.winId(), 0, 0, view.width(), view.height())
    return shot.toImage().convertToFormat(QImage.Format.Format_RGB32)


def wheel(view: ConversationView, notches: int) -> None:
    at = QPointF(400, 300)
    port = canvas(view).viewport()
    event = QWheelEvent(
        at, port.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(port, event)


def stream(view: ConversationView, text: str, size: int = 40) -> None:
    for start in range(0, len(text), size):
        view.grow("t1", text[start : start + size])
        view._flush()
        QApplication.processEvents()
