"""`snug doctor`: is everything in place?"""

import argparse
import json
from dataclasses import asdict

from app import logs
from app.cli.words import ENGINE, FILE, NOT_ALLOWED, say
from app.diagnostics import Check, Health, run_checks

_EXIT_CODES = {"engine": ENGINE, "model": FILE, "data": NOT_ALLOWED, "window": NOT_ALLOWED}
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
    return _EXIT_CODES[bad[0].name] if bad else 0


def _line(check: Check) -> str:
    return f"{check.name:9} {_MARKS[check.health]:10} {check.detail}"
