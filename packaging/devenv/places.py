"""Where things of a checkout lie. Reads the environment, creates nothing."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / "packaging" / "locks"
VENV = ROOT / ".venv"
STARTER_MANIFEST = ROOT / "resources" / "starter.json"
GEMMA_MANIFEST = ROOT / "tests" / "data" / "gemma.json"

SYSTEM: str = sys.platform  # as a value: type checkers would prune the other systems
ON_WINDOWS = SYSTEM == "win32"


def program(name: str) -> Path:
    """A program of the virtual environment, `python` or `snug` for instance."""
    return VENV / "Scripts" / f"{name}.exe" if ON_WINDOWS else VENV / "bin" / name


def cache() -> Path:
    """This person's folder for things that can be made again: engine builds, test models."""
    if ON_WINDOWS:
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        return base / "Snug" / "Cache"
    if SYSTEM == "darwin":
        return Path.home() / "Library" / "Caches" / "Snug"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "snug"


def models_for_tests() -> Path:
    """Models that only tests use."""
    return cache() / "test-models"
