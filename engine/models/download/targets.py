"""Where the files of a download lie: the final one, and beside it what is there of it and its
journal, so that nothing is ever moved between disks. Pure but for `state_of`, which only looks."""

import hashlib
import json
import stat
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
    if bad or len({name.casefold() for name in names}) < len(names):
        raise FolderUnwritable(wanted.folder, f"not names of files: {bad or names}")
    return tuple(_target(wanted, file) for file in wanted.files)


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
