"""What `flatpak-builder` needs: our manifest, and beside it a folder with the files of a package.

The build itself needs the freedesktop runtime, which release runners have.
"""

import shutil
from pathlib import Path

from linux import tree
from linux.tree import Release

ID = "app.snug.snug"
MANIFEST = Path(__file__).resolve().parent / "flatpak" / f"{ID}.yml"


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    """The manifest's copy. Nothing goes `into` the folder of what people get: it is no package."""
    del into
    folder = work / "flatpak"
    tree.lay_out(frozen, folder / "tree", release)
    return Path(shutil.copyfile(MANIFEST, folder / MANIFEST.name))
