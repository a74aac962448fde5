"""The command line: the same program without a window, for people, scripts and tests.

Results go to standard output, everything else to standard error; `--json` prints one object.
"""

import signal
import sys
from collections.abc import Callable, Sequence

from app.cli.ending import ToldToEnd, told_to_end
from app.cli.parser import parse
from app.cli.words import UsageMistake, ended_by, report
from app.errors import AppError
from app.health import Check
from app.paths import find
from app.streams import let_go_of_streams
from engine.errors import Cancelled, EngineError


def main(argv: Sequence[str], window_check: Callable[[], Check] | None = None) -> int:
    """Run one command; returns its exit code. `window_check` is the ui's part of the doctor."""
    as_json = "--json" in argv
    try:
        with told_to_end():
            code = _run(argv, window_check)
            if sys.stdout is not None:
                sys.stdout.flush()  # now, for its failure is the command's
            return code
    except ToldToEnd as told:
        return ended_by(told.number)
    except (KeyboardInterrupt, Cancelled):
        return ended_by(signal.SIGINT)
    except (UsageMistake, EngineError, AppError) as error:
        return report(error, as_json=as_json)
    except BrokenPipeError:
        return 0
    except OSError as error:  # the output can not be written, for one
        return report(error, as_json=as_json)
    finally:
        let_go_of_streams()


def _run(argv: Sequence[str], window_check: Callable[[], Check] | None) -> int:
    arguments = parse(argv)
    arguments.paths = find()
    arguments.window_check = window_check
    return int(arguments.run(arguments))
