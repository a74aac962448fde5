"""Runs a command with the compiler of Visual Studio 2022 that Windows releases are made with:

    python -m release.msvc python dev.py package freeze

Its version is held back: Qt brings the runtime of this one, and what a newer compiler makes crashes
on an older runtime (github.com/ggml-org/llama.cpp/issues/10703).
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from devenv.commands import output
from devenv.errors import SetupError

TOOLSET = "14.44"
_MARK = "--- variables"


def main(command: Sequence[str], variables: Mapping[str, str] = os.environ) -> int:
    try:
        asked = asking(vcvars(variables))
        done = subprocess.run(asked, capture_output=True, check=False)
        changed = environment(done.stdout.decode("oem"))  # what cmd writes into a pipe
    except SetupError as error:
        print(f"snug: {error}", file=sys.stderr)
        return 1
    return subprocess.run(found(command, changed), env=changed, check=False).returncode


def vcvars(variables: Mapping[str, str]) -> Path:
    """The script that sets the compiler up, of whichever edition there is. Raises `SetupError`."""
    finder = Path(variables.get("ProgramFiles(x86)", "")) / "Microsoft Visual Studio" / "Installer"
    wanted = ("-version", "[17.0,18.0)", "-products", "*", "-property", "installationPath")
    places = output([finder / "vswhere.exe", "-latest", *wanted]).splitlines()
    if not places:
        raise SetupError("Visual Studio 2022 is missing")
    return Path(places[0]) / "VC" / "Auxiliary" / "Build" / "vcvars64.bat"


def asking(script: Path) -> str:
    """A command line that prints every variable after the script has run."""
    return f'cmd /d /s /c ""{script}" -vcvars_ver={TOOLSET} && echo {_MARK}&& set"'


def environment(said: str) -> dict[str, str]:
    """Raises `SetupError` where the script did not get that far: the toolset is not installed."""
    lines = said.splitlines()
    if _MARK not in lines:
        raise SetupError(f"the C++ toolset {TOOLSET} is not installed: {said[-500:].strip()}")
    pairs = (line.partition("=") for line in lines[lines.index(_MARK) + 1 :])
    return {name: value for name, equals, value in pairs if equals}


def found(command: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    """The program by the changed PATH, which Windows itself would not look at."""
    path = next((value for name, value in variables.items() if name.upper() == "PATH"), None)
    return [shutil.which(command[0], path=path) or command[0], *command[1:]]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
