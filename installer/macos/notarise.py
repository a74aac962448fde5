"""Lets Apple look at what was signed, and staples the proof to it: a Mac without a network has no
other way to know. Needs a network, minutes and Apple's notarytool.
"""

import json
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from macos import given, sign

_PATIENCE = "1h"
_TRIES, _PAUSE_S = 6, 30.0
"""Apple says "accepted" up to minutes before the proof can be had."""
_ACCEPTED = "Accepted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`status` is "Accepted", "Invalid", "Rejected" or whatever else Apple says."""

    id: str
    status: str
    message: str


def notarise(path: Path, work: Path) -> None:
    """`path` is the bundle or the disk image, signed. Raises `SetupError` with Apple's reasons."""
    credentials = given.credentials()
    for name in ("xcrun", "ditto", "spctl"):
        given.tool(name)
    path = path.resolve()
    commands.say(f"Apple looks at {path.name} (minutes)")
    answer = parsed(_said(submitting(_sent(path, work), credentials)))
    if answer.status != _ACCEPTED:
        told = _said(asking(answer.id, credentials)) if answer.id else ""
        msg = f"Apple did not accept {path.name}: {answer.status}. {answer.message}\n{told}"
        raise SetupError(msg.rstrip())
    staple(path)
    commands.run(sign.judging(path), "asking what a Mac says to it")


def _sent(path: Path, work: Path) -> Path:
    """A bundle is sent as an archive, by the one tool that keeps its links and signatures."""
    if path.is_file():
        return path
    work.mkdir(parents=True, exist_ok=True)
    archive = work / f"{path.stem}.zip"
    archive.unlink(missing_ok=True)
    commands.run(archiving(path, archive), "packing the program for Apple")
    return archive


def archiving(app: Path, archive: Path) -> list[str]:
    return ["ditto", "-c", "-k", "--sequesterRsrc", "--keepParent", str(app), str(archive)]


def submitting(file: Path, credentials: Sequence[str]) -> list[str]:
    waiting = ("--wait", "--timeout", _PATIENCE, "--output-format", "json")
    return ["xcrun", "notarytool", "submit", str(file), *waiting, *credentials]


def asking(submission: str, credentials: Sequence[str]) -> list[str]:
    """For the log, which names every file that is not as it should be."""
    return ["xcrun", "notarytool", "log", submission, *credentials]


def parsed(said: str) -> Answer:
    """Of what `submitting` prints. The exit code says less: some versions end well when refused."""
    try:
        facts = json.loads(said[said.index("{") : said.rindex("}") + 1])
        found = {name: str(facts.get(name, "")) for name in ("id", "status", "message")}
    except (ValueError, AttributeError) as error:
        msg = f"Apple's notarytool gave no answer: {said.strip()[-500:]}"
        raise SetupError(msg) from error
    return Answer(**found)


def staple(path: Path, sleep: Callable[[float], None] = time.sleep) -> None:
    given.tool("xcrun")
    for left in reversed(range(_TRIES)):
        try:
            commands.run(["xcrun", "stapler", "staple", path], "stapling")
            break
        except SetupError:
            if not left:
                raise
            sleep(_PAUSE_S)
    commands.run(["xcrun", "stapler", "validate", path], "checking what was stapled")


def _said(argv: Sequence[str]) -> str:
    """What it prints, however it ends; what it complains of where it prints nothing."""
    done = subprocess.run(
        argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.stdout if done.stdout.strip() else done.stderr
