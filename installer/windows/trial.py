"""Lets the real installer work under Wine: installs silently, starts from a stick, upgrades, meets
trouble (`trial_faults.py`) and uninstalls, after which the registry and the disk are as before.

`python -m windows.trial` takes a small payload; `--frozen FOLDER` the folder that was frozen, as a
stand-in for the one of Windows. Needs makensis and wine (Debian: nsis, wine64).
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from devenv.errors import SetupError
from windows import trial_faults, trial_setups
from windows.trial_setups import MADE_BY_IT, Setup
from windows.wine import Windows, as_seen, expect, expect_same

_UNINSTALL = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Snug"
_CLASSES = r"HKCU\Software\Classes"
_OTHERS = {"_.gguf": "Other.gguf", "_.pack": "Other.pack"}
_NOTE = "_internal/notes.txt"
"""Put between the program's files by a person, who should not but does."""
_MODEL = "models of mine/kept.gguf"
_KEPT = "Not from Snug"


def run(frozen: Path | None) -> None:
    """Raises `SetupError` for the first thing that is not as it should be."""
    with tempfile.TemporaryDirectory(prefix="snug-wine-") as folder:
        work = Path(folder)
        windows = Windows(work / "prefix")
        try:
            _real(windows, frozen, work) if frozen else _small(windows, work)
        finally:
            windows.close()


def _real(windows: Windows, frozen: Path, work: Path) -> None:
    first, second = trial_setups.real(frozen, work)
    windows.become_ten()
    _life(windows, first, second)


def _small(windows: Windows, work: Path) -> None:
    first, second, third = (
        trial_setups.small(work, version) for version in ("0.1.0", "0.1.1", "0.1.2")
    )
    expect(windows.run(first.path, "/S") == 5, "on Windows 7 it says that this will not do")
    expect(not windows.program.exists(), "and installs nothing")
    windows.become_ten()
    _life(windows, first, second)
    _hands_over(windows, first, work)
    trial_faults.run(windows, first, second, third)


def _life(windows: Windows, first: Setup, second: Setup) -> None:
    for key, owner in _OTHERS.items():
        windows.run("reg", "add", rf"{_CLASSES}\{key[1:]}", "/ve", "/d", owner, "/f")
    registry = windows.registry()
    users = _home(windows)
    _installs(windows, first)
    _person_uses_it(windows)
    _upgrades(windows, second)
    _uninstalls(windows)
    expect_same(windows.registry(), registry, "the registry is as it was before")
    _forget_person(windows)
    expect_same(_home(windows), users, "so is the disk")


def _home(windows: Windows) -> dict[str, str]:
    """But what lies in Temp: the uninstaller's copy of itself stays there."""
    found = windows.files(windows.home)
    return {name: digest for name, digest in found.items() if "/Temp/" not in f"/{name}"}


def _installs(windows: Windows, setup: Setup) -> None:
    expect(windows.run(setup.path, "/S") == 0, "it installs silently")
    _lies_there(windows.files(), setup, set())
    found = windows.registry()
    for value in ("DisplayIcon", "QuietUninstallString", "EstimatedSize", "NoModify", "NoRepair"):
        expect(f"{_UNINSTALL}|{value}" in found, f"the list of programs has its {value}")
    expect(found[f"{_UNINSTALL}|DisplayVersion"] == f'"{setup.version}"', "with its version")
    for key, owner in _OTHERS.items():
        name = key[1:]
        expect(found[rf"{_CLASSES}\{name}|@"] == f'"{owner}"', f"{name} stays with its owner")
        offered = rf"{_CLASSES}\{name}\OpenWithProgids|Snug{name}"
        expect(offered in found, f"and Snug is under Open with of {name}")
    expect(_start_menu(windows).exists(), "it is in the Start menu")


def _person_uses_it(windows: Windows) -> None:
    for path in _of_person(windows):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"mine")


def _of_person(windows: Windows) -> list[Path]:
    inside = [windows.program / name for name in (_NOTE, _MODEL)]
    return [windows.data / "snug.sqlite3", windows.data / "models" / "big.gguf", *inside]


