"""Where the program starts: the window, or the command line, or a talk in the terminal.

With a command or option PySide6 is never imported.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.child_entry import become_child
from app.paths import find
from app.streams import give_streams, let_go_of_streams
from ui import display

if TYPE_CHECKING:
    from app.health import Check

_OPEN = "--open"
_QUESTION = "What is the capital of France?"


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    try:
        return _start(argv)
    finally:
        let_go_of_streams()


def _start(argv: Sequence[str] | None) -> int:
    arguments = sys.argv[1:] if argv is None else list(argv)
    become_child(arguments)
    give_streams()
    files = files_to_open(arguments)
    if arguments and files is None:
        return _command_line(arguments)
    missing = display.reason_for_none()
    if missing:
        return _without_display(missing)
    from ui.shell.application import run  # noqa: PLC0415 - the command line does without Qt

    return run(find(), files or ())


def files_to_open(arguments: Sequence[str]) -> tuple[Path, ...] | None:
    """Those after `--open`, as a file manager calls us; None for a command."""
    if arguments[:1] != [_OPEN]:
        return None
    return tuple(Path(name).absolute() for name in arguments[1:])


def _command_line(arguments: Sequence[str]) -> int:
    from app import cli  # noqa: PLC0415 - the window does without it

    return cli.main(arguments, window_check=check_window)


def _without_display(missing: str) -> int:
    """The same assistant in the terminal; without a terminal, one question shows that it works."""
    print(f"There is no display for a window here ({missing}).", file=sys.stderr)
    if sys.stdin is not None and sys.stdin.isatty():
        return _command_line(["chat"])
    return _command_line(["ask", _QUESTION])


def check_window() -> "Check":
    """The doctor's question about the window: one is really made, where there is no display on a
    screen that nobody sees."""
    from app.health import Check, Health, bad, good  # noqa: PLC0415 - the window does without it

    missing = display.reason_for_none()
    if missing:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from ui.shell.trial import WindowFault, make_window  # noqa: PLC0415 - brings Qt

    try:
        seen = make_window(find())
    except WindowFault as fault:
        return bad("window", str(fault))
    if missing:
        return Check(name="window", health=Health.MISSING, detail=f"{missing}; {seen}")
    return good("window", seen)


if __name__ == "__main__":
    sys.exit(main())
