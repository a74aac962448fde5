"""How soon the window of the frozen program is on the screen, against the same from the sources;
and how large the packages are, against what was promised.

Run it as `python -m tests.bench.bench_packaged [FROZEN_FOLDER]` on a quiet machine, after
`dev.py package`. Both start on the same virtual screen in turn, with a home that is already in use;
a start ends when the system calls the window visible (needs xwininfo, Debian's x11-utils).
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.hands.screen import virtual_screen

ROUNDS = 9
MADE = Path(__file__).resolve().parents[2] / "dist"
LIMITS_MB = {".deb": 200.0, "-lite.deb": 75.0}
_PATIENCE_S = 30.0
_WINDOW = re.compile(r'(0x\w+) "Snug": \("snug" "Snug"\)')


def main(arguments: Sequence[str]) -> None:
    folder = Path(arguments[0]) if arguments else MADE / "frozen" / "snug"
    frozen: list[str | Path] = [folder / "snug"]
    source: list[str | Path] = [Path(sys.executable).with_name("snug")]
    ratios, times = [], []
    with virtual_screen() as screen, tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **screen, "SNUG_HOME": home}
        for number in range(ROUNDS + 1):
            ours_s, theirs_s = seconds(frozen, environment), seconds(source, environment)
            if number:  # the first one warms the disk cache and sets the home up
                ratios.append(ours_s / theirs_s)
                times.append(ours_s)
    print(f"frozen: window after {median(times) * 1000:.0f} ms")
    print(f"start_ratio {median(ratios):.2f} (at most 1.5 wanted)")
    print_sizes()


def seconds(argv: Sequence[str | Path], environment: dict[str, str]) -> float:
    """From the start of the process until its window is visible."""
    started = time.perf_counter()
    program = subprocess.Popen(
        argv, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while not is_visible(environment):
            if time.perf_counter() - started > _PATIENCE_S:
                raise TimeoutError(str(argv[0]))
            time.sleep(0.005)
        return time.perf_counter() - started
    finally:
        program.terminate()
        program.wait()


def is_visible(environment: dict[str, str]) -> bool:
    found = _WINDOW.search(_xwininfo(environment, "-root", "-tree"))
    return bool(found) and "IsViewable" in _xwininfo(environment, "-id", found[1])


def _xwininfo(environment: dict[str, str], *arguments: str) -> str:
    asked = ["xwininfo", *arguments]
    return subprocess.run(
        asked, env=environment, capture_output=True, text=True, check=False
    ).stdout


def print_sizes() -> None:
    for path in sorted((MADE / "installers").glob("*")):
        size_mb = path.stat().st_size / 1e6
        limit = next((LIMITS_MB[end] for end in reversed(LIMITS_MB) if path.name.endswith(end)), 0)
        promised = f" (at most {limit:.0f} wanted)" if limit else ""
        print(f"{path.name} {size_mb:.1f} MB{promised}")


if __name__ == "__main__":
    main(sys.argv[1:])
