"""Which system and which kind of processor this is, in one spelling."""

import sys

from engine.types.hardware import System

_ARCHITECTURES = {"amd64": "x86_64", "aarch64": "arm64", "x64": "x86_64"}
_BY_PLATFORM = {"darwin": System.MACOS, "win32": System.WINDOWS}


def this_system(platform: str = sys.platform) -> System:
    """Anything that is neither is Unix enough to be asked like Linux."""
    return _BY_PLATFORM.get(platform, System.LINUX)


def architecture(machine: str) -> str:
    """x86_64, arm64, else what the system calls it."""
    return _ARCHITECTURES.get(machine.lower(), machine.lower())
