"""Processors from recorded text, hand-packed structures and made-up folders of /sys."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hardware.cpuinfo import CpuInfo, parse_cpuinfo
from engine.hardware.linux_cpu import build_cpu
from engine.hardware.macos_cpu import parse_mac_cpu
from engine.hardware.system import this_system
from engine.hardware.topology import Topology, count, parse_cpu_list, read_topology
from engine.hardware.windows_cpu import build_windows_cpu, features_of, parse_cores
from engine.planner.threads import threads_for
from engine.types.hardware import System

DATA = Path(__file__).resolve().parents[3] / "data" / "hardware"
NO_SYS = Topology(core_of={}, speed_of={})


def recorded(name: str) -> CpuInfo:
    return parse_cpuinfo((DATA / name).read_text(encoding="utf-8"))


def test_a_server_processor_is_read_with_its_instruction_sets():
    info = recorded("cpuinfo-epyc.txt")
    assert info.name == "AMD EPYC"
    assert (info.processors, info.cores) == (2, 2)
    assert {"sse42", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bf16"} <= info.features


def test_pitfall_59_a_processor_without_avx_says_so():
    """Wheels built for AVX2 stop such a machine with "illegal instruction"."""
    info = recorded("cpuinfo-j4125.txt")
    assert info.name == "Intel(R) Celeron(R) J4125 CPU @ 2.00GHz"
    assert info.features == {"ssse3", "sse41", "sse42"}
    assert info.cores == 4


def test_an_arm_board_is_named_by_its_last_lines():
    info = recorded("cpuinfo-pi5.txt")
    assert info.name == "Raspberry Pi 5 Model B Rev 1.0"
    assert info.features == {"neon", "fp16", "dotprod"}
    assert (info.processors, info.cores) == (4, 0)


def test_only_what_every_core_can_do_counts():
    text = "processor: 0\nflags: avx avx2\n\nprocessor: 1\nflags: avx\n"
    assert parse_cpuinfo(text).features == {"avx"}


@given(st.text())
def test_any_text_is_survived(text):
    cpu = build_cpu(parse_cpuinfo(text), NO_SYS, None, None, "x86_64")
    assert 1 <= cpu.usable_cores <= cpu.physical_cores <= cpu.logical_cores
    assert 1 <= cpu.performance_cores <= cpu.physical_cores


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0-3,8\n", {0, 1, 2, 3, 8}),
        ("0", {0}),
        ("", set()),
        ("3-1", set()),
        ("x,2", {2}),
        ("0-99999999", set()),
        ("-5", set()),
    ],
)
def test_lists_of_processors(text, expected):
    assert parse_cpu_list(text) == expected


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


def cpu_folder(number: int, siblings: str, **more: str) -> dict[str, str]:
    base = f"devices/system/cpu/cpu{number}"
    files = {f"{base}/topology/core_cpus_list": siblings}
    return files | {f"{base}/{name.replace('__', '/')}": text for name, text in more.items()}


def test_a_hybrid_intel_counts_its_big_cores_once(tmp_path):
    files = {"devices/system/cpu/online": "0-5\n", "devices/cpu_core/cpus": "0-3\n"}
    for number in range(4):
        first = number // 2 * 2
        files |= cpu_folder(number, f"{first}-{first + 1}\n")
    for number in (4, 5):
        files |= cpu_folder(number, f"{number}\n")
    write(tmp_path, files)
    cores = count(read_topology(tmp_path), None)
    assert (cores.physical, cores.performance, cores.logical) == (4, 2, 6)


def test_small_cores_are_known_by_their_frequency(tmp_path):
    """RK3588: four at 1.8 GHz, four at 2.35 GHz; favoured cores differ by less."""
    files = {"devices/system/cpu/online": "0-7\n"}
    for number in range(8):
        speed = ("1800000", "2352000", "2256000")[(number >= 4) + (number >= 6)]
        files |= cpu_folder(number, str(number), cpufreq__cpuinfo_max_freq=speed)
    write(tmp_path, files)
    assert count(read_topology(tmp_path), None).performance == 4


def test_without_a_frequency_driver_the_kernels_weights_count(tmp_path):
    files = {"devices/system/cpu/online": "0-3\n"}
    for number in range(4):
        files |= cpu_folder(number, str(number), cpu_capacity="1024" if number < 2 else "446")
    write(tmp_path, files)
    assert count(read_topology(tmp_path), None).performance == 2


def mix(tmp_path: Path, weights: list[tuple[int, int]]) -> Topology:
    """A processor by each one's top speed in kHz and capacity."""
    files = {"devices/system/cpu/online": f"0-{len(weights) - 1}\n"}
    for number, (speed, capacity) in enumerate(weights):
        told = {"cpufreq__cpuinfo_max_freq": str(speed)}
        files |= cpu_folder(number, str(number), cpu_capacity=str(capacity), **told)
    write(tmp_path, files)
    return read_topology(tmp_path)


