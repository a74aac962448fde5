"""A virtual X screen for a test, so that the window runs on the platform people have."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def virtual_screen(size: str = "1400x1000x24", *options: str) -> Iterator[dict[str, str]]:
    """Environment of a fresh Xvfb, which picks a free display number itself. It stays as it is when
    its last client leaves."""
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            "Xvfb",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            size,
            "-nolisten",
            "tcp",
            "-noreset",
            *options,
        ],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as number:
            display = number.readline().strip()
        yield {"DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb"}
    finally:
        server.terminate()
        server.wait()
