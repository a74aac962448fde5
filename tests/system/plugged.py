"""Snug with a folder of plug-ins in place of its own. Run as
`python -m tests.system.plugged FOLDER LIMIT_S COMMAND...` it is the command line, with `+` between
commands; LIMIT_S is how long a backend other than the processor's may take to say what it has.
"""

import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from app.cli import main
from engine.backends import plugins
from engine.hardware import probe
from engine.hardware.probe import Asked, RunRole
from engine.types.backends import PROCESSOR, Origin, Plugin

NEXT = "+"


def install(folder: Path, limit_s: float) -> None:
    """From now on this program finds its plug-ins there, and is impatient with them."""
    find, ask = plugins.find, probe.ask

    def find_there(_folder: Path, origin: Origin) -> tuple[Plugin, ...]:
        return find(folder, origin)

    def ask_briefly(backend: str, run_role: RunRole, timeout_s: float) -> Asked:
        return ask(backend, run_role, timeout_s if backend == PROCESSOR else limit_s)

    plugins.find, probe.ask = find_there, ask_briefly


def run(commands: Sequence[str]) -> int:
    """The highest exit code."""
    each = [list(words) for is_next, words in groupby(commands, NEXT.__eq__) if not is_next]
    return max(main(words) for words in each)


if __name__ == "__main__":
    install(Path(sys.argv[1]), float(sys.argv[2]))
    sys.exit(run(sys.argv[3:]))
