"""Prints what a job that signs has to have installed, with hashes, for `pip install
--require-hashes`: what draws an installer's pictures, and on a Mac what makes a disk image.

`python -m release.needs`.
"""

import sys
from collections.abc import Iterable, Mapping

from devenv.lockfiles import blocks
from devenv.places import LOCKS, SYSTEM

_PICTURES = ("pyside6-essentials", "shiboken6")
_DISKS = ("dmgbuild", "ds-store", "mac-alias")


def chosen(locked: Mapping[str, str], system: str) -> Iterable[str]:
    """Blocks of a lock, by `name==version marker`."""
    wanted = (*_PICTURES, *(_DISKS if system == "darwin" else ()))
    return (text for name, text in locked.items() if name.partition("==")[0] in wanted)


if __name__ == "__main__":
    sys.stdout.writelines(chosen(blocks(LOCKS / "package.lock"), SYSTEM))
