"""Whether what lies on a disk may be gone tomorrow, and how large a file it takes."""

import errno
import os
import struct
import sys
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import NoSpace
from engine.models.library import disks, linux_disks, macos_disks, mounts
from engine.models.library.disks import check_space, free_bytes, is_removable, largest_file_bytes
from engine.models.library.mounts import Mount, is_portable, mount_of, parse_mounts

LINES = """\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
30 27 0:27 / /data rw,relatime shared:2 - btrfs /dev/mapper/luks-data rw,subvol=/data
35 27 8:17 / /media/me/MY\\040STICK rw,nosuid shared:9 - vfat /dev/sdb1 rw,uid=1000
36 27 8:33 / /media/me/BIG rw,nosuid shared:9 - exfat /dev/sdc1 rw
40 27 0:50 / /net/share rw shared:4 - nfs4 server:/share rw,vers=4.2
41 27 0:51 / /net/far rw - fuse.sshfs me@far: rw
42 27 0:52 / /mnt/windows rw - 9p C:\\134 rw
43 27 0:53 / /over rw - overlay overlay rw
44 35 0:54 / /media/me/MY\\040STICK/hidden rw - tmpfs none rw
45 27 7:0 / /broken
this is no line
"""
MOUNTS = parse_mounts(LINES)


def on(path: str) -> Mount:
    found = mount_of(PurePosixPath(path), MOUNTS)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("path", "kind", "device", "number"),
    [
        ("/usr/x", "ext4", "/dev/nvme0n1p2", "259:2"),
        ("/data/me/models", "btrfs", "/dev/mapper/luks-data", "0:27"),
        ("/database", "ext4", "/dev/nvme0n1p2", "259:2"),
        ("/media/me/MY STICK/a", "vfat", "/dev/sdb1", "8:17"),
        ("/media/me/MY STICK/hidden/a", "tmpfs", "none", "0:54"),
        ("/mnt/windows", "9p", "C:\\", "0:52"),
    ],
)
def test_which_disk(path: str, kind: str, device: str, number: str) -> None:
    mount = on(path)
    assert (mount.kind, mount.device, mount.number) == (kind, device, number)


@pytest.mark.parametrize("path", ["/net/share", "/net/far", "/mnt/windows"])
def test_what_lies_on_a_network(path: str) -> None:
    assert on(path).is_network
    assert not on("/").is_network


def test_the_last_mount_hides_the_others() -> None:
    twice = parse_mounts("1 1 8:1 / / rw - ext4 /dev/a rw\n2 1 8:2 / / rw - xfs /dev/b rw\n")
    found = mount_of(PurePosixPath("/a"), twice)
    assert found is not None
    assert found.kind == "xfs"


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for mount in parse_mounts(text):
        assert mount.folder.is_absolute()


_PCI = "/sys/devices/pci0000:00/0000:00:14.0"


@pytest.mark.parametrize(
    ("block", "removable", "card", "portable"),
    [
        (f"{_PCI}/nvme/nvme0/nvme0n1", "0\n", "", False),
        (f"{_PCI}/ata1/host0/target0:0:0/0:0:0:0/block/sda", "0\n", "", False),
        (f"{_PCI}/usb2/2-1/2-1:1.0/host6/block/sdb", "1\n", "", True),
        (f"{_PCI}/usb2/2-4/2-4:1.0/host7/block/sdc", "0\n", "", True),
        (f"{_PCI}/ata2/host1/block/sr0", "1\n", "", True),
        (
            "/sys/devices/platform/sdhci/mmc_host/mmc0/mmc0:0001/block/mmcblk0",
            "0\n",
            "MMC\n",
            False,
        ),
        ("/sys/devices/platform/sdhci/mmc_host/mmc1/mmc1:aaaa/block/mmcblk1", "0\n", "SD\n", True),
    ],
)
def test_what_may_be_pulled_out(block: str, removable: str, card: str, portable: bool) -> None:
    assert is_portable(PurePosixPath(block), removable, card) is portable


