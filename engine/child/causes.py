"""What the death of a child means: from its exit status and its last words to an error. Pure."""

import re
import signal

from engine.errors import EngineCrashed, EngineStopped, OutOfMemory

NO_ANSWER = "no answer"
"""The cause when a child said something that is no answer."""
_KILLED_UNDER_A_SHELL = 128 + 9
_WINDOWS = {0xC0000005: "SIGSEGV", 0xC000001D: "SIGILL", 0xC0000409: "SIGABRT"}
"""Exit codes of Windows for what others call a signal (ntstatus.h)."""
_NTSTATUS_FROM = 0xC0000000
_MEMORY_MARKS = re.compile(
    r"std::bad_alloc|\bMemoryError\b|\bbad_array_new_length\b|insufficient memory \(attempted"
    r"|ggml-cpu\.c:\d+: GGML_ASSERT\(rc == 0\)"  # a thread that could not be started
)


def cause_of(returncode: int) -> str:
    """`returncode` as `subprocess` gives it."""
    if returncode < 0:
        return _signal_name(-returncode)
    if returncode == _KILLED_UNDER_A_SHELL:
        return "SIGKILL"
    if returncode in _WINDOWS:
        return _WINDOWS[returncode]
    return f"exit {returncode:#x}" if returncode >= _NTSTATUS_FROM else f"exit {returncode}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def death(
    returncode: int | None, last_words: str, stage: str, *, killed_for_memory: bool = True
) -> EngineStopped | OutOfMemory:
    """The error for a child that is gone. `returncode` None: it fell silent before it ended.
    `killed_for_memory`: the system has, or may have, killed a process for that meanwhile."""
    cause = NO_ANSWER if returncode is None else cause_of(returncode)
    if (cause == "SIGKILL" and killed_for_memory) or _MEMORY_MARKS.search(last_words):
        return OutOfMemory(f"{cause} while {stage}\n{last_words}".rstrip())
    return EngineCrashed(cause, stage, last_words)
