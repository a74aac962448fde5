"""`snug doctor`: is everything in place?"""

import argparse
import json
from dataclasses import asdict

from app import logs
from app.cli.words import ENGINE, FILE, NOT_ALLOWED, say
from app.diagnostics import run_checks
from app.health import Check, Health

_EXIT_CODES = {"processor": ENGINE, "engine": ENGINE, "model": FILE, "answer": ENGINE}
"""Of what is bad first; of everything else it is `NOT_ALLOWED`."""
_MARKS = {Health.GOOD: "ok", Health.MISSING: "not there", Health.BAD: "BAD"}


def run(arguments: argparse.Namespace) -> int:
    logs.start(arguments.paths)
    checks = run_checks(arguments.paths, arguments.window_check)
    bad = [check for check in checks if check.health is Health.BAD]
    if arguments.json:
        body = {"ok": not bad, "checks": [asdict(check) for check in checks]}
        say(json.dumps(body, ensure_ascii=False))
    else:
        for check in checks:
            say(_line(check))
    return _EXIT_CODES.get(bad[0].name, NOT_ALLOWED) if bad else 0


def _line(check: Check) -> str:
    return f"{check.name:9} {_MARKS[check.health]:10} {check.detail}"
