"""A process without a network: no interface at all, or a resolver that never answers.

Started as `unshare -rmn python -m tests.system.apart WAY FILE COMMAND…`: changes what only this
process sees, then becomes the command. Nothing of the machine is changed.
"""

import os
import socket
import struct
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

NOTHING, SILENT = "nothing", "silent"
_SET_FLAGS = 0x8914
_UP_AND_RUNNING = 0x1 | 0x40


@lru_cache(maxsize=1)
def is_possible() -> bool:
    """Whether this person may have a network and mounts of their own here."""
    try:
        done = subprocess.run(
            ["unshare", "-rmn", "true"], capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def prefix(way: str, folder: Path) -> list[str]:
    """What to put before a command; `folder` is for a file of this module."""
    names = folder / "resolv.conf"
    names.write_text("nameserver 127.0.0.1\n")
    return ["unshare", "-rmn", sys.executable, "-m", "tests.system.apart", way, str(names)]


def _silence(names: str) -> None:
    """Every question for a name goes to a port that is open and says nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        import fcntl

        flags = struct.pack("16sH14s", b"lo", _UP_AND_RUNNING, b"")
        fcntl.ioctl(any_socket, _SET_FLAGS, flags)
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listening.bind(("127.0.0.1", 53))
    os.set_inheritable(listening.detach(), True)  # it lives as long as the command
    subprocess.run(["mount", "--bind", names, "/etc/resolv.conf"], check=True)


def main(way: str, names: str, command: list[str]) -> None:
    if way == SILENT:
        _silence(names)
    os.execvp(command[0], command)  # noqa: S606 - that is the point


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
