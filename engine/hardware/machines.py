"""Another machine than this one, from a file: a recorded one, or a report of `snug hardware`.

Recorded machines (the form of `machines.json`) say little in a few words; what they leave out is
assumed as in the examples they were collected for. Their devices pass the normaliser as ours do.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.errors import MachineUnreadable
from engine.hardware.claims import Claim, Opinion, backend_name
from engine.hardware.normalise import normalise
from engine.hardware.report_json import (
    Body,
    Malformed,
    from_json,
    mapping,
    perhaps,
    text,
    whole,
)
from engine.types.hardware import Cpu, DeviceProblem, HardwareReport, Memory, System

_MIB = 1 << 20
_MOST_FILE_BYTES = 4 << 20
_AVAILABLE_SHARE = 0.65
"""Of main memory, where a recorded machine does not say."""
_ASSUMED_CORES = 4
_MOST_MIB = 1 << 44
_AVX2 = frozenset({"ssse3", "sse41", "sse42", "avx", "avx2", "fma", "f16c"})
_SSE42 = frozenset({"ssse3", "sse41", "sse42"})
_ARM = frozenset({"neon", "dotprod"})
_CLUSTERS = re.compile(r"\b(\d{1,3})P\+(\d{1,3})E\b")
_CORES = re.compile(r"\b(\d{1,3})c(?:/(\d{1,3})t)?\b")
_SPECIFICATION = re.compile(
    r"\b(?:\d{1,3}P\+\d{1,3}E|\d{1,3}c(?:/\d{1,3}t)?|AVX2|SSE4\.2(?: only)?)(?=\s|$)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    physical: int
    performance: int
    logical: int


def parse_cpu_text(words: str, system: System, *, arm: bool) -> Cpu:
    """ "Ryzen 7 7840HS 8c/16t" or "Apple M1 4P+4E"; without counts, four cores are assumed."""
    counts = _counts(words)
    return Cpu(
        name=" ".join(_SPECIFICATION.sub(" ", words).split()),
        architecture="arm64" if arm or words.startswith("Apple") else "x86_64",
        physical_cores=counts.physical,
        performance_cores=counts.performance,
        logical_cores=counts.logical,
        usable_cores=counts.physical,
        features=_features(words, arm=arm or (system is System.MACOS and "Apple" in words)),
    )


def _counts(words: str) -> _Counts:
    if clusters := _CLUSTERS.search(words):
        fast, small = max(1, int(clusters[1])), int(clusters[2])
        return _Counts(physical=fast + small, performance=fast, logical=fast + small)
    if cores := _CORES.search(words):
        physical = max(1, int(cores[1]))
        logical = max(physical, int(cores[2] or physical))
        return _Counts(physical=physical, performance=physical, logical=logical)
    return _Counts(physical=_ASSUMED_CORES, performance=_ASSUMED_CORES, logical=_ASSUMED_CORES)


def _features(words: str, *, arm: bool) -> frozenset[str]:
    if arm:
        return _ARM
    if "AVX2" in words:
        return _AVX2
    return _SSE42 if "SSE4.2" in words else frozenset()


def report_of(entry: object) -> HardwareReport:
    """One entry of machines.json. Raises `Malformed`."""
    body = mapping(entry, "machine")
    os_name, _, suffix = text(body, "os").partition("-")
    if os_name not in set(System):
        raise Malformed(f"os {os_name} is none of {', '.join(System)}")
    system = System(os_name)
    cpu = parse_cpu_text(text(body, "cpu"), system, arm=suffix == "arm64")
    memory = _memory(body)
    gpus = [mapping(gpu, "gpu") for gpu in _list(body, "gpus")]
    devices = normalise(
        [_claim(gpu) for gpu in gpus],
        [opinion for gpu in gpus if (opinion := _opinion(gpu))],
        main_memory_bytes=memory.total_bytes,
        system=system,
        architecture=cpu.architecture,
    )
    return HardwareReport(system=system, cpu=cpu, memory=memory, devices=devices)


def _memory(body: Body) -> Memory:
    total = whole(body, "ram_total_mib", high=_MOST_MIB) * _MIB
    stated = perhaps(body, "ram_avail_mib")
    available = int(total * _AVAILABLE_SHARE) if stated is None else stated * _MIB
    return Memory(total_bytes=total, available_bytes=min(total, available))


def _claim(gpu: Body) -> Claim:
    return Claim(
        backend=backend_name(text(gpu, "backend")),
        name=text(gpu, "name"),
        description=text(gpu, "desc", ""),
        kind=text(gpu, "type", "gpu"),
        total_bytes=_mib(gpu, "total_mib"),
        free_bytes=_mib(gpu, "free_mib"),
        driver=text(gpu, "driver", ""),
        compute_capability=text(gpu, "cc", ""),
        problem=DeviceProblem.PROBE_CRASHED if gpu.get("probe_exit") else None,
    )


def _mib(gpu: Body, key: str) -> int | None:
    value = perhaps(gpu, key)
    return None if value is None else value * _MIB


def _opinion(gpu: Body) -> Opinion | None:
    """What sysfs or DXGI said on that machine, with the name of the device it belongs to."""
    sysfs, dxgi = gpu.get("sysfs"), gpu.get("dxgi")
    name = text(gpu, "desc", "")
    if sysfs is not None:
        body = mapping(sysfs, "sysfs")
        vram, used = perhaps(body, "mem_info_vram_total"), perhaps(body, "mem_info_vram_used")
        gtt = perhaps(body, "mem_info_gtt_total")
        return Opinion(
            description=name,
            dedicated_bytes=vram,
            dedicated_used_bytes=used or 0,
            shared_bytes=gtt,
        )
    if dxgi is not None:
        body = mapping(dxgi, "dxgi")
        own, shared = perhaps(body, "dedicated"), perhaps(body, "shared")
        return Opinion(description=name, dedicated_bytes=own, shared_bytes=shared)
    return None


def _list(body: Body, key: str) -> list[object]:
    value = body.get(key, [])
    if not isinstance(value, list):
        raise Malformed(f"{key} is no list")
    return value


def read_machine(path: Path) -> HardwareReport:
    """A report, one recorded machine, or a `machines.json` that holds just one. Raises
    `MachineUnreadable`."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_FILE_BYTES + 1)
    except OSError as error:
        raise MachineUnreadable(path, error.strerror or str(error)) from error
    if len(data) > _MOST_FILE_BYTES:
        raise MachineUnreadable(path, "the file is too large")
    try:
        return _understand(json.loads(data))
    except (ValueError, RecursionError) as error:  # Malformed and what json raises
        raise MachineUnreadable(path, str(error)) from error


def _understand(body: object) -> HardwareReport:
    if isinstance(body, Mapping) and "machines" in body:
        body = body["machines"]
    if isinstance(body, list):
        if len(body) != 1:
            raise Malformed(f"it holds {len(body)} machines, and only one can be meant")
        body = body[0]
    if isinstance(body, Mapping) and "os" in body:
        return report_of(body)
    return from_json(body)
