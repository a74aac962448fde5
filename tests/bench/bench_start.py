"""How soon the window is on the screen, and what it takes in memory, against an empty window.

Run it as `python -m tests.bench.bench_start` on a quiet machine. Both windows start on the same
virtual screen, in turn; a run ends when the first frame has been painted.
"""

import os
import subprocess
import sys
import tempfile
from statistics import median

from tests.hands.screen import virtual_screen

ROUNDS = 7
EMPTY = """
import time; started = time.perf_counter()
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
class Window(QWidget):
    def paintEvent(self, event):
        QTimer.singleShot(0, done)
app = QApplication([])
{report}
window = Window(); window.resize(1200, 800); window.show(); app.exec()
"""
OURS = """
import time; started = time.perf_counter()
import sys
from ui.shell import application
from PySide6.QtCore import QTimer
{report}
original = application.Window
class Watched(original):
    def __init__(self, *args):
        super().__init__(*args)
        self.painted.connect(lambda: QTimer.singleShot(0, done))
application.Window = Watched
application.Services.begin = lambda self: None
from ui import main
main.main([])
"""
REPORT = """
import os, psutil
def done():
    took = time.perf_counter() - started
    rss = psutil.Process().memory_info().rss
    print(took * 1000, rss / 1e6, flush=True); os._exit(0)
"""
WHOLE = """
import os, threading, time, psutil
def report():
    time.sleep(4)
    heavy = [n for n in ("llama_cpp", "huggingface_hub", "numpy", "keyring") if n in sys.modules]
    print(psutil.Process().memory_info().rss / 1e6, heavy, flush=True); os._exit(0)
import sys
threading.Thread(target=report, daemon=True).start()
from app import models
from engine.errors import ModelMissing
def none(*_): raise ModelMissing("no model")
models.choose = none
from ui import main
main.main([])
"""


def run(program: str, environment: dict[str, str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.split(maxsplit=1)


def main() -> None:
    ratios, times = [], []
    with virtual_screen() as screen, tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **screen, "SNUG_HOME": home}
        for number in range(ROUNDS + 1):
            empty_ms, empty_mb = map(float, run(EMPTY.format(report=REPORT), environment))
            ours_ms, ours_mb = map(float, run(OURS.format(report=REPORT), environment))
            if number:  # the first one warms the disk cache
                ratios.append(ours_ms / empty_ms)
                times.append(ours_ms)
        memory_mb, heavy = run(WHOLE, environment)
    print(f"window on screen {median(times):.0f} ms, empty window {empty_ms:.0f} ms")
    print(f"start_ratio {median(ratios):.2f} (at most 2.5 wanted)")
    print(f"at first paint {ours_mb:.0f} MB, empty window {empty_mb:.0f} MB")
    print(
        f"idle_memory_mb {float(memory_mb):.0f} (at most 120 wanted), heavy imports {heavy.strip()}"
    )


if __name__ == "__main__":
    main()
