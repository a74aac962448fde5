"""The files of an installed Snug, as .deb and .rpm place them and the AppDir holds them."""

import gzip
import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from devenv.places import ROOT
from linux import icons

DATA = Path(__file__).resolve().parent / "data"
LOGO = ROOT / "resources" / "logo" / "snug.svg"
PROGRAM = "opt/snug"
MAINTAINER = "The Snug project <snug@snug.invalid>"
_SHARE = "usr/share"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """`made_s` is the time that all files get, in seconds since 1970."""

    version: str
    made_s: int

    @property
    def made(self) -> datetime:
        return datetime.fromtimestamp(self.made_s, UTC)

    @property
    def date(self) -> str:
        return self.made.strftime("%Y-%m-%d")


def lay_out(frozen: Path, root: Path, release: Release) -> None:
    """Into `root`, which is emptied first. Whoever packs it has to make root the owner."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(frozen, root / PROGRAM, symlinks=True)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / "snug").symlink_to("../../opt/snug/snug")
    _share(root, release)
    give_time(root, release.made_s)


def _share(root: Path, release: Release) -> None:
    share = root / _SHARE
    _place("snug.desktop", share / "applications" / "snug.desktop", release)
    _place("snug.metainfo.xml", share / "metainfo" / "app.snug.snug.metainfo.xml", release)
    _place("snug-mime.xml", share / "mime" / "packages" / "snug.xml", release)
    _place("copyright", share / "doc" / "snug" / "copyright", release)
    manual = share / "man" / "man1" / "snug.1.gz"
    manual.parent.mkdir(parents=True)
    manual.write_bytes(gzip.compress(filled("snug.1", release).encode(), mtime=0))
    hicolor = share / "icons" / "hicolor"
    for size in icons.SIZES:
        icons.draw(LOGO, size, hicolor / f"{size}x{size}" / "apps" / "snug.png")
    scalable = hicolor / "scalable" / "apps" / "snug.svg"
    scalable.parent.mkdir(parents=True)
    shutil.copyfile(LOGO, scalable)


def filled(name: str, release: Release) -> str:
    """A file of `data/` with version and date in place."""
    text = (DATA / name).read_text(encoding="utf-8")
    return text.replace("@VERSION@", release.version).replace("@DATE@", release.date)


def _place(name: str, target: Path, release: Release) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(filled(name, release), encoding="utf-8")


def give_time(root: Path, made_s: int) -> None:
    """Modes that do not depend on the builder's umask, and one time."""
    for path in sorted(root.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
        elif not path.is_symlink() and not path.is_relative_to(root / PROGRAM):
            path.chmod(0o644)
        os.utime(path, (made_s, made_s), follow_symlinks=False)


def files_of(root: Path) -> list[Path]:
    """Everything but folders, sorted."""
    return sorted(path for path in root.rglob("*") if path.is_symlink() or path.is_file())
