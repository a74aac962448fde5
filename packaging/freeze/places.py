"""Where the build of a package lies. Creates nothing."""

from pathlib import Path

from devenv.places import ON_WINDOWS, ROOT, SYSTEM

HERE = Path(__file__).resolve().parent
WORK = ROOT / "build" / "package"
"""Everything that can be made again."""
VENV = WORK / "venv"
"""Only what is shipped, and PyInstaller: never the tools of the tests."""
FROZEN = ROOT / "dist" / "frozen" / ("Snug.app" if SYSTEM == "darwin" else "snug")
INSTALLERS = ROOT / "dist" / "installers"
COLLECTED = WORK / "collected.json"
"""What PyInstaller took, and from where."""
METADATA = WORK / "metadata"

INSIDE = "_internal"
"""PyInstaller's folder beside the program."""
CODE, DATA = "Contents/Frameworks", "Contents/Resources"
"""The same in a Mac's bundle, in two halves: signatures want code and the rest apart. PyInstaller
links each into the other, and the program looks for everything in the first."""


def program(name: str) -> Path:
    """A program of the build's own environment."""
    return VENV / "Scripts" / f"{name}.exe" if ON_WINDOWS else VENV / "bin" / name


def is_bundle(folder: Path) -> bool:
    """Whether it is a Mac's: told by the name, so that one can be looked at on any system."""
    return folder.suffix == ".app"


def executable(folder: Path) -> Path:
    if is_bundle(folder):
        return folder / "Contents" / "MacOS" / "snug"
    return folder / ("snug.exe" if SYSTEM == "win32" else "snug")


def licences(folder: Path) -> Path:
    """Where the texts lie for people to read."""
    return folder / DATA / "licences" if is_bundle(folder) else folder / "licences"


def models(folder: Path) -> Path:
    return folder / (DATA if is_bundle(folder) else INSIDE) / "models"
