"""A Windows of its own under Wine, for the trials: never the person's own."""

import hashlib
import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError

_TEN = ("reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f")
_VALUE = re.compile(r'^(@|"(?:[^"\\]|\\.)*")=(.*)$', re.DOTALL)
_OURS = re.compile(rb"(setup|snug|uninstall|Un_?[A-Z]?)\.exe", re.IGNORECASE)
_PATIENCE_S = 600


class Windows:
    """A fresh one, in `prefix`. It is a Windows 7 until `become_ten`."""

    def __init__(self, prefix: Path) -> None:
        self._environment = os.environ | {
            "WINEPREFIX": str(prefix),
            "HOME": str(prefix.with_name("home")),  # its Desktop and Documents lead there
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree=;mshtml=;winemenubuilder.exe=d",
        }
        self._environment.pop("DISPLAY", None)
        self._prefix = prefix
        prefix.mkdir()
        prefix.with_name("home").mkdir()
        self._server("-p")  # stays, so that the next start is quick
        self.run("wineboot", "--init")
        self.home = self._made()
        self.local = self.home / "AppData" / "Local"
        self.program = self.local / "Programs" / "Snug"
        self.data = self.local / "Snug"

    def _made(self) -> Path:
        """The person's folder. Raises `SetupError`, and leaves nothing running, without one."""
        for home in (self._prefix / "drive_c" / "users").glob("[!P]*"):
            return home
        self.close()
        msg = "Wine makes no Windows here"
        raise SetupError(msg)

    def become_ten(self) -> None:
        self.run(*_TEN)

    def run(
        self,
        *arguments: str | Path,
        behind: Sequence[str] = (),
        **variables: str,
    ) -> int:
        """The exit code. Waits for what the program started too. `behind` is a program, with
        its arguments, that starts Wine."""
        with self.start(*arguments, behind=behind, **variables) as process:
            code = process.wait(_PATIENCE_S)
        self.settle()
        return code

    def start(
        self,
        *arguments: str | Path,
        behind: Sequence[str] = (),
        **variables: str,
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*behind, "wine", *arguments],
            env=self._environment | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def settle(self, but: int = 0) -> None:
        """Waits for everything of ours that runs in it, except the process `but`: an uninstaller
        goes on as a copy of itself."""
        until = time.monotonic() + _PATIENCE_S
        while any(pid != but for pid in self._running()):
            if time.monotonic() > until:
                msg = "what was started under Wine does not end"
                raise SetupError(msg)
            time.sleep(0.05)

    def _running(self) -> Iterator[int]:
        ours = f"WINEPREFIX={self._prefix}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it may have ended meanwhile
                called = (process / "cmdline").read_bytes()
                if _OURS.search(called) and ours in (process / "environ").read_bytes().split(b"\0"):
                    yield int(process.name)

    def end(self) -> None:
        """Ends all that runs in it, like a power cut."""
        self._server("-k")
        self._server("-w")
        self._server("-p")

    def close(self) -> None:
        self._server("-k")
        self._server("-w")

    def _server(self, option: str) -> None:
        subprocess.run(["wineserver", option], env=self._environment, check=False)

    def drive(self, letter: str, folder: Path) -> None:
        """A stick, for instance."""
        link = self._prefix / "dosdevices" / f"{letter}:"
        link.unlink(missing_ok=True)
        link.symlink_to(folder)

    def registry(self, key: str = r"HKCU\Software") -> dict[str, str]:
        """What `key` holds, as `key|value` with the data as the registry editor writes it."""
        exported = self._prefix / "exported.reg"
        exported.unlink(missing_ok=True)
        self.run("reg", "export", key, as_seen(exported), "/y")
        if not exported.exists():
            return {}
        found, inside = {}, ""
        text = exported.read_bytes().decode("utf-16").replace("\\\r\n  ", "")
        for line in text.splitlines():
            if line.startswith("["):
                inside = line.strip("[]").replace("HKEY_CURRENT_USER", "HKCU")
                found[inside] = ""
            elif match := _VALUE.match(line):
                name = match[1].strip('"')
                found[f"{inside}|{name}"] = match[2]
        return found

    def files(self, folder: Path | None = None) -> dict[str, str]:
        """Every file in `folder` (the program's unless told) with its sha256; folders with ""."""
        root = folder or self.program
        return {
            path.relative_to(root).as_posix(): "" if path.is_dir() else sha256(path)
            for path in root.rglob("*")
        }


def as_seen(path: Path) -> str:
    """Our path, as Windows calls it."""
    return "Z:" + str(path).replace("/", "\\")


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def expect(holds: bool, what: str) -> None:
    """Tells the person; raises `SetupError` when it does not hold."""
    if not holds:
        msg = f"not so under Wine: {what}"
        raise SetupError(msg)
    commands.say(what)


def expect_same(found: object, wanted: object, what: str) -> None:
    """As `expect`, and tells the difference of two mappings."""
    if found != wanted and isinstance(found, dict) and isinstance(wanted, dict):
        extra = sorted(str(key) for key in found.items() - wanted.items())
        missing = sorted(str(key) for key in wanted.items() - found.items())
        what += f" (too many: {extra[:5]}; missing: {missing[:5]})"
    expect(found == wanted, what)
