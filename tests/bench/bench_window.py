"""Decoding speed while the answer streams into the visible window, as a ratio to llama.cpp alone.

Run it as `python -m tests.bench.bench_window` on a quiet machine. It opens the real window on a
virtual screen and, in the same process and in turn, lets the bare loop decode as many tokens.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from statistics import median

from tests.hands.screen import virtual_screen

ROUNDS = 5
WRITE_FOR_S = 8.0
QUESTION = "Write about the sea: a heading, a paragraph, a list of ten items and a table. Round {}."


def measure() -> None:
    """In the process of the window."""
    from PySide6.QtCore import QTimer

    from app.container import Container
    from engine.host import InProcessHost
    from engine.types.generation import Finished, GenerationStats
    from ui.shell import application

    finished: list[GenerationStats] = []
    original = InProcessHost.generate

    def watched(self, request, deliver, cancel) -> None:  # type: ignore[no-untyped-def]
        def tee(event: object) -> None:
            if isinstance(event, Finished):
                finished.append(event.stats)
            deliver(event)

        original(self, request, tee, cancel)

    InProcessHost.generate = watched  # type: ignore[method-assign]
    containers: list[Container] = []
    bring_to_life = application._bring_to_life

    def brought(window, services, benches) -> None:  # type: ignore[no-untyped-def]
        bring_to_life(window, services, benches)
        containers.append(services.container)
        threading.Thread(
            target=rounds, args=(services.container, finished, window.close), daemon=True
        ).start()

    application._bring_to_life = brought
    QTimer.singleShot(0, lambda: None)
    from app.paths import find

    application.run(find())


def rounds(container: object, finished: list, close: Callable[[], object]) -> None:  # type: ignore[type-arg]
    from app.models import choose
    from app.paths import find
    from engine.runtimes.llamacpp.bare import BareLoop

    chat = container.chat  # type: ignore[attr-defined]
    choice = choose(find())
    time.sleep(3)
    bare = BareLoop(choice.spec)
    ratios: list[float] = []
    for number in range(ROUNDS + 1):
        conversation = chat.send(None, QUESTION.format(number))
        started = time.monotonic()
        while len(finished) == number:
            time.sleep(0.25)
            if time.monotonic() - started > WRITE_FOR_S:
                chat.stop(conversation)
        stats = finished[number]
        speed = stats.generated_tokens / stats.generation_ms * 1000
        alone = bare.run([1] * stats.prompt_tokens, stats.generated_tokens, choice.sampling)
        print(
            f"round {number}: {stats.generated_tokens} tokens, in the window {speed:.1f} a second,"
            f" alone {alone.decode:.1f}, ratio {speed / alone.decode:.3f}",
            flush=True,
        )
        if number:  # the first one warms up
            ratios.append(speed / alone.decode)
    print(f"window_ratio {median(ratios):.3f} (at least 0.85 wanted)", flush=True)
    from PySide6.QtCore import QMetaObject, Qt
    from PySide6.QtWidgets import QApplication

    window = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "window")
    QMetaObject.invokeMethod(window, "close", Qt.ConnectionType.QueuedConnection)


def main() -> int:
    with virtual_screen() as screen, tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **screen, "SNUG_HOME": home}
        return subprocess.run(
            [sys.executable, "-c", "from tests.bench.bench_window import measure; measure()"],
            env=environment,
            check=False,
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