@pytest.mark.parametrize(
    ("weights", "fast"),
    [
        ([(2000000, 381)] * 6 + [(2050000, 1024)] * 2, 2),  # MT8186: A55 and A76
        ([(1989000, 430)] * 4 + [(1989000, 1024)] * 4, 4),  # MT8183: A53 and A73
        ([(1800000, 250)] * 4 + [(2400000, 760)] * 2 + [(2800000, 1024)] * 2, 4),  # Tensor
        ([(1800000, 1024)] * 4 + [(2352000, 1024)] * 4, 4),  # a board that tells no capacity
    ],
)
def test_capacity_tells_more_than_clocks(tmp_path, weights, fast):
    assert count(mix(tmp_path, weights), None).performance == fast


def test_half_told_capacities_are_not_believed(tmp_path):
    topology = mix(tmp_path, [(2000000, 400), (2000000, 1024)])
    (tmp_path / "devices/system/cpu/cpu0/cpu_capacity").unlink()
    assert count(read_topology(tmp_path), None).performance == 2
    assert count(topology, None).performance == 1


P_AND_E = Topology(
    core_of={n: f"p{n // 2}" for n in range(12)} | {n: f"e{n}" for n in range(12, 20)},
    speed_of={},
    declared_fast=frozenset(range(12)),
)


@pytest.mark.parametrize(
    ("affinity", "performance", "threads"),
    [
        (None, 6, 5),
        ({0, 1, 2, 3, *range(12, 20)}, 2, 2),
        (set(range(12, 20)), 14, 7),  # slow ones alone do not wait for one another
        ({0}, 1, 1),
    ],
)
def test_fast_cores_that_are_forbidden_do_not_count(affinity, performance, threads):
    """Six threads on two fast and eight slow cores would wait for the slow ones."""
    cpu = build_cpu(parse_cpuinfo(""), P_AND_E, affinity, None, "x86_64")
    assert (cpu.physical_cores, cpu.performance_cores) == (14, performance)
    assert threads_for(cpu) == threads


def test_cores_of_two_packages_are_not_the_same(tmp_path):
    files = {"devices/system/cpu/online": "0-1\n"}
    for number in (0, 1):
        base = f"devices/system/cpu/cpu{number}/topology"
        files |= {f"{base}/core_id": "0\n", f"{base}/physical_package_id": f"{number}\n"}
    write(tmp_path, files)
    assert count(read_topology(tmp_path), None).physical == 2


FOUR_CORES_EIGHT_THREADS = Topology(
    core_of={number: f"core{number % 4}" for number in range(8)}, speed_of={}
)


@pytest.mark.parametrize(
    ("affinity", "quota", "usable"),
    [
        (None, None, 4),
        ({0, 4}, None, 1),
        ({0, 1, 2}, None, 3),
        (None, 2.0, 2),
        (None, 1.5, 1),
        (None, 0.25, 1),
        ({0, 1}, 3.0, 2),
        (set(), None, 1),
    ],
)
def test_affinity_and_quota_limit_what_may_be_used(affinity, quota, usable):
    cpu = build_cpu(CpuInfo(), FOUR_CORES_EIGHT_THREADS, affinity, quota, "x86_64")
    assert cpu.usable_cores == usable
    assert (cpu.physical_cores, cpu.performance_cores, cpu.logical_cores) == (4, 4, 8)


def test_without_sys_the_processors_text_is_enough():
    cpu = build_cpu(recorded("cpuinfo-j4125.txt"), NO_SYS, {0, 1}, None, "x86_64")
    assert (cpu.physical_cores, cpu.usable_cores) == (4, 2)


def integer(value: int) -> bytes:
    return struct.pack("<i", value)


def levels(*cores_and_names: tuple[int, str]) -> dict[str, bytes]:
    total = sum(cores for cores, _ in cores_and_names)
    values = {
        "hw.physicalcpu": integer(total),
        "hw.logicalcpu": integer(total),
        "hw.nperflevels": integer(len(cores_and_names)),
        "machdep.cpu.brand_string": b"Apple M5 Max\0",
        "hw.optional.arm64": integer(1),
        "hw.optional.arm.FEAT_DotProd": integer(1),
        "hw.optional.arm.FEAT_SME": integer(0),
    }
    for level, (cores, name) in enumerate(cores_and_names):
        values[f"hw.perflevel{level}.physicalcpu"] = integer(cores)
        values[f"hw.perflevel{level}.name"] = name.encode() + b"\0"
    return values


