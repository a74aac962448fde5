"""What a release must have been given: programs of Apple's, and variables. Secrets are passed on by
place or by name, so that none of them is ever in a list of arguments, a log or a message."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from devenv.errors import SetupError

IDENTITY = "SNUG_MAC_IDENTITY"
"""Whose signature: the name of a certificate in the keychain, or its SHA-1."""
PROFILE = "SNUG_NOTARY_PROFILE"
"""What `notarytool store-credentials` put into the keychain; instead of the three below."""
KEY, KEY_ID, ISSUER = "SNUG_NOTARY_KEY", "SNUG_NOTARY_KEY_ID", "SNUG_NOTARY_ISSUER"
"""The file of an App Store Connect key, its id, and for a team's key who issued it."""


def tool(name: str) -> str:
    """Raises `SetupError` where it is missing."""
    if not shutil.which(name):
        msg = f"{name} is missing: it comes with a Mac and Apple's tools (xcode-select --install)"
        raise SetupError(msg)
    return name


def identity(variables: Mapping[str, str] = os.environ) -> str:
    if not (name := variables.get(IDENTITY, "").strip()):
        msg = f"{IDENTITY} is not set: the certificate to sign with, “Developer ID Application: …”"
        raise SetupError(msg)
    return name


def credentials(variables: Mapping[str, str] = os.environ) -> list[str]:
    """The arguments by which notarytool knows who asks."""
    if profile := variables.get(PROFILE):
        return ["--keychain-profile", profile]
    missing = [name for name in (KEY, KEY_ID) if not variables.get(name)]
    if missing:
        msg = f"set {PROFILE}, or {' and '.join(missing)}, so that Apple knows who asks"
        raise SetupError(msg)
    if not Path(variables[KEY]).is_file():
        msg = f"{KEY} names no file"
        raise SetupError(msg)
    issuer = ["--issuer", variables[ISSUER]] if variables.get(ISSUER) else []
    return ["--key", variables[KEY], "--key-id", variables[KEY_ID], *issuer]
