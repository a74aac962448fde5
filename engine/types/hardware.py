"""What a machine has: processor, memory and devices, as facts. Decisions are the planner's."""

from dataclasses import dataclass
from enum import StrEnum

from engine.types.backends import BackendReport


class System(StrEnum):
    LINUX = "linux"
    MACOS = "macos"
    WINDOWS = "windows"


class DeviceKind(StrEnum):
    GPU = "gpu"
    """Has memory of its own."""
    IGPU = "igpu"
    """Shares the machine's memory."""
    ACCEL = "accel"


class DeviceProblem(StrEnum):
    """Why a device can not be used at all. Whether a usable one *should* be is the planner's."""

    PROBE_CRASHED = "probe_crashed"
    PROBE_TIMED_OUT = "probe_timed_out"
    NO_MEMORY = "no_memory"
    """It reports none (0 of 0)."""
    SOFTWARE_RENDERER = "software_renderer"
    DUPLICATE = "duplicate"
    """The same card through a second backend that comes later in the backend order."""
    WRONG_ANSWER = "wrong_answer"
    """It computes something else than the processor does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One device as one backend sees it, after normalising.

    `backend` is ggml's name in lower case (cuda, vulkan, metal, rocm, sycl, opencl). `free_bytes`
    is None where the reported value can not be true. `dedicated_bytes` is the part of a shared
    device's memory that is not in the machine's own total (a carve-out).
    """

    backend: str
    name: str
    description: str
    kind: DeviceKind
    total_bytes: int | None
    free_bytes: int | None
    dedicated_bytes: int = 0
    dedicated_used_bytes: int = 0
    id: str = ""
    """PCI address or the like, where the driver tells."""
    driver: str = ""
    compute_capability: str = ""
    problem: DeviceProblem | None = None
    supports_mmap: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cpu:
    """Counts are of cores, `usable_cores` of what affinity and cgroup quota leave (at least 1)."""

    name: str
    architecture: str
    """x86_64 or arm64."""
    physical_cores: int
    performance_cores: int
    logical_cores: int
    usable_cores: int
    features: frozenset[str] = frozenset()
    """Lower case: sse42, avx, avx2, fma, f16c, avx512f, neon, dotprod, i8mm …; empty: unknown."""
    emulated: bool = False
    """Another architecture is emulated (Rosetta): the native app would be faster."""


class Pressure(StrEnum):
    NONE = "none"
    WARN = "warn"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Main memory in bytes. `available_bytes` is what can be taken now without swapping, within
    the tightest limit over all cgroups above us."""

    total_bytes: int
    available_bytes: int
    limit_bytes: int | None = None
    """The tightest cgroup or job limit; None where there is none below the total."""
    address_space_left_bytes: int | None = None
    """What `ulimit -v` still allows this process; mapped files count. None: no limit."""
    commit_left_bytes: int | None = None
    """What may still be promised (Windows; Linux with strict overcommit). None: no limit."""
    swap_total_bytes: int = 0
    swap_free_bytes: int = 0
    pressure: Pressure = Pressure.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """What the engine's own kernels reach here, measured.

    `bytes_per_s` pairs a weight type's name ("Q4_K") with the bytes of weights a second that
    multiplying one token by them reads, in the file's order; `overhead_s` is the fixed time of
    one graph node. `threads` says with how many threads it was measured.
    """

    threads: int
    bytes_per_s: tuple[tuple[str, float], ...]
    overhead_s: float
    repacked_bytes_per_s: tuple[tuple[str, float], ...] = ()
    """The same for weights in the order of the processor's liking; a type that is not here is
    not repacked."""
    row_s: float = 0.0
    """Time of one row of a quantised matrix in the file's order that does not depend on its
    width: what makes narrow models slower than their bytes say."""
    attention_s: tuple[tuple[str, float, float], ...] = ()
    """(KV type, fixed time, time an element of the head) of one query head looking at one
    cached token."""
    others_share: float = 0.0
    """Share of the processor that other programs had meanwhile: much of it, and the rest of this
    is too slow."""
    tries: int = 1
    """How many measurements this is the best of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareReport:
    """Everything the planner knows of a machine. `speed` is None where nothing was measured.
    `backends` says of every backend of this system whether it can be used, and why not."""

    system: System
    cpu: Cpu
    memory: Memory
    devices: tuple[Device, ...] = ()
    speed: Speed | None = None
    backends: tuple[BackendReport, ...] = ()