def _upgrades(windows: Windows, setup: Setup) -> None:
    expect(windows.run(setup.path, "/S") == 0, "it upgrades silently")
    _lies_there(windows.files(), setup, {_KEPT, f"{_KEPT}/_internal", "models of mine"})
    kept = windows.program / _KEPT / _NOTE
    expect(kept.read_bytes() == b"mine", "a file between the program's was kept apart")


def _lies_there(found: dict[str, str], setup: Setup, folders: set[str]) -> None:
    """Just what was installed, and what a person put beside it, in `folders`."""
    mine = {f"{_KEPT}/{_NOTE}", _MODEL} | folders
    ours = {name: digest for name, digest in found.items() if name not in mine | MADE_BY_IT}
    expect_same(ours, setup.files, f"{len(setup.files)} files and folders are as in the package")
    expect(found.keys() >= MADE_BY_IT, "with the uninstaller and the list of them")


def _uninstalls(windows: Windows) -> None:
    # As the list of programs calls it; the uninstaller goes on as a copy of itself.
    expect(windows.run(windows.program / "uninstall.exe", "/S") == 0, "it uninstalls silently")
    left = {name for name, digest in windows.files().items() if digest}
    expect(left == {f"{_KEPT}/{_NOTE}", _MODEL}, "what was installed is gone, the person's is not")
    data = _of_person(windows)[:2]
    expect(all(path.read_bytes() == b"mine" for path in data), "chats and models are there")


def _forget_person(windows: Windows) -> None:
    shutil.rmtree(windows.program)
    shutil.rmtree(windows.data)
    if not any((windows.local / "Programs").iterdir()):
        (windows.local / "Programs").rmdir()  # Windows has it from the start


def _start_menu(windows: Windows) -> Path:
    roaming = windows.home / "AppData" / "Roaming"
    return roaming / "Microsoft" / "Windows" / "Start Menu" / "Programs" / "Snug.lnk"


def _hands_over(windows: Windows, setup: Setup, work: Path) -> None:
    """A stick: what lies beside the installer is opened with Snug."""
    stick = work / "stick of Mei 100% $HOME \u96ea"
    stick.mkdir()
    shutil.copyfile(setup.path, stick / "setup.exe")
    windows.drive("x", stick)
    (stick / "models").mkdir()
    (stick / "models" / "castle.stl").touch()
    expect(_called_with(windows, "X:\\setup.exe", work) == [], "a bare stick just opens Snug")
    for number in range(40):
        (stick / "models" / f"{number} {'long name ' * 20}.gguf").touch()
    (stick / "packs").mkdir()
    (stick / "packs" / "cuda.pack").touch()
    wanted = ["--open", "X:\\models", "X:\\packs"]
    expect(_called_with(windows, "X:\\setup.exe", work) == wanted, "a full one is handed over")
    inside = as_seen(stick)
    wanted = ["--open", f"{inside}\\models", f"{inside}\\packs"]
    found = _called_with(windows, f"{inside}\\setup.exe", work)
    expect(found == wanted, "and from a folder with spaces, signs and other letters")
    expect(windows.run(windows.program / "uninstall.exe", "/S") == 0, "it is removed again")


def _called_with(windows: Windows, setup: str, work: Path) -> list[str]:
    record = work / "called"
    record.unlink(missing_ok=True)
    windows.run(setup, "/S", "/OPEN", SNUG_RECORD=as_seen(record))
    expect(record.exists(), "Snug was started")
    return record.read_bytes().decode("utf-16-le").splitlines()[1:]  # without its own name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frozen", type=Path, help="what `dev.py package freeze` made")
    if not (shutil.which("wine") and shutil.which("makensis")):
        sys.exit("snug: wine or makensis is missing")
    try:
        run(parser.parse_args().frozen)
    except SetupError as error:
        sys.exit(f"snug: {error}")


if __name__ == "__main__":
    main()
