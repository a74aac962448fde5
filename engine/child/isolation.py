"""What a child does to itself before anything else, so that its death harms nobody.

Every step is a thin effect on one system and may fail: a child without it is still a child.
"""

import ctypes
import faulthandler
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_OOM_SCORE_STEP = 500
_OOM_SCORE_MOST = 1000
_SEM_FAILCRITICALERRORS, _SEM_NOGPFAULTERRORBOX = 0x0001, 0x0002


def isolate() -> None:
    """Called once, by the child's main thread, with fd 2 in place."""
    faulthandler.enable(file=2)
    if sys.platform == "linux":
        _end_with_parent()
        _offer_to_oom_killer()
        _keep_no_memory_in_core()
    if sys.platform == "win32":
        _show_no_crash_dialog()
    else:
        _write_no_core()


def _end_with_parent() -> None:
    """Even while native code holds the interpreter's lock and nobody can read the pipe's end.

    "Parent" is the *thread* that started this process, see prctl(2): it must outlive the child.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _offer_to_oom_killer() -> None:
    """Raising one's own score needs no rights, see proc_pid_oom_score_adj(5)."""
    score = Path("/proc/self/oom_score_adj")
    with suppress(OSError, ValueError):
        wanted = min(_OOM_SCORE_MOST, int(score.read_text()) + _OOM_SCORE_STEP)
        score.write_text(str(wanted))


def _keep_no_memory_in_core() -> None:
    """Where cores go to a program, RLIMIT_CORE is ignored, see core(5), and gigabytes of weights
    would pass through a pipe before the death is known."""
    with suppress(OSError):
        Path("/proc/self/coredump_filter").write_text("0")


def _write_no_core() -> None:
    import resource  # noqa: PLC0415 - not on Windows

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _show_no_crash_dialog() -> None:
    with suppress(OSError, AttributeError):
        kernel = ctypes.CDLL("kernel32")
        kernel.SetErrorMode(_SEM_FAILCRITICALERRORS | _SEM_NOGPFAULTERRORBOX)


def leave(code: int) -> None:
    """End now: destructors of graphics drivers hang and crash, see `os._exit`."""
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
