"""How a child process is started: its command and its environment. Pure but for looking around."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

FLAG = "--snug-child"
"""With it the frozen program becomes a child instead of a window."""
_ROOT = Path(__file__).resolve().parents[2]
_OVERRIDES = ("GGML_", "LLAMA_")
"""What the shell sets for other programs must not reach our engine."""
_PYTHON_PATH = "PYTHONPATH"
_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


def is_frozen() -> bool:
    return bool(getattr(sys, "frozen", False))


def _program() -> tuple[int, int, int] | None:
    """What tells the file of the frozen program from another at its place."""
    try:
        facts = Path(sys.executable).stat() if is_frozen() else None
    except OSError:
        return None
    return (facts.st_ino, facts.st_size, facts.st_mtime_ns) if facts else None


_BEGUN_AS = _program()


def was_replaced() -> bool:
    """Whether Snug was updated or removed while it runs. A child would be the new one, and the two
    need not understand each other."""
    return _program() != _BEGUN_AS


def child_command(role: str) -> list[str]:
    if is_frozen():
        return [sys.executable, FLAG, role]
    return [sys.executable, "-P", "-m", "engine.child", role]  # -P: no modules from the cwd


def child_environment(ours: Mapping[str, str]) -> dict[str, str]:
    """A copy of `ours` without what would change the engine behind our back."""
    made = {name: value for name, value in ours.items() if not name.startswith(_OVERRIDES)}
    for name in _LIBRARY_PATHS:
        _restore(made, name)
    for name in (*_LIBRARY_PATHS, _PYTHON_PATH):
        _keep_fixed_places(made, name)
    made["GGML_NO_BACKTRACE"] = "1"  # a failed assertion would start a debugger first
    made["PYTHONUNBUFFERED"] = "1"  # what was printed before a death is not lost
    if not is_frozen():
        made[_PYTHON_PATH] = _first_in_path(made.get(_PYTHON_PATH, ""))
    return made


def _keep_fixed_places(environment: dict[str, str], name: str) -> None:
    """An empty element, as `PYTHONPATH=$PYTHONPATH:/x` easily makes, is the current directory:
    what was planted there would run."""
    if name not in environment:
        return
    fixed = [place for place in environment[name].split(os.pathsep) if Path(place).is_absolute()]
    if fixed:
        environment[name] = os.pathsep.join(fixed)
    else:
        del environment[name]


def _restore(environment: dict[str, str], name: str) -> None:
    """PyInstaller points library paths into the bundle and keeps the person's beside them."""
    original = environment.pop(f"{name}_ORIG", None)
    if original is not None:
        environment[name] = original
    elif is_frozen():
        environment.pop(name, None)


def _first_in_path(others: str) -> str:
    """The child runs the very code that its parent runs, wherever another copy is installed."""
    return os.pathsep.join(filter(None, (str(_ROOT), others)))
