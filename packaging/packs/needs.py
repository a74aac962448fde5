"""Prints what the signer has to have installed, with hashes, for `pip install --require-hashes`."""

import sys

from devenv.lockfiles import blocks
from devenv.places import LOCKS

NEEDED = ("cryptography", "cffi", "pycparser")

if __name__ == "__main__":
    locked = blocks(LOCKS / "run.lock")
    sys.stdout.writelines(
        text for name, text in locked.items() if name.partition("==")[0] in NEEDED
    )
