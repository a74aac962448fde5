"""Reads Linux's own list of mounted disks. Pure, but for `read_mounts`; any thread."""

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_ESCAPED = re.compile(r"\\([0-7]{3})")
_NETWORK = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "afs",
    "ceph",
    "glusterfs",
    "davfs",
    "ncpfs",
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.gvfs",
    "fuse.davfs",
    "fuse.glusterfs",
    "fuse.s3fs",
)
_LOCAL = ("tmpfs", "ramfs", "overlay", "zfs", "btrfs", "bcachefs", "fuse.mergerfs")
"""Parts of the computer even where no block device is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """`kind` is the file system's ("ext4"); `device` is what it was mounted from ("/dev/sda1");
    `number` is the device's, as in /sys/dev/block ("8:1")."""

    folder: PurePosixPath
    kind: str
    device: str
    number: str

    @property
    def is_network(self) -> bool:
        return self.kind.startswith(_NETWORK)

    @property
    def is_local(self) -> bool:
        """True where it is known without a look at the device."""
        return self.kind in _LOCAL


def read_mounts() -> tuple[Mount, ...]:
    """Empty where the system does not tell."""
    try:
        return parse_mounts(Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape"))
    except OSError:
        return ()


def parse_mounts(text: str) -> tuple[Mount, ...]:
    """From the text of /proc/self/mountinfo, in its order. Lines that make no sense are skipped."""
    return tuple(mount for line in text.splitlines() if (mount := _mount(line)) is not None)


def _mount(line: str) -> Mount | None:
    """Fields: proc(5). The part before " - " has optional fields at its end."""
    front, _, back = line.partition(" - ")
    own, file_system = front.split(" "), back.split(" ")
    if len(own) < 6 or len(file_system) < 2 or not own[4].startswith("/"):
        return None
    return Mount(
        folder=PurePosixPath(_plain(own[4])),
        kind=file_system[0],
        device=_plain(file_system[1]),
        number=own[2],
    )


def _plain(field: str) -> str:
    """Blanks and the like are written as \\040."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), field)


def mount_of(path: PurePosixPath, mounts: tuple[Mount, ...]) -> Mount | None:
    """The one that an absolute `path` without links lies on: of those above it the deepest, of
    equally deep ones the last, which hides the others."""
    above = [mount for mount in mounts if path.is_relative_to(mount.folder)]
    deepest = max((len(mount.folder.parts) for mount in above), default=0)
    return next((mount for mount in above[::-1] if len(mount.folder.parts) == deepest), None)


def is_portable(block: PurePosixPath, removable: str, card: str) -> bool:
    """Of a disk's real folder below /sys/devices and its files `removable` and `device/type`:
    sticks, cards, and whatever hangs on a plug outside. (A disk on USB does not call itself
    removable; memory that is soldered in is a card too, but of type MMC.)"""
    outside = any(part.startswith(("usb", "firewire")) for part in block.parts)
    return outside or removable.strip() == "1" or card.strip() == "SD"
