"""Runs other programs and tells the person what happens. A failure ends as one `SetupError`."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from devenv.errors import SetupError
from devenv.places import ROOT, cache, program

TAIL_LINES = 30
QUIET_S = 60.0  # on a log nobody watches: one sign of life a minute
_STEP = re.compile(r"\[(\d+)/(\d+)\]")


def say(text: str) -> None:
    print(f"snug: {text}", file=sys.stderr, flush=True)


def run(argv: Sequence[str | Path], doing: str, env: dict[str, str] | None = None) -> None:
    """Run with the output kept in a log; the log's end is shown when it fails."""
    log = _log_file(doing)
    with log.open("w", encoding="utf-8", errors="replace") as file:
        done = subprocess.run(
            argv,
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            close_fds=False,  # the setup lock goes along
            check=False,
        )
    if done.returncode != 0:
        raise SetupError(_failure(doing, log))


def environment(**changes: str) -> dict[str, str]:
    """Ours with `changes`."""
    return os.environ | changes


def pip(*arguments: str | Path, doing: str) -> None:
    """pip of the virtual environment."""
    run([program("python"), "-m", "pip", *arguments], doing)


def run_with_steps(argv: Sequence[str | Path], doing: str, env: dict[str, str]) -> None:
    """Like `run`, for minutes of work that print `[3/40]` as they go."""
    log = _log_file(doing)
    say(f"log: {log}")
    with (
        log.open("w", encoding="utf-8", errors="replace") as file,
        subprocess.Popen(
            argv,
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            close_fds=False,
        ) as process,
    ):
        _show_steps(_copied(process.stdout or (), file))
    if process.returncode != 0:
        raise SetupError(_failure(doing, log))


def _copied(lines: Iterable[str], file: TextIO) -> Iterator[str]:
    for line in lines:
        file.write(line)
        file.flush()
        yield line


def _show_steps(lines: Iterator[str]) -> None:
    """Rewrite one line on a terminal; elsewhere print a line now and then."""
    watched, shown = sys.stderr.isatty(), time.monotonic()
    for line in lines:
        found = _STEP.search(line)
        if not found:
            continue
        if watched:
            print(f"\rsnug: step {found[1]} of {found[2]} ", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - shown > QUIET_S:
            say(f"step {found[1]} of {found[2]}")
            shown = time.monotonic()
    if watched:
        print(file=sys.stderr)


def output(argv: Sequence[str | Path]) -> str:
    """What a quick command prints; empty when it is missing or fails."""
    try:
        done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def _log_file(doing: str) -> Path:
    folder = cache() / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / (re.sub(r"[^a-z0-9]+", "-", doing.lower()).strip("-") + ".log")


def _failure(doing: str, log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    tail = "\n".join(f"    {line}" for line in lines[-TAIL_LINES:])
    return f"{doing} failed. The end of its log:\n{tail}\n  The whole log: {log}"
