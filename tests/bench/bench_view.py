"""Prints what the reading column costs: a step of growth, opening, the longest gap.

Run it by hand: `python -m tests.bench.bench_view`. It judges nothing.
"""

import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from statistics import mean, quantiles

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.conversations.values import Turn, TurnState
from engine.types.chat import Role
from ui.chat.view import ConversationView
from ui.theme.theme import Theme

PARAGRAPHS = (
    "The **quick** brown fox jumps over the lazy dog, and then it runs `home` to sleep. " * 6
    + "\n\n"
) * 12
CODE = (
    "```python\n"
    + "def area(width, height):  # in metres\n    return width * height\n" * 100
    + "```\n"
)
TABLE = "| Name | Amount | Share | Note |\n|---|---|---|---|\n" + "".join(
    f"| Item {i} | £{i * 37 % 1000} | {i % 100}% | **some** words here |\n" for i in range(200)
)
LIST = "".join(f"{i}. The **{i}th** step is to do the `thing` and look.\n" for i in range(1, 80))


def turn(position: int, role: Role, text: str, state: TurnState = TurnState.COMPLETE) -> Turn:
    return Turn(
        id=f"t{position}",
        conversation_id="c",
        position=position,
        role=role,
        text=text,
        state=state,
        model="",
        created_at=datetime.now(UTC),
    )


class Gaps:
    """Longest time between two ticks of a 10 ms timer on the main thread."""

    def __init__(self) -> None:
        self.all: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer(interval=10)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.all.append((now - self._last) * 1000)
        self._last = now


def wait(ms: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def tokens(text: str, size: int = 4) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def shown(turns: list[Turn]) -> ConversationView:
    view = ConversationView(Theme("light"))
    view.resize(936, 700)
    view.show()
    view.show_turns(turns)
    wait(200)
    return view


def steps(name: str, text: str) -> None:
    """Cost of the steps that are shown, each with its painting, 5 tokens a step."""
    view = shown([turn(0, Role.USER, "Hello"), turn(1, Role.ASSISTANT, "", TurnState.PARTIAL)])
    costs = []
    for part in tokens(text, 20):
        view._pending.append(part)
        view._growing = view._growing or view._canvas.column.find("t1")
        begin = time.perf_counter()
        view._flush()
        QApplication.processEvents()
        costs.append((time.perf_counter() - begin) * 1000)
    p95 = quantiles(costs, n=20)[-1]
    print(
        f"{name:12} {len(costs):5} steps  mean {mean(costs):5.2f} ms  p95 {p95:5.2f} ms"
        f"  worst {max(costs):6.2f} ms"
    )
    view.close()
    view.deleteLater()


def stream(name: str, text: str, rate: int = 100) -> None:
    """`text` at `rate` tokens a second through `grow`, as the bridge calls it."""
    view = shown([turn(0, Role.USER, "Hello"), turn(1, Role.ASSISTANT, "", TurnState.PARTIAL)])
    gaps, parts = Gaps(), list(tokens(text))
    busy, begin, sent = 0.0, time.perf_counter(), 0
    while sent < len(parts):
        wait(33)
        due = min(len(parts), int((time.perf_counter() - begin) * rate))
        start = time.perf_counter()
        view.grow("t1", "".join(parts[sent:due]))
        busy += time.perf_counter() - start
        sent = due
    elapsed = time.perf_counter() - begin
    view.end_turn(turn(1, Role.ASSISTANT, text))
    wait(100)
    late = sorted(gaps.all)
    print(
        f"{name:12} {elapsed:5.1f} s  gap p99 {late[len(late) * 99 // 100]:5.1f} ms  "
        f"worst {late[-1]:5.1f} ms  cpu of the process {time.process_time():.1f} s"
    )
    view.close()
    view.deleteLater()


def opening(name: str, make: Callable[[], list[Turn]]) -> None:
    turns = make()
    view = ConversationView(Theme("light"))
    view.resize(936, 700)
    view.show()
    wait(100)
    gaps = Gaps()
    begin = time.perf_counter()
    view.show_turns(turns)
    QApplication.processEvents()
    opened = (time.perf_counter() - begin) * 1000
    wait(300)
    worst = max(gaps.all)
    gaps.all.clear()
    bar = view._canvas.verticalScrollBar()
    for fraction in range(100, -1, -2):
        bar.setValue(bar.maximum() * fraction // 100)
        wait(15)
    print(
        f"{name:12} open {opened:6.1f} ms  worst gap {worst:5.1f} ms  "
        f"while dragging the bar {max(gaps.all):5.1f} ms"
    )
    view.close()
    view.deleteLater()


def long_conversation(big_role: Role) -> list[Turn]:
    turns = [
        turn(
            i, Role.ASSISTANT if i % 2 else Role.USER, (PARAGRAPHS[:1500] if i % 2 else "And then?")
        )
        for i in range(2000)
    ]
    big = 1998 if big_role is Role.USER else 1999
    turns[big] = turn(big, big_role, "word " * 400_000)
    return turns


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _app = QApplication([])
    for name, text in (
        ("paragraphs", PARAGRAPHS),
        ("code", CODE),
        ("table", TABLE),
        ("list", LIST),
    ):
        steps(name, text)
    opening("2000 + 2 MB", lambda: long_conversation(Role.USER))
    opening("… answer", lambda: long_conversation(Role.ASSISTANT))
    opening("100k lines", lambda: [turn(0, Role.USER, "line of text\n" * 100_000)])
    opening("100k code", lambda: [turn(0, Role.ASSISTANT, "```py\n" + "x = 1\n" * 100_000)])
    stream("table", TABLE, 100)


if __name__ == "__main__":
    main()
