"""Reads what nobody else may see: typed unseen, or from standard input; never from the command
line, which others could read."""

import getpass
import sys

from app.cli.words import UsageMistake

_LONGEST = 4096


def read_key(prompt: str, what: str, *, from_stdin: bool) -> str:
    """Raises `UsageMistake` where there is none."""
    if sys.stdin is None or not (from_stdin or sys.stdin.isatty()):
        raise UsageMistake(f"there is no terminal to type the {what} in: use --stdin")
    text = sys.stdin.buffer.readline(_LONGEST).decode("utf-8", "replace") if from_stdin else ""
    key = (text if from_stdin else getpass.getpass(prompt)).strip()
    if not key:
        raise UsageMistake(f"there is no {what}: to forget one, use --forget")
    return key
