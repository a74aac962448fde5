"""Main memory from recorded text, made-up cgroups and hand-packed structures."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hardware.cgroup import (
    Cgroups,
    Limit,
    cpu_quota,
    locate,
    memory_limits,
    parse_cpu_max,
)
from engine.hardware.linux_memory import build_memory, parse_meminfo, parse_pressure
from engine.hardware.macos_memory import (
    build_mac_memory,
    parse_level,
    parse_statistics,
    parse_swap,
)
from engine.hardware.windows_memory import build_windows_memory, parse_job, parse_status
from engine.types.hardware import Pressure

DATA = Path(__file__).resolve().parents[3] / "data" / "hardware"
MIB = 1 << 20
MEMINFO = {"MemTotal": 8000 * MIB, "MemAvailable": 6000 * MIB}


def test_recorded_memory():
    memory = build_memory(
        parse_meminfo((DATA / "meminfo-epyc.txt").read_text(encoding="ascii")), []
    )
    assert memory.total_bytes == 24683652 * 1024
    assert 0 < memory.available_bytes < memory.total_bytes
    assert memory.limit_bytes is None
    assert (memory.swap_total_bytes, memory.swap_free_bytes) == (0, 0)


def test_old_kernels_without_an_available_line():
    meminfo = parse_meminfo("MemTotal: 1000 kB\nMemFree: 100 kB\nCached: 200 kB\n")
    assert build_memory(meminfo, []).available_bytes == 300 * 1024


def test_the_tightest_limit_counts():
    limits = [Limit(limit_bytes=4000 * MIB, left_bytes=1000 * MIB)]
    limits += [Limit(limit_bytes=2000 * MIB, left_bytes=1500 * MIB)]
    memory = build_memory(MEMINFO, limits)
    assert memory.limit_bytes == 2000 * MIB
    assert memory.available_bytes == 1000 * MIB


def test_a_limit_above_the_machine_is_none():
    limit = Limit(limit_bytes=64000 * MIB, left_bytes=63000 * MIB)
    memory = build_memory(MEMINFO, [limit])
    assert memory.limit_bytes is None
    assert memory.available_bytes == 6000 * MIB


def test_strict_overcommit_limits_promises():
    meminfo = MEMINFO | {"CommitLimit": 4000 * MIB, "Committed_AS": 1000 * MIB}
    assert build_memory(meminfo, []).commit_left_bytes is None
    assert build_memory(meminfo, [], strict_commit=True).commit_left_bytes == 3000 * MIB


@pytest.mark.parametrize(
    ("some", "full", "expected"),
    [
        ("0.00", "0.00", Pressure.NONE),
        ("10.00", "5.00", Pressure.NONE),
        ("10.01", "0.00", Pressure.WARN),
        ("60.00", "5.01", Pressure.CRITICAL),
        ("x", "y", Pressure.NONE),
    ],
)
def test_pressure(some, full, expected):
    text = (
        f"some avg10={some} avg60=0.00 avg300=0.00 total=0\n"
        f"full avg10={full} avg60=0.00 avg300=0.00 total=0\n"
    )
    assert parse_pressure(text) is expected
    assert build_memory(MEMINFO, [], pressures=["", text]).pressure is expected


SWAPS = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
ZRAM = "/dev/zram0                              partition\t4194300\t\t1024\t\t100\n"
DISK = "/dev/nvme0n1p3                          partition\t2097148\t\t2048\t\t-2\n"


@pytest.mark.parametrize(
    ("swaps", "total_kib", "free_kib"),
    [
        (SWAPS, 0, 0),
        (SWAPS + ZRAM, 0, 0),
        (SWAPS + ZRAM + DISK, 2097148, 2095100),
        (SWAPS + "/swap\\040file file 100 10 -3\nrubbish\n", 100, 90),
        ("", 6291448, 6288376),
    ],
)
def test_compressed_memory_is_no_swap(swaps, total_kib, free_kib):
    meminfo = MEMINFO | {"SwapTotal": 6291448 * 1024, "SwapFree": 6288376 * 1024}
    memory = build_memory(meminfo, [], swaps=swaps)
    assert memory.swap_total_bytes == total_kib * 1024
    assert memory.swap_free_bytes == free_kib * 1024


def test_a_container_without_swap_is_not_given_the_hosts():
    memory = build_memory(MEMINFO | {"SwapTotal": 0}, [], swaps=SWAPS + DISK)
    assert (memory.swap_total_bytes, memory.swap_free_bytes) == (0, 0)


@given(st.text(), st.text())
def test_any_meminfo_is_survived(text, swaps):
    memory = build_memory(parse_meminfo(text), [], swaps=swaps)
    assert 0 <= memory.swap_free_bytes <= memory.swap_total_bytes
    assert 0 <= memory.available_bytes <= memory.total_bytes


def put(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="ascii")


def test_version_2_asks_every_ancestor(tmp_path):
    """The limit that counts stands two folders up; reading the own one only misses it."""
    own = tmp_path / "user.slice" / "app.slice" / "snug.scope"
    put(own, memory__max="max\n", memory__current=f"{10 * MIB}\n")
    put(
        tmp_path / "user.slice",
        memory__max=f"{900 * MIB}\n",
        memory__high=f"{700 * MIB}\n",
        memory__current=f"{500 * MIB}\n",
        memory__stat=f"anon 1\ninactive_file {300 * MIB}\n",
    )
    found = locate(
        "0::/user.slice/app.slice/snug.scope\n",
        f"35 24 0:30 / {tmp_path} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
    )
    assert found.unified[0] == own
    assert found.unified[-1] == tmp_path
    assert memory_limits(found) == [Limit(limit_bytes=700 * MIB, left_bytes=500 * MIB)]


def test_version_1_and_a_container_that_sees_a_part_only(tmp_path):
    """Docker on version 1: the path is the host's, the mount shows its last part."""
    put(
        tmp_path,
        memory__limit_in_bytes=f"{512 * MIB}\n",
        memory__usage_in_bytes=f"{400 * MIB}\n",
        memory__stat=f"inactive_file 0\ntotal_inactive_file {100 * MIB}\n",
    )
    found = locate(
        "9:name=systemd:/docker/abc\n4:memory:/docker/abc\n",
        f"31 23 0:28 /docker/abc {tmp_path} ro - cgroup cgroup rw,memory\n",
    )
    assert found.memory_v1 == (tmp_path,)
    assert memory_limits(found) == [Limit(limit_bytes=512 * MIB, left_bytes=212 * MIB)]


