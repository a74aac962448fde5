"""Where the files of a download lie: the final one, and beside it what is there of it and its
journal, so that nothing is ever moved between disks. Pure but for `state_of`, which only looks."""

import hashlib
import json
import os
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.errors import FolderUnwritable
from engine.models.download.records import Found, Stamp
from engine.models.library.filenames import is_file_name
from engine.models.library.manifest import is_sha256
from engine.types.downloads import Wanted, WantedFile

LOCK: Final = "snug-download.lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A file to fetch and its places. `sha256` is "" where nobody has told a usable one."""

    folder: Path
    name: str
    identity: str
    size_bytes: int | None
    sha256: str

    @property
    def final(self) -> Path:
        return self.folder / self.name

    @property
    def part(self) -> Path:
        return self.folder / f"{self.name}.part"

    @property
    def journal(self) -> Path:
        return self.folder / f"{self.name}.journal"

    @property
    def next_journal(self) -> Path:
        """Where one is written that then takes the other's place."""
        return self.folder / f"{self.name}.journal.new"

    @property
    def places(self) -> tuple[Path, ...]:
        return self.final, self.part, self.journal, self.next_journal

    def require_inside(self) -> None:
        """Nothing leads out of the folder, and nothing that is no file lies where the file belongs.
        Looks at the disk. Raises `FolderUnwritable`."""
        between = self.final.parent
        while between != self.folder:
            if between.is_symlink():
                raise FolderUnwritable(self.folder, f"a link: {between.name}")
            between = between.parent
        if self.final.is_dir() and not self.final.is_symlink():
            raise FolderUnwritable(self.folder, f"a folder: {self.name}")

    def is_of(self, found: Found) -> bool:
        """Whether a journal tells of this very file, so that what is there of it can be used. A
        known hash is enough: then it may come from any address."""
        header = found.header
        if (
            None not in (self.size_bytes, header.size_bytes)
            and self.size_bytes != header.size_bytes
        ):
            return False
        if self.sha256:
            return header.sha256 == self.sha256
        return header.identity == self.identity


def targets_of(wanted: Wanted) -> tuple[Target, ...]:
    """Raises `FolderUnwritable` for names that do not each mean one file inside of the folder."""
    names = [file.name for file in wanted.files]
    bad = [name for name in names if not is_file_name(name)]
    targets = () if bad else tuple(_target(wanted, file) for file in wanted.files)
    if bad or _clash(targets):
        raise FolderUnwritable(wanted.folder, f"not names of files: {bad or names}")
    return targets


def _clash(targets: tuple[Target, ...]) -> bool:
    """Whether two files would lie in one place, or one in another as if that were a folder, on any
    system: some know no capitals, some spell an accent in another way than it was given."""
    places = [_folded(place) for target in targets for place in target.places]
    folders = {_folded(folder) for target in targets for folder in target.final.parents}
    return len(set(places)) < len(places) or not folders.isdisjoint(places)


def _folded(path: Path) -> str:
    return unicodedata.normalize("NFC", os.fspath(path)).casefold()


def _target(wanted: Wanted, file: WantedFile) -> Target:
    place = [wanted.hub.kind, wanted.hub.address, wanted.repo, wanted.revision, file.path]
    sha256 = file.sha256.lower()
    return Target(
        folder=wanted.folder,
        name=file.name,
        identity=hashlib.blake2b(json.dumps(place).encode(), digest_size=16).hexdigest(),
        size_bytes=file.size_bytes,
        sha256=sha256 if is_sha256(sha256) else "",
    )


def state_of(path: Path) -> Stamp | None:
    """None if no plain file is there."""
    try:
        status = path.lstat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return Stamp(size_bytes=status.st_size, mtime_ns=status.st_mtime_ns)
