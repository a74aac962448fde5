"""Whether the connection may cost money, as far as the system tells: on Linux NetworkManager does.
Asks this computer only, for a second at most; not for the GUI's thread."""

import os
import shutil
import subprocess
import sys

_ANSWER_S = 1.0
_COMMAND = ("-t", "-f", "GENERAL.METERED,GENERAL.STATE", "device", "show")
_CONNECTED = "100"


def is_metered() -> bool | None:
    """None where nobody knows."""
    program = shutil.which("nmcli") if sys.platform == "linux" else None
    if program is None:
        return None
    try:
        said = subprocess.run(  # noqa: S603 - a fixed command
            [program, *_COMMAND],
            capture_output=True,
            timeout=_ANSWER_S,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return parse_metered(said.stdout.decode("utf-8", "replace")) if said.returncode == 0 else None


def parse_metered(text: str) -> bool | None:
    """From what nmcli tells of each device: "yes", "no (guessed)", "unknown" … Pure. One connected
    device that may cost money is enough."""
    answers: list[str] = []
    for block in text.strip().split("\n\n"):
        told = dict(line.partition(":")[::2] for line in block.splitlines())
        state = told.get("GENERAL.STATE", _CONNECTED)
        if state.split(" ")[0] == _CONNECTED:
            answers.append(told.get("GENERAL.METERED", "").split(" ")[0])
    if "yes" in answers:
        return True
    return False if "no" in answers else None