ACTIVE = [(8 * MIB, 7 * MIB), (800 * MIB, 700 * MIB), (4000 * MIB, 3872 * MIB)]


@pytest.mark.parametrize(("active", "counted"), ACTIVE)
def test_weights_that_were_read_often_can_be_dropped_too(tmp_path, active, counted):
    """They are on the active list: without it a model could not be loaded a second time."""
    put(
        tmp_path / "two",
        memory__max=f"{5000 * MIB}",
        memory__current=f"{4500 * MIB}",
        memory__stat=f"anon 1\ninactive_file {MIB}\nactive_file {active}\n",
    )
    put(
        tmp_path / "one",
        memory__limit_in_bytes=f"{5000 * MIB}",
        memory__usage_in_bytes=f"{4500 * MIB}",
        memory__stat=f"active_file 5\ntotal_inactive_file {MIB}\ntotal_active_file {active}\n",
    )
    cgroups = Cgroups(unified=(tmp_path / "two",), memory_v1=(tmp_path / "one",))
    left = 501 * MIB + counted
    assert memory_limits(cgroups) == [Limit(limit_bytes=5000 * MIB, left_bytes=left)] * 2


def test_version_1_without_a_limit(tmp_path):
    put(tmp_path, memory__limit_in_bytes="9223372036854771712\n")
    assert memory_limits(Cgroups(memory_v1=(tmp_path,))) == []


def test_a_group_over_its_limit_leaves_nothing(tmp_path):
    put(tmp_path, memory__max=f"{100 * MIB}", memory__current=f"{150 * MIB}")
    assert memory_limits(Cgroups(unified=(tmp_path,)))[0].left_bytes == 0


def test_spaces_in_a_mount_point(tmp_path):
    folder = tmp_path / "a b"
    put(folder, memory__max="5\n")
    escaped = str(folder).replace(" ", "\\040")
    found = locate("0::/\n", f"1 2 0:3 / {escaped} rw - cgroup2 none rw\n")
    assert found.unified == (folder,)


@pytest.mark.parametrize("path", ["/../../etc", "/x/../..", "//"])
def test_a_path_never_leaves_the_mount(tmp_path, path):
    found = locate(f"0::{path}\n", f"1 2 0:3 / {tmp_path} rw - cgroup2 none rw\n")
    assert all(folder.is_relative_to(tmp_path) for folder in found.unified)
    assert all(".." not in folder.parts for folder in found.unified)


