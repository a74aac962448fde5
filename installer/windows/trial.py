"""Lets the real installer work under Wine, with a small payload: installs silently, upgrades, fails
and takes the failure back, and uninstalls. Not under the person's own Wine: in a folder of its own.

`python -m windows.trial`. Needs makensis and wine (Debian: nsis, wine64).
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from linux.tree import Release
from windows import nsis

_RELEASES = ("0.1.0", "0.1.1", "0.1.2")
_MINE = "models of mine/kept.gguf"
"""Put into the program's own folder by a person, who should not but does."""
_KEY = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Snug"
_PROG_IDS = r"HKCU\Software\Classes\.gguf\OpenWithProgids"


class Windows:
    """A fresh one, in `prefix`."""

    def __init__(self, prefix: Path) -> None:
        self._environment = os.environ | {
            "WINEPREFIX": str(prefix),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree=;mshtml=;winemenubuilder.exe=d",
        }
        self._environment.pop("DISPLAY", None)
        self.run("wineboot", "--init")
        home = next((prefix / "drive_c" / "users").glob("[!P]*"))
        self.local = home / "AppData" / "Local"
        self.program = self.local / "Programs" / "Snug"
        self.data = self.local / "Snug"

    def run(self, *arguments: str | Path) -> int:
        """The exit code. Waits for what the program started too."""
        argv = ["wine", *arguments]
        done = subprocess.run(argv, env=self._environment, capture_output=True, check=False)
        subprocess.run(["wineserver", "-w"], env=self._environment, check=False)
        return done.returncode

    def knows(self, key: str, value: str) -> bool:
        return self.run("reg", "query", key, "/v", value) == 0

    def installed(self) -> dict[str, bytes]:
        """Every file in the program's folder."""
        return {
            path.relative_to(self.program).as_posix(): path.read_bytes()
            for path in self.program.rglob("*")
            if path.is_file()
        }


def run() -> None:
    """Raises `SetupError` for the first thing that is not as it should be."""
    with tempfile.TemporaryDirectory(prefix="snug-wine-") as folder:
        work = Path(folder)
        setups = [_setup(work, version) for version in _RELEASES]
        windows = Windows(work / "prefix")
        _installs(windows, *setups[0])
        mine = _person_uses_it(windows)
        _upgrades(windows, *setups[1])
        _takes_back(windows, setups[1][1], setups[2][0])
        _uninstalls(windows, setups[1][1], mine)


def _setup(work: Path, version: str) -> tuple[Path, dict[str, bytes]]:
    """An installer, and the files it has to bring."""
    payload = {
        "snug.exe": f"program {version}".encode(),
        "_internal/python311.dll": version.encode() * 1000,
        "_internal/llama_cpp/lib/ggml $cpu.dll": b"plug-in",
        "_internal/models/starter.gguf": b"GGUF" * 1000,
        "_internal/resources/\u6a21\u578b.json": b"{}",
        f"licences/only in {version}.txt": b"text",
    }
    frozen = work / f"frozen {version}"
    for name, data in payload.items():
        path = frozen / name.removesuffix(".exe") if name == "snug.exe" else frozen / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    release = Release(version=version, made_s=1_767_225_600)
    return nsis.build(frozen, work / "building", work / "made", release), payload


def _installs(windows: Windows, setup: Path, payload: dict[str, bytes]) -> None:
    _expect(windows.run(setup, "/S") == 0, "it installs silently")
    found = windows.installed()
    _expect("uninstall.exe" in found, "there is an uninstaller")
    _expect(
        found.items() >= payload.items() and len(found) == len(payload) + 1, "its files lie there"
    )
    _expect(windows.knows(_KEY, "QuietUninstallString"), "Windows lists it")
    _expect(windows.knows(_PROG_IDS, "Snug.gguf"), "it is offered under Open with")


def _person_uses_it(windows: Windows) -> list[Path]:
    mine = [windows.data / "snug.sqlite3", windows.data / "models" / "big.gguf"]
    mine.append(windows.program / _MINE)
    for path in mine:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"mine")
    return mine


def _upgrades(windows: Windows, setup: Path, payload: dict[str, bytes]) -> None:
    _expect(windows.run(setup, "/S") == 0, "it upgrades silently")
    found = windows.installed()
    _expect(found.items() >= payload.items(), "the new files lie there")
    _expect(
        not any(".old" in name for name in found), "nothing of the version before is left aside"
    )


def _takes_back(windows: Windows, payload: dict[str, bytes], setup: Path) -> None:
    """A folder lies where a new file has to go, so that writing it fails."""
    in_the_way = windows.program / "uninstall.exe"
    before = in_the_way.read_bytes()
    in_the_way.unlink()
    in_the_way.mkdir()
    _expect(windows.run(setup, "/S") != 0, "an upgrade that can not be finished says so")
    found = windows.installed()
    _expect(found == payload | {_MINE: b"mine"}, "and the version before is in place again")
    _expect(not any(".old" in name for name in found), "with nothing left aside")
    in_the_way.rmdir()
    in_the_way.write_bytes(before)


def _uninstalls(windows: Windows, payload: dict[str, bytes], mine: list[Path]) -> None:
    # As the list of programs calls it; the uninstaller goes on as a copy of itself.
    _expect(windows.run(windows.program / "uninstall.exe", "/S") == 0, "it uninstalls silently")
    left = set(windows.installed())
    _expect(not left & payload.keys(), "all that was installed is gone")
    _expect(all(path.read_bytes() == b"mine" for path in mine), "all of the person's is there")
    _expect(left == {_MINE}, f"and nothing else ({', '.join(sorted(left - {_MINE}))})")
    _expect(not windows.knows(_KEY, "DisplayName"), "Windows lists it no more")
    _expect(not windows.knows(_PROG_IDS, "Snug.gguf"), "it is not offered under Open with any more")


def _expect(holds: bool, what: str) -> None:
    if not holds:
        msg = f"not so under Wine: {what}"
        raise SetupError(msg)
    commands.say(what)


if __name__ == "__main__":
    if not (shutil.which("wine") and shutil.which("makensis")):
        sys.exit("snug: wine or makensis is missing")
    try:
        run()
    except SetupError as error:
        sys.exit(f"snug: {error}")
