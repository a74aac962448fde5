"""Signs what Windows runs: every program and library of ours that carries no signature yet, then
the installer and, through `SNUG_SIGN_WINDOWS`, the uninstaller inside it.

Who signs is said by variables. No secret is ever an argument of a program: tools read it from a
file, a certificate store, or a variable of their own.
"""

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from release.portable import is_program, is_signed

WITH = "SNUG_SIGN_WITH"
"""osslsigncode, signtool, azure; or nobody, for a build that is not given to people."""
TIMESTAMP = "SNUG_SIGN_TIMESTAMP"
"""Address of a time stamping service; "none" for trying things out without a network."""
_TIME_SERVICES = {"azure": "http://timestamp.acs.microsoft.com"}
_TIME_SERVICE = "http://timestamp.digicert.com"
_NAMED = "Snug"
_ENDINGS = {".exe", ".dll", ".pyd"}
_AT_ONCE = 40
"""Files of one call: a command line of Windows holds 32,767 letters."""


def unsigned(paths: Iterable[Path]) -> list[Path]:
    """Whatever Windows would run and nobody has signed: in folders by its ending as well; a file
    that is named may have any (NSIS writes its uninstaller as .tmp)."""
    found: list[Path] = []
    for path in paths:
        below = [file for file in sorted(path.rglob("*")) if file.suffix.lower() in _ENDINGS]
        found += [file for file in below or [path] if _is_bare(file)]
    return found


def _is_bare(path: Path) -> bool:
    return path.is_file() and is_program(path) and not is_signed(path)


def sign(paths: Iterable[Path], variables: Mapping[str, str] = os.environ) -> int:
    """How many were signed. Raises `SetupError` where one is not signed afterwards, whatever the
    tool said."""
    given = list(paths)
    if missing := [path.name for path in given if not path.exists()]:
        raise SetupError(f"there is nothing to sign: {', '.join(missing)}")
    signer, wanted = variables.get(WITH, ""), unsigned(given)
    if signer == "nobody":
        commands.say(f"not signed: {len(wanted)} files. Do not give this to people.")
        return 0
    for start in range(0, len(wanted), _AT_ONCE):
        _sign_some(signer, wanted[start : start + _AT_ONCE], variables)
    if left := unsigned(wanted):
        raise SetupError(f"not signed: {', '.join(path.name for path in left)}")
    commands.say(f"signed: {len(wanted)} files")
    return len(wanted)


def _sign_some(signer: str, files: list[Path], variables: Mapping[str, str]) -> None:
    if signer == "osslsigncode":  # it signs one file at a time, and into another
        for file in files:
            beside = file.with_name(f"{file.name}.signed")
            commands.run([*command(signer, variables), "-in", file, "-out", beside], "signing")
            shutil.copymode(file, beside)
            beside.replace(file)
    else:
        commands.run([*command(signer, variables), *files], "signing")


def command(signer: str, variables: Mapping[str, str]) -> list[str | Path]:
    """The tool and its options, without files. Raises `SetupError` for what is not set."""
    time = variables.get(TIMESTAMP) or _TIME_SERVICES.get(signer, _TIME_SERVICE)
    match signer:
        case "osslsigncode":
            timed = [] if time == "none" else ["-ts", time]
            key = ["-pkcs12", _given("SNUG_SIGN_PKCS12", variables)]
            key += ["-readpass", _given("SNUG_SIGN_PASSWORD_FILE", variables)]
            return ["osslsigncode", "sign", *key, "-h", "sha256", "-n", _NAMED, *timed]
        case "signtool":
            who = ["/sha1", _given("SNUG_SIGN_THUMBPRINT", variables)]
        case "azure":
            who = ["/dlib", _given("SNUG_SIGN_DLIB", variables)]
            who += ["/dmdf", _given("SNUG_SIGN_METADATA", variables)]
        case _:
            raise SetupError(f"{WITH} has to be osslsigncode, signtool, azure or nobody")
    timed = [] if time == "none" else ["/tr", time, "/td", "SHA256"]
    return ["signtool", "sign", "/fd", "SHA256", *timed, "/d", _NAMED, *who]


def _given(name: str, variables: Mapping[str, str]) -> str:
    if value := variables.get(name, "").strip():
        return value
    raise SetupError(f"{name} is not set")
