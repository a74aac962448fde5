"""Where the build of a package lies. Creates nothing."""

from pathlib import Path

from devenv.places import ON_WINDOWS, ROOT, SYSTEM

HERE = Path(__file__).resolve().parent
WORK = ROOT / "build" / "package"
"""Everything that can be made again."""
VENV = WORK / "venv"
"""Only what is shipped, and PyInstaller: never the tools of the tests."""
FROZEN = ROOT / "dist" / "frozen" / "snug"
INSTALLERS = ROOT / "dist" / "installers"
COLLECTED = WORK / "collected.json"
"""What PyInstaller took, and from where."""
METADATA = WORK / "metadata"

INSIDE = "_internal"
"""PyInstaller's folder beside the program."""


def program(name: str) -> Path:
    """A program of the build's own environment."""
    return VENV / "Scripts" / f"{name}.exe" if ON_WINDOWS else VENV / "bin" / name


def executable(folder: Path) -> Path:
    return folder / ("snug.exe" if SYSTEM == "win32" else "snug")
