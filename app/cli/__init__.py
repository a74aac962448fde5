"""The command line: the same program without a window, for people, scripts and tests.

Results go to standard output, everything else to standard error; `--json` prints one object.
"""

from collections.abc import Callable, Sequence

from app.cli.parser import parse
from app.cli.words import UsageMistake, report
from app.diagnostics import Check
from app.errors import AppError
from app.paths import find
from engine.errors import Cancelled, EngineError

_INTERRUPTED = 130


def main(argv: Sequence[str], window_check: Callable[[], Check] | None = None) -> int:
    """Run one command; returns its exit code. `window_check` is the ui's part of the doctor."""
    as_json = "--json" in argv
    try:
        arguments = parse(argv)
        arguments.paths = find()
        arguments.window_check = window_check
        return int(arguments.run(arguments))
    except (KeyboardInterrupt, Cancelled):
        return _INTERRUPTED
    except (UsageMistake, EngineError, AppError) as error:
        return report(error, as_json=as_json)
    except BrokenPipeError:
        return 0
    except OSError as error:  # the output can not be written, for one
        return report(error, as_json=as_json)
