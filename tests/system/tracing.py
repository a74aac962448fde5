"""What the kernel saw of a command and its children: every address that was connected or sent to.

strace looks at the system calls, so native libraries and children are seen as well as Python.
"""

import os
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

_CALL = re.compile(
    r"(?:connect|sendto|sendmsg)\(\d+<(?P<kind>TCP|UDP)[^>]*>.*"
    r"sin6?_port=htons\((?P<port>\d+)\).*(?:inet_addr\(|inet_pton\(AF_INET6, )\"(?P<host>[^\"]+)\""
)
_OTHER = re.compile(r"sa_family=AF_INET")


def require_strace() -> None:
    if shutil.which("strace"):
        return
    told = "strace is not installed: run `python3 dev.py setup test`"
    if os.environ.get("CI") and sys.platform == "linux":
        pytest.fail(told)
    pytest.skip(told)


def prefix(file: Path) -> list[str]:
    """What to put before a command whose trace is to be written into `file`."""
    calls = "trace=connect,sendto,sendmsg"
    return ["strace", "-f", "-qq", "-yy", "--seccomp-bpf", "-s", "8", "-e", calls, "-o", str(file)]


def tried(file: Path, kind: str = "TCP") -> Counter[tuple[str, int]]:
    """How often each host and port was tried, over TCP or UDP. Names are asked for over UDP."""
    found: Counter[tuple[str, int]] = Counter()
    for line in file.read_text(errors="replace").splitlines():
        if match := _CALL.search(line):
            if match["kind"] == kind:
                found[match["host"], int(match["port"])] += 1
        else:
            assert not _OTHER.search(line), line
    return found
