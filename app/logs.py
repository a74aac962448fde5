"""Our log: one small file that rolls over. Never to the terminal, which may not even be there."""

import faulthandler
import logging
from logging.handlers import RotatingFileHandler

from app.paths import Paths

_SIZE_BYTES = 1_000_000
_COPIES = 2
_FORMAT = "%(asctime)s %(levelname)s %(name)s [%(threadName)s] %(message)s"


def start(paths: Paths) -> None:
    """Send our log to its file, and the stack of a native crash to one beside it.

    A folder that can not be written only costs us the log.
    """
    logging.raiseExceptions = False
    logging.captureWarnings(True)
    root = logging.getLogger()
    try:
        paths.ensure()
        handler: logging.Handler = RotatingFileHandler(
            paths.log_file, maxBytes=_SIZE_BYTES, backupCount=_COPIES, encoding="utf-8"
        )
        crash_file = paths.log_file.with_name("crash.log").open("a", encoding="utf-8")
        faulthandler.enable(crash_file)
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(handler)
    root.setLevel(logging.INFO)