def sysfs(root: Path, monkeypatch: pytest.MonkeyPatch, mount: Mount) -> Path:
    """A /sys of two disks: one built in, with an encrypted volume on its partition; one on USB."""
    inside = root / "devices" / "pci" / "nvme0n1"
    outside = root / "devices" / "pci" / "usb1" / "sdb"
    for disk, number in ((inside, "259:0"), (outside, "8:16")):
        part = disk / f"{disk.name}p1"
        part.mkdir(parents=True)
        (disk / "removable").write_text("0\n")
        (part / "partition").write_text("1\n")
        _linked(root, number, disk)
        _linked(root, number.replace("0", "1").replace("16", "17"), part)
    crypt = root / "devices" / "virtual" / "dm-0"
    (crypt / "slaves").mkdir(parents=True)
    (crypt / "slaves" / "one").symlink_to(inside / "nvme0n1p1")
    _linked(root, "253:0", crypt)
    monkeypatch.setattr(linux_disks, "_BLOCKS", root / "block")
    monkeypatch.setattr(linux_disks, "read_mounts", lambda: (mount,))
    return root


def _linked(root: Path, number: str, device: Path) -> None:
    (root / "block").mkdir(exist_ok=True)
    (root / "block" / number).symlink_to(device)


def mounted(kind: str, device: str, number: str) -> Mount:
    return Mount(folder=PurePosixPath("/"), kind=kind, device=device, number=number)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux' own files")
@pytest.mark.parametrize(
    ("mount", "removable"),
    [
        (mounted("ext4", "/dev/nvme0n1p1", "259:1"), False),
        (mounted("exfat", "/dev/sdb1", "8:17"), True),
        (mounted("ext4", "/dev/mapper/home", "253:0"), False),
        (mounted("nfs4", "server:/a", "0:50"), True),
        (mounted("tmpfs", "none", "0:51"), False),
        (mounted("strange", "none", "0:52"), True),
        (mounted("btrfs", "/dev/is-not-there", "0:53"), True),
    ],
)
def test_on_linux(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mount: Mount, removable: bool
) -> None:
    sysfs(tmp_path / "sys", monkeypatch, mount)
    assert is_removable(tmp_path) is removable


@pytest.mark.skipif(sys.platform != "linux", reason="Linux' own files")
@pytest.mark.parametrize(("kind", "limit"), [("vfat", 2**32 - 1), ("exfat", None), ("ext4", None)])
def test_how_large_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, limit: int | None
) -> None:
    monkeypatch.setattr(linux_disks, "read_mounts", lambda: (mounted(kind, "/dev/sdb1", "8:17"),))
    assert largest_file_bytes(tmp_path / "not" / "there" / "yet") == limit


def test_where_the_system_does_not_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy is always safe, and a large file may always be tried."""

    def fails(path: Path) -> Path:
        raise OSError(errno.EIO, "no answer")

    monkeypatch.setattr(disks, "_nearest", fails)
    assert is_removable(tmp_path)
    assert largest_file_bytes(tmp_path) is None
    check_space(tmp_path, 1 << 60)


def test_no_list_of_mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "Path", lambda name: tmp_path / "missing")
    assert mounts.read_mounts() == ()


@pytest.mark.parametrize("path", ["", "\0", "x" * 5000, "no/such/place"])
def test_odd_paths(path: str) -> None:
    assert isinstance(is_removable(Path(path)), bool)
    assert largest_file_bytes(Path(path)) in (None, 2**32 - 1)


def test_space_beside_the_reserve(tmp_path: Path) -> None:
    free = free_bytes(tmp_path / "not" / "there" / "yet")
    assert free > 0
    check_space(tmp_path, 0)
    with pytest.raises(NoSpace) as caught:
        check_space(tmp_path, free)
    assert caught.value.needed_bytes == free


def test_macos_says_it_in_a_struct() -> None:
    """f_bsize, f_iosize, five counts, f_fsid, f_owner, f_type, f_flags, f_fssubtype, the name."""
    front = struct.pack("<Ii5Q2i4I", 4096, 4096, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    assert macos_disks.parse_kind(front + b"msdos".ljust(16, b"\0") + b"/Volumes/X") == "msdos"
    assert macos_disks.parse_kind(b"") == ""


@pytest.mark.skipif(os.name != "nt", reason="Windows' own calls")
def test_on_windows(tmp_path: Path) -> None:
    assert not is_removable(tmp_path)
    assert largest_file_bytes(tmp_path) is None
