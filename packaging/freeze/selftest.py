"""Runs `snug doctor --json` of a frozen program as a stranger's computer would: no checkout, no
variables of ours, data in a folder of its own."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError

_WITHIN_S = 60.0
_KEPT = ("PATH", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "LANG", "SYSTEMROOT")


def run_selftest(program: Path, *, with_model: bool = True) -> None:
    """Raises `SetupError` with what the program says is bad, or with how it failed to say it."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="snug-selftest-") as home:
        done = _asked(program, home)
    bad = verdict(done.stdout.decode(errors="replace"), with_model=with_model)
    if not bad and with_model and done.returncode:
        bad = [f"all is well, but it ended with {done.returncode}"]
    if bad:
        words = done.stderr.decode(errors="replace")[-2000:]
        raise SetupError(f"the frozen program is not well: {'; '.join(bad)}\n{words}")
    commands.say(f"its self-test passed in {time.monotonic() - started:.1f} s")


def _asked(program: Path, home: str) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            [program.absolute(), "doctor", "--json"],
            env=environment(os.environ, home),
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_WITHIN_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        msg = f"the frozen program said nothing for {_WITHIN_S:.0f} s"
    except OSError as error:
        msg = f"{program} does not start: {error.strerror}"
    raise SetupError(msg)


def environment(ours: Mapping[str, str], home: str) -> dict[str, str]:
    """Home and temporary files are `home`, by the names that the systems have for them."""
    own = dict.fromkeys(("HOME", "USERPROFILE", "TEMP", "TMP", "SNUG_HOME"), home)
    return {name: ours[name] for name in _KEPT if name in ours} | own


def verdict(text: str, *, with_model: bool) -> list[str]:
    """What is bad in an answer of the doctor. Without a model, nothing can answer."""
    try:
        checks = json.loads(text)["checks"]
    except (ValueError, KeyError):
        return [f"no answer: {text[-200:]!r}"]
    allowed = set() if with_model else {"model", "answer"}
    return [
        f"{check['name']}: {check['detail']}"
        for check in checks
        if check["health"] == "bad" and check["name"] not in allowed
    ]
