"""Installs what a release is made of as a person would, and lets the installed program test itself.

Each of these changes the computer it runs on (a user's own folders, or a container): they are for
runners and for computers that are there to be tried on.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath

from devenv import commands
from devenv.errors import SetupError
from freeze.selftest import run_selftest

HERE = Path(__file__).resolve().parent
_SCRIPT = HERE / "installed.sh"
_INSIDE = PurePosixPath("/snug")
Run = Callable[[Sequence[str | Path], str], None]


def in_container(image: str, package: Path, run: Run = commands.run) -> None:
    """Installed with the system's own packages, then used without a network. Needs docker. Raises
    `SetupError`."""
    tried = f"snug-tried-{os.getpid()}"
    try:
        for argv, doing in container_steps(image, package.resolve(), tried):
            commands.say(f"{doing} ({image})")
            run(argv, f"{doing} {image}")
    finally:
        for kind in (["rm", "-f", tried], ["rmi", "-f", tried]):
            subprocess.run(["docker", *kind], capture_output=True, check=False)


def container_steps(image: str, package: Path, tried: str) -> list[tuple[list[str], str]]:
    """Two runs, since one that installs needs a network and one that is used must not have it."""
    script = ["-v", f"{_SCRIPT}:{_INSIDE / 'installed.sh'}:ro"]
    file = ["-v", f"{package}:{_INSIDE / package.name}:ro"]
    shell = ["sh", str(_INSIDE / "installed.sh")]
    install = ["docker", "run", "--name", tried, *script, *file, image, *shell]
    use = ["docker", "run", "--rm", "--network", "none", *script, tried, *shell, "use"]
    return [
        ([*install, "install", str(_INSIDE / package.name)], "installing in a container"),
        (["docker", "commit", tried, tried], "keeping the container"),
        (use, "using without a network"),
    ]


def on_windows(setup: Path, variables: Mapping[str, str] = os.environ) -> None:
    """Silently, for this person; upgraded by itself; and taken away again. Raises `SetupError`."""
    program = Path(variables["LOCALAPPDATA"]) / "Programs" / "Snug"
    for doing in ("installing", "installing over it"):
        _wait_for([setup, "/S"], doing)
        run_selftest(program / "snug.exe")
    # The uninstaller goes on as a copy of itself; told where it is, it stays and can be waited for.
    copy = setup.with_name("uninstall-copy.exe")
    shutil.copyfile(program / "uninstall.exe", copy)
    try:
        # NSIS takes the rest of the line, and quotes that a list would get for part of it.
        _wait_for(f'"{copy}" /S _?={program}', "uninstalling")
    finally:
        copy.unlink()
    if left := [path.name for path in program.rglob("*") if path.name != "uninstall.exe"]:
        raise SetupError(f"left behind: {', '.join(left[:10])}")
    commands.say("installed, upgraded and removed")


def _wait_for(command: str | Sequence[str | Path], doing: str) -> None:
    done = subprocess.run(command, timeout=600, check=False)
    if done.returncode != 0:
        raise SetupError(f"{doing} ended with {done.returncode}")


def on_mac(image: Path, run: Run = commands.run) -> None:
    """Copied out of the disk image, judged as macOS judges it, and used. Raises `SetupError`."""
    with tempfile.TemporaryDirectory(prefix="snug-disk-") as folder, ExitStack() as stack:
        disk, app = Path(folder) / "disk", Path(folder) / "Applications Ω" / "Snug.app"
        run(["hdiutil", "attach", "-nobrowse", "-readonly", "-mountpoint", disk, image], "mounting")
        stack.callback(run, ["hdiutil", "detach", "-force", disk], "unmounting")
        run(["ditto", disk / "Snug.app", app], "copying the app")
        for argv, doing in judgements(app, image):
            run(argv, doing)
        run_selftest(app / "Contents" / "MacOS" / "snug")


def judgements(app: Path, image: Path) -> list[tuple[list[str | Path], str]]:
    """Signed, notarised, and with the ticket inside, for Macs that are offline."""
    return [
        (["codesign", "--verify", "--deep", "--strict", app], "looking at the signature"),
        (["spctl", "--assess", "--type", "execute", app], "asking Gatekeeper"),
        (["xcrun", "stapler", "validate", app], "looking for the app's ticket"),
        (["xcrun", "stapler", "validate", image], "looking for the disk image's ticket"),
    ]