def test_processor_quota_of_all_ancestors(tmp_path):
    put(tmp_path / "a" / "b", cpu__max="400000 100000\n")
    put(tmp_path / "a", cpu__max="150000 100000\n")
    put(tmp_path, cpu__max="max 100000\n")
    unified = (tmp_path / "a" / "b", tmp_path / "a", tmp_path)
    assert cpu_quota(Cgroups(unified=unified)) == 1.5
    put(tmp_path / "v1", cpu__cfs_quota_us="50000", cpu__cfs_period_us="100000")
    assert cpu_quota(Cgroups(unified=unified, cpu_v1=(tmp_path / "v1",))) == 0.5
    put(tmp_path / "v1", cpu__cfs_quota_us="-1")
    assert cpu_quota(Cgroups(cpu_v1=(tmp_path / "v1",))) is None


@pytest.mark.parametrize("text", ["", "max 100000", "5", "0 100000", "5 0", "x y", "-1 100"])
def test_no_quota(text):
    assert parse_cpu_max(text) is None


@given(st.text(), st.text())
def test_any_cgroup_text_is_survived(cgroup, mountinfo):
    found = locate(cgroup, mountinfo)
    assert isinstance(found.unified, tuple)


def statistics(**pages: int) -> bytes:
    """struct vm_statistics64 (mach/vm_statistics.h), field by field."""
    counts = "free active inactive wire"
    totals = "zero_fill react pageins pageouts faults cow lookups hits purges"
    names = (
        [(name, "I") for name in counts.split()]
        + [(name, "Q") for name in totals.split()]
        + [("purgeable", "I"), ("speculative", "I")]
        + [(name, "Q") for name in ("decompressions", "compressions", "swapins", "swapouts")]
        + [(name, "I") for name in ("compressor", "throttled", "external", "internal")]
        + [("uncompressed", "Q")]
    )
    assert pages.keys() <= {name for name, _ in names}
    return b"".join(struct.pack("<" + kind, pages.get(name, 0)) for name, kind in names)


def test_a_mac_counts_what_can_really_be_had():
    data = statistics(
        free=1000, active=30000, inactive=20000, speculative=500, wire=10000,
        compressor=5000, purgeable=1000, external=15000,
    )  # fmt: skip
    pages = parse_statistics(data)
    assert pages.used == 30000 + 20000 + 500 + 10000 + 5000 - 1000 - 15000
    memory = build_mac_memory(8192 * MIB, pages, 16384)
    assert memory.available_bytes == 8192 * MIB - pages.used * 16384


def test_a_mac_that_tells_half():
    assert parse_statistics(b"short") is None
    assert parse_swap(None) == (0, 0)
    assert build_mac_memory(8192 * MIB, None, 0).available_bytes == 4096 * MIB


def test_swap_and_pressure_of_a_mac():
    assert parse_swap(struct.pack("<3Q2I", 3000, 1000, 2000, 16384, 1)) == (3000, 1000)
    levels = [parse_level(value) for value in (None, 1, 2, 4, 7)]
    none = Pressure.NONE
    assert levels == [none, none, Pressure.WARN, Pressure.CRITICAL, none]


def status(total: int, available: int, commit: int, left: int) -> bytes:
    """MEMORYSTATUSEX (sysinfoapi.h)."""
    numbers = [total * MIB, available * MIB, commit * MIB, left * MIB, 1 << 47, 1 << 46, 0]
    return struct.pack("<II7Q", 64, 50, *numbers)


def job(flags: int, process: int, whole: int) -> bytes:
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION, by the offsets of winnt.h on 64 bits."""
    data = bytearray(144)
    struct.pack_into("<I", data, 16, flags)
    struct.pack_into("<QQ", data, 112, process * MIB, whole * MIB)
    return bytes(data)


def test_windows_tells_what_may_still_be_promised():
    memory = build_windows_memory(parse_status(status(16384, 9000, 20000, 7000)), None, 0)
    assert memory.commit_left_bytes == 7000 * MIB
    assert memory.available_bytes == 9000 * MIB
    assert memory.swap_total_bytes == (20000 - 16384) * MIB
    assert memory.limit_bytes is None


def test_a_windows_job_limits_further():
    limit = parse_job(job(0x100 | 0x200, 4000, 3000))
    assert limit == 3000 * MIB
    told = parse_status(status(16384, 9000, 20000, 7000))
    memory = build_windows_memory(told, limit, 500 * MIB)
    assert memory.limit_bytes == 3000 * MIB
    assert memory.available_bytes == memory.commit_left_bytes == 2500 * MIB


@pytest.mark.parametrize("data", [b"", job(0, 4000, 3000), job(0x8, 1, 1)])
def test_a_job_without_a_memory_limit(data):
    assert parse_job(data) is None


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes_of_windows_are_survived(status_data, job_data):
    memory = build_windows_memory(parse_status(status_data), parse_job(job_data), 0)
    assert 0 <= memory.available_bytes <= memory.total_bytes
