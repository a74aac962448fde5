"""Writes what a manifest lists out of an archive into a folder of our own, and nothing else.

Every name is judged before the first byte is written; sizes and hashes while it is. Leaves a half
written folder behind where it fails: whoever made the folder removes it. Blocks; any thread.
"""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.errors import Cancelled
from engine.packs import names
from engine.packs.archive import Archive, Member
from engine.types.cancel import CancelToken
from engine.types.packs import Manifest, PackProblem

Heard = Callable[[int, int], None]
"""Called with the bytes that are written and all there will be."""


def check_members(archive: Archive, manifest: Manifest) -> None:
    """The archive holds exactly what is listed, under names that may be written. Raises
    `PackRefused`."""
    for member in archive.members:
        _check_member(archive, member)
    if found := names.collision(member.name for member in archive.members):
        problem, name = found
        raise archive.refused(problem, ascii(name))
    sizes = {member.name: member.size_bytes for member in archive.members}
    listed = {file.path: file.size_bytes for file in manifest.files}
    for name in sizes:
        if name not in listed and name not in names.OURS:
            raise archive.refused(PackProblem.UNLISTED_FILE, name)
    for name, size_bytes in listed.items():
        if name not in sizes:
            raise archive.refused(PackProblem.FILE_MISSING, name)
        if sizes[name] != size_bytes:
            raise archive.refused(PackProblem.SIZE_DIFFERS, f"{name}: {sizes[name]} bytes")


def _check_member(archive: Archive, member: Member) -> None:
    if problem := names.problem_of(member.name):
        raise archive.refused(problem, ascii(member.name)[:200])
    if member.is_link:
        raise archive.refused(PackProblem.LINK, member.name)
    if member.is_folder:
        raise archive.refused(PackProblem.FOLDER, member.name)


@dataclass(slots=True, kw_only=True)
class Progress:
    """Says how far it is, and stops the work where that is wanted."""

    total_bytes: int
    heard: Heard
    cancel: CancelToken
    done_bytes: int = 0

    def add(self, count: int) -> None:
        """Raises `Cancelled`."""
        if self.cancel.cancelled:
            raise Cancelled
        self.done_bytes += count
        self.heard(self.done_bytes, self.total_bytes)


def unpack(archive: Archive, manifest: Manifest, folder: Path, progress: Progress) -> None:
    """Raises `PackRefused`, `Cancelled`, or an `OSError` for what could not be written."""
    members = {member.name: member for member in archive.members}
    for file in manifest.files:
        target = folder.joinpath(*file.path.split("/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        if _write(archive, members[file.path], target, progress) != file.sha256:
            raise archive.refused(PackProblem.HASH_DIFFERS, file.path)


def _write(archive: Archive, member: Member, target: Path, progress: Progress) -> str:
    """The sha256 of what is now on the disk."""
    digest = hashlib.sha256()
    with target.open("xb") as out:
        for piece in archive.content(member):
            progress.add(len(piece))
            out.write(piece)
            digest.update(piece)
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()
