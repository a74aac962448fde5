"""Runs in the window's process: does what it is told over a pipe, through real input events.

Started as `python -m tests.hands.inside`. Reads one JSON command a line, answers with one JSON
line, and otherwise is Snug as it starts from its console script. It looks at widgets only through
their object names and what a screen reader is told.
"""

import json
import os
import sys
import threading
import time
from collections import deque
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from ui.chat.plain import linear

STARTED = time.perf_counter()
_POLL_MS = 10


def find(name: str) -> QWidget:
    for top in QApplication.topLevelWidgets():
        if top.objectName() == name:
            return top
        for widget in top.findChildren(QWidget, name):
            if widget.isVisible():
                return widget
    raise LookupError(f"no visible {name}")


def _accessible(widget: QWidget) -> str:
    return widget.accessibleName() or str(getattr(widget, "text", str)())


def _on_screen(widget: QWidget) -> bool:
    return not widget.visibleRegion().isEmpty()


class Hands:
    """The commands. Each returns something that JSON can hold."""

    def __init__(self) -> None:
        self._late: list[float] = []
        self._last = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def type(self, widget: str, text: str) -> None:
        """ASCII as keys; other scripts come from an input method, as they would for a person."""
        target = find(widget)
        target.setFocus()
        if text.isascii():
            QTest.keyClicks(target, text)
            return
        event = QInputMethodEvent()
        event.setCommitString(text)
        QApplication.sendEvent(target, event)

    def press(self, widget: str, key: str, ctrl: bool = False) -> None:
        modifier = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(find(widget), getattr(Qt.Key, f"Key_{key}"), modifier)

    def click(self, widget: str) -> None:
        QTest.mouseClick(find(widget), Qt.MouseButton.LeftButton)

    def wheel(self, widget: str, notches: int) -> None:
        target = find(widget)
        bar = target.verticalScrollBar()  # type: ignore[attr-defined]
        bar.setValue(bar.value() - notches * 3 * bar.singleStep())

    def place(self) -> list[int]:
        """Where the first visible turn stands: its number and its top on the screen."""
        column = find("conversationColumn")
        tops = {
            int(widget.objectName().removeprefix("turn-")): widget.y()
            for widget in column.findChildren(QWidget)
            if widget.objectName().startswith("turn-") and _on_screen(widget)
        }
        first = min(tops)
        return [first, tops[first]]

    def name(self, widget: str) -> str:
        return _accessible(find(widget))

    def text(self, widget: str) -> str:
        return str(find(widget).toPlainText())  # type: ignore[attr-defined]

    def named(self, prefix: str) -> list[str]:
        """What is visible and has a name that begins so."""
        found = [w for top in QApplication.topLevelWidgets() for w in top.findChildren(QWidget)]
        return [
            w.objectName() for w in found if w.objectName().startswith(prefix) and w.isVisible()
        ]

    def shown(self, widget: str) -> bool:
        try:
            return find(widget).isVisible()
        except LookupError:
            return False

    def turns(self) -> list[str]:
        """What a screen reader hears of each turn on the screen, in order."""
        column = find("conversationColumn")
        found = [w for w in column.findChildren(QWidget) if w.objectName().startswith("turn-")]
        found.sort(key=lambda widget: int(widget.objectName().removeprefix("turn-")))
        return [widget.accessibleName() for widget in found if _on_screen(widget)]

    def turn(self, position: int) -> str:
        """What a screen reader hears of one turn, if it is on the screen."""
        return find(f"turn-{position}").accessibleName()

    def written(self, position: int) -> str:
        """The text on the screen of one turn. A screen reader hears it only once it is whole."""
        column = find("conversationView")._canvas.column  # type: ignore[attr-defined]
        rows = column.entries[position].rows or () if position < len(column.entries) else ()
        return "\n".join(linear(row.block) for row in rows)

    def chats(self) -> list[str]:
        model = find("chatList").model()  # type: ignore[attr-defined]
        return [str(model.index(row, 0).data()) for row in range(model.rowCount())]

    def grab(self, path: str, widget: str = "window") -> None:
        assert find(widget).grab().save(path)

    def resize(self, width: int, height: int) -> None:
        find("window").resize(width, height)

    def watch(self) -> None:
        """Begin to measure how late a 10 ms timer of the GUI thread comes."""
        self._late.clear()
        self._last = time.perf_counter()
        self._timer.start(10)

    def gaps(self) -> list[float]:
        """Milliseconds between ticks since `watch`, the longest first."""
        self._timer.stop()
        return sorted(self._late, reverse=True)

    def pid(self) -> int:
        return os.getpid()

    def close(self) -> None:
        find("window").close()

    def _tick(self) -> None:
        now = time.perf_counter()
        self._late.append((now - self._last) * 1000)
        self._last = now


class Pipe:
    """Carries commands from standard input to the GUI thread, and answers back."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._commands: deque[dict[str, Any]] = deque()
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
        self._timer = QTimer()
        self._timer.timeout.connect(self._obey)
        self._timer.start(_POLL_MS)
        threading.Thread(target=self._read, name="hands", daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._commands.append(json.loads(line))

    def _obey(self) -> None:
        while self._commands:
            command = self._commands.popleft()
            self._answer(command.pop("do"), command)

    def _answer(self, name: str, arguments: dict[str, Any]) -> None:
        try:
            answer = {"result": getattr(self._hands, name)(**arguments)}
        except (LookupError, AttributeError) as error:
            answer = {"error": str(error)}
        self._out.write(json.dumps(answer) + "\n")


def main() -> int:
    from ui.main import main as snug
    from ui.shell.application import application

    if scripts := os.environ.get("HANDS_SCRIPTS"):  # the engine is scripted, the rest is real
        from tests.system import faulty

        faulty.install(faulty.parse(scripts))
    application()
    pipe = Pipe(Hands())
    code = snug([])
    assert pipe
    return code


if __name__ == "__main__":
    sys.exit(main())
