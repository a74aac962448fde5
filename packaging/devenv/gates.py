"""Every gate of the project, one after another, with one summary. All must pass.

Tests that measure time are marked `serial` and run alone, after the others. pytest's counts come
last, in its own words, because that is where people and machines look for them.
"""

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from devenv.places import ROOT, program

_NO_TESTS = 5  # pytest's exit code for an empty selection
_CLOSING = re.compile(r"^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s", re.MULTILINE)
_COUNT = re.compile(r"(\d+) (failed|passed|skipped|xfailed|xpassed|warning|error)s?")
_ORDER = ("failed", "passed", "skipped", "xfailed", "xpassed", "warning", "error")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a gate ended."""

    name: str
    passed: bool
    duration_s: float
    counts: Counter[str]


def _tool(name: str, *arguments: str) -> list[str]:
    return [str(program(name)), *arguments]


def _static_gates() -> dict[str, list[str]]:
    return {
        "format": _tool("ruff", "format", "--check", "."),
        "lint": _tool("ruff", "check", "."),
        "types": _tool("mypy"),
        "layers": _tool("lint-imports", "--no-cache"),  # a stale cache has hidden a cycle
        "dependencies": _tool("deptry", "."),
    }


def _pytest(*arguments: str) -> list[str]:
    return [str(program("python")), "-m", "pytest", *arguments]


def run(extra: Sequence[str]) -> int:
    """Exit code: 0 when everything passed. `extra` goes to pytest, which then runs once."""
    outcomes = [_gate(name, argv) for name, argv in _static_gates().items()]
    if extra:
        outcomes.append(_tests("tests", _pytest(*extra)))
    else:
        side_by_side = ("-n", "logical", "--maxprocesses", "4", "-m", "not serial")
        outcomes.append(_tests("tests", _pytest(*side_by_side)))
        outcomes.append(_tests("tests, alone", _pytest("-m", "serial")))
    _summary(outcomes)
    return 0 if all(outcome.passed for outcome in outcomes) else 1


def _heading(name: str) -> None:
    print(f"\n--- {name} {'-' * (72 - len(name))}", flush=True)


def _gate(name: str, argv: list[str]) -> Outcome:
    _heading(name)
    started = time.monotonic()
    code = subprocess.run(argv, cwd=ROOT, env=_environment(), check=False).returncode
    duration_s = time.monotonic() - started
    return Outcome(name=name, passed=code == 0, duration_s=duration_s, counts=Counter())


def _tests(name: str, argv: list[str]) -> Outcome:
    _heading(name)
    started = time.monotonic()
    code, text = _shown(argv)
    return Outcome(
        name=name,
        passed=code in (0, _NO_TESTS),
        duration_s=time.monotonic() - started,
        counts=closing_counts(text),
    )


def _shown(argv: list[str]) -> tuple[int, str]:
    """Run with the output shown as it comes, and kept."""
    colour = ["--color=yes"] if sys.stdout.isatty() else []
    kept = bytearray()
    with subprocess.Popen(
        [*argv, *colour], cwd=ROOT, env=_environment(), stdout=subprocess.PIPE, bufsize=0
    ) as process:
        while process.stdout and (piece := process.stdout.read(4096)):
            kept += piece
            sys.stdout.buffer.write(piece)
            sys.stdout.flush()
    return process.returncode, kept.decode(errors="replace")


def _environment() -> dict[str, str]:
    return {"QT_QPA_PLATFORM": "offscreen"} | os.environ


def closing_counts(text: str) -> Counter[str]:
    """The counts of pytest's last line, by outcome; empty when it never wrote one."""
    closing = _CLOSING.findall(_ANSI.sub("", text))
    found = _COUNT.findall(closing[-1]) if closing else []
    return Counter({word: int(number) for number, word in found})


def closing_line(counts: Counter[str], duration_s: float) -> str:
    """Counts in pytest's own form."""
    words = (f"{counts[word]} {_plural(word, counts[word])}" for word in _ORDER if counts[word])
    return f" {', '.join(words) or 'no tests ran'} in {duration_s:.2f}s ".center(80, "=")


def _plural(word: str, number: int) -> str:
    return f"{word}s" if word in ("warning", "error") and number != 1 else word


def _summary(outcomes: list[Outcome]) -> None:
    _heading("summary")
    for outcome in outcomes:
        verdict = "ok    " if outcome.passed else "FAILED"
        print(f"{verdict} {outcome.name:<14} {outcome.duration_s:6.1f} s")
    tests = [outcome for outcome in outcomes if outcome.name.startswith("tests")]
    counts = sum((outcome.counts for outcome in tests), Counter[str]())
    print(closing_line(counts, sum(outcome.duration_s for outcome in tests)), flush=True)
