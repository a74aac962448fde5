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
from statistics import median

from tests.hands.screen import virtual_screen

ROUNDS = 5
WRITE_FOR_S = 8.0
REST_S = 0.5
QUESTION = "Round {}. Give me five tips for a good night's sleep."


def measure() -> None:
    """In the process of the window."""
    from app import fitting
    from app.paths import find
    from engine.runtimes.llamacpp.bare import Pair, PairedRuntime
    from ui.shell import application

    pairs: list[Pair] = []
    bring_to_life = application._bring_to_life

    def brought(window, services, benches) -> None:  # type: ignore[no-untyped-def]
        bring_to_life(window, services, benches)
        arguments = (services.container.chat, pairs)
        threading.Thread(target=rounds, args=arguments, daemon=True).start()

    fitting.local_runtime = lambda: PairedRuntime(pairs, REST_S)
    application._bring_to_life = brought
    application.run(find())


def rounds(chat, pairs) -> None:  # type: ignore[no-untyped-def]
    ratios: list[float] = []
    for number in range(ROUNDS + 1):
        conversation = chat.send(None, QUESTION.format(number))
        started = time.monotonic()
        while len(pairs) == number:
            time.sleep(0.25)
            if time.monotonic() - started > WRITE_FOR_S:
                chat.stop(conversation)
        pair = pairs[number]
        ratios.append(pair.ours.decode / pair.bare.decode)
        print(
            f"round {number}: {pair.stats.generated_tokens} tokens, in the window"
            f" {pair.ours.decode:.1f} a second, alone {pair.bare.decode:.1f},"
            f" ratio {ratios[-1]:.3f}",
            flush=True,
        )
    # The first one warms up.
    print(f"window_ratio {median(ratios[1:]):.3f} (at least 0.85 wanted)", flush=True)
    close_window()


def close_window() -> None:
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