def test_an_m1_has_four_fast_cores():
    cpu = parse_mac_cpu(levels((4, "Performance"), (4, "Efficiency")), "arm64")
    assert (cpu.physical_cores, cpu.performance_cores) == (8, 4)
    assert cpu.features == {"neon", "dotprod"}
    assert not cpu.emulated


def test_an_m5_max_has_super_and_performance_cores_and_both_are_fast():
    cpu = parse_mac_cpu(levels((6, "Super"), (12, "Performance")), "arm64")
    assert cpu.performance_cores == 18
    assert cpu.name == "Apple M5 Max"


def test_unnamed_levels_are_fast_first():
    assert parse_mac_cpu(levels((4, ""), (4, "")), "arm64").performance_cores == 4


def test_an_intel_mac_and_rosetta():
    values = {
        "hw.physicalcpu": integer(6),
        "hw.logicalcpu": integer(12),
        "machdep.cpu.brand_string": b"Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz\0",
        "machdep.cpu.features": b"FPU VME SSE3 SSSE3 FMA SSE4.1 SSE4.2 AVX1.0 RDRAND F16C\0",
        "machdep.cpu.leaf7_features": b"RDWRFSGS BMI1 AVX2 SMEP BMI2\0",
    }
    cpu = parse_mac_cpu(values, "x86_64")
    assert (cpu.physical_cores, cpu.performance_cores, cpu.logical_cores) == (6, 6, 12)
    assert cpu.features >= {"avx", "avx2", "fma", "f16c"}
    translated = parse_mac_cpu({**values, "sysctl.proc_translated": integer(1)}, "x86_64")
    assert translated.emulated
    assert translated.architecture == "x86_64"


def test_a_mac_that_tells_nothing_still_has_a_core():
    assert parse_mac_cpu({}, "arm64").usable_cores == 1


def core_record(efficiency: int, *masks: tuple[int, int]) -> bytes:
    """SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX with a PROCESSOR_RELATIONSHIP (winnt.h)."""
    body = struct.pack("<BB20sH", 0, efficiency, b"", len(masks))
    body += b"".join(struct.pack("<QH6x", mask, group) for group, mask in masks)
    return struct.pack("<II", 0, 8 + len(body)) + body


HYBRID = b"".join(
    [core_record(1, (0, 0b11 << 2 * n)) for n in range(2)]
    + [core_record(0, (0, 1 << 4 + n)) for n in range(4)]
)


def test_windows_knows_fast_cores_by_their_class():
    cores = parse_cores(HYBRID)
    cpu = build_windows_cpu(" 12th Gen  X ", cores, {}, frozenset(), machine="AMD64")
    assert (cpu.physical_cores, cpu.performance_cores, cpu.logical_cores) == (6, 2, 8)
    assert (cpu.name, cpu.architecture, cpu.usable_cores) == ("12th Gen X", "x86_64", 6)


def test_windows_affinity_leaves_some_cores():
    cores = parse_cores(HYBRID)
    cpu = build_windows_cpu("x", cores, {0: 0b110011}, frozenset(), machine="AMD64")
    assert (cpu.usable_cores, cpu.performance_cores) == (3, 1)
    slow = build_windows_cpu("x", cores, {0: 0b110000}, frozenset(), machine="AMD64")
    assert (slow.usable_cores, threads_for(slow)) == (2, 2)


def test_a_program_for_another_processor_knows_that_it_is_emulated():
    cpu = build_windows_cpu("x", [], {}, frozenset(), machine="AMD64", native_machine=0xAA64)
    assert cpu.emulated
    assert cpu.physical_cores == 1
    native = build_windows_cpu("x", [], {}, frozenset(), machine="ARM64", native_machine=0xAA64)
    assert not native.emulated


@given(st.binary(max_size=200))
def test_any_bytes_from_windows_are_survived(data):
    cpu = build_windows_cpu("x", parse_cores(data), {}, frozenset(), machine="AMD64")
    assert 1 <= cpu.performance_cores <= cpu.physical_cores <= cpu.logical_cores


def test_features_of_windows_are_those_of_the_right_family():
    both = dict.fromkeys((38, 39, 40, 19, 43), True)
    assert features_of(both, "AMD64") == {"sse42", "avx", "avx2", "fma", "f16c", "bmi2"}
    assert features_of(both, "ARM64") == {"neon", "dotprod"}


@pytest.mark.parametrize(
    ("platform", "system"),
    [
        ("linux", System.LINUX),
        ("darwin", System.MACOS),
        ("win32", System.WINDOWS),
        ("freebsd14", System.LINUX),
    ],
)
def test_systems(platform, system):
    assert this_system(platform) is system
