"""A keychain of its own for a runner that signs on a Mac: it holds one certificate, and nobody is
asked for a password in a window. It goes with the runner.

The certificate comes as base64 in a variable, since secrets are text.
"""

import base64
import os
import secrets
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError

CERTIFICATE, PASSWORD = "SNUG_MAC_CERTIFICATE", "SNUG_MAC_CERTIFICATE_PASSWORD"
_OPEN_S = 6 * 3600
Run = Callable[[Sequence[str | Path], str], None]


def make(
    keychain: Path, variables: Mapping[str, str] = os.environ, run: Run = commands.run
) -> None:
    """Raises `SetupError`. The command lines hold a password: nobody else is on a runner."""
    try:
        certificate = base64.b64decode(variables.get(CERTIFICATE, ""), validate=True)
    except ValueError:
        raise SetupError(f"{CERTIFICATE} is no base64") from None
    if not certificate:
        raise SetupError(f"{CERTIFICATE} is not set")
    with tempfile.TemporaryDirectory(prefix="snug-certificate-") as folder:
        file = Path(folder) / "certificate.p12"
        file.write_bytes(certificate)
        file.chmod(0o600)
        for argv in steps(keychain, file, variables.get(PASSWORD, ""), secrets.token_hex(24)):
            run(argv, f"keychain {argv[1]}")


def steps(keychain: Path, file: Path, password: str, own: str) -> list[list[str | Path]]:
    """`password` is the certificate's, `own` the new keychain's."""
    partitions = "apple-tool:,apple:,codesign:"
    return [
        ["security", "create-keychain", "-p", own, keychain],
        ["security", "set-keychain-settings", "-l", "-u", "-t", str(_OPEN_S), keychain],
        ["security", "unlock-keychain", "-p", own, keychain],
        [
            *("security", "import", file, "-k", keychain, "-P", password, "-f", "pkcs12"),
            *("-T", "/usr/bin/codesign", "-T", "/usr/bin/security"),
        ],
        ["security", "set-key-partition-list", "-S", partitions, "-s", "-k", own, keychain],
        ["security", "list-keychains", "-d", "user", "-s", keychain, "login.keychain"],
    ]
