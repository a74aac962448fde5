"""Which graphics devices a plan may use: the order of backends and what is known to go wrong.

Rules are data (engine.md §4.1). Pure; whether a device answers at all was found out by probing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.hardware.names import essence, is_software
from engine.types.hardware import Device, DeviceKind, DeviceProblem, HardwareReport, System
from engine.types.plans import FlashAttention, Reason, Wishes

ORDER = ("metal", "cuda", "vulkan")
"""What we ship, best first. ROCm, HIP, SYCL and OpenCL see the same cards as Vulkan does."""

_ACCELERATORS_WE_IGNORE = ("blas", "cpu", "accelerate")
_LEAST_COMPUTE_CAPABILITY = 5.0
_FLASH_ATTENTION_FROM = 6.0
_NO_FLASH_ATTENTION = 7.2
_LEAST_NVIDIA_DRIVER = 550
"""Of CUDA 12 builds. CUDA versions ("12.6") are below 100 and tell nothing of the driver."""
_NVIDIA_DRIVERS_FROM = 100
_NEXT_BACKEND_FROM = 2
_PROCESSOR_ONLY_FROM = 3
_MOST_DEVICES = 16
"""`llama_max_devices` in src/llama.cpp."""

_ADRENO = re.compile(r"adreno|qualcomm", re.IGNORECASE)
_INTEL = re.compile(r"intel", re.IGNORECASE)
_INTEL_FAST = re.compile(r"\barc\b|battlemage|\b(?:LNL|BMG|PTL|NVL)\b", re.IGNORECASE)
"""Intel's devices from Xe2 on, and its cards, beat the processor beside them; older ones reach
half its speed (ollama 1590)."""
_AMD = re.compile(r"\bamd\b|radeon", re.IGNORECASE)
_AMDVLK = re.compile(r"amdvlk", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The devices to use, all of one backend, in ggml's order; none means the processor alone.
    `reasons` say why others are not used."""

    devices: tuple[Device, ...] = ()
    flash_attention: FlashAttention = FlashAttention.AUTO
    reasons: tuple[Reason, ...] = ()

    @property
    def backend(self) -> str:
        return self.devices[0].backend if self.devices else "cpu"

    @property
    def shared(self) -> bool:
        """Whether the devices' memory is the machine's own."""
        return any(device.kind is not DeviceKind.GPU for device in self.devices)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    reason: Reason
    applies: Callable[[HardwareReport, Device], bool]


_RULES = (
    _Rule(
        reason=Reason.SOFTWARE_RENDERER,
        applies=lambda _, device: (
            device.problem is DeviceProblem.SOFTWARE_RENDERER or is_software(device.description)
        ),
    ),
    _Rule(
        reason=Reason.DEVICE_FAILED,
        applies=lambda _, device: (
            device.problem not in (None, DeviceProblem.DUPLICATE) or not device.total_bytes
        ),
    ),
    # Not shipped; others (RPC, CANN, …) are not known to us.
    _Rule(reason=Reason.DEVICE_DENIED, applies=lambda _, device: device.backend not in ORDER),
    # Gibberish and freezes with Metal on Intel Macs (llama.cpp 8886, 9873), emulated ones too;
    # MoltenVK is not shipped.
    _Rule(
        reason=Reason.DEVICE_DENIED,
        applies=lambda report, device: (
            report.system is System.MACOS
            and (
                device.backend != "metal"
                or report.cpu.architecture != "arm64"
                or report.cpu.emulated
            )
        ),
    ),
    # Slower than its processor's cores, and crashes (llama.cpp 8455, 10693).
    _Rule(
        reason=Reason.DEVICE_DENIED,
        applies=lambda _, device: bool(_ADRENO.search(device.description)),
    ),
    _Rule(
        reason=Reason.DEVICE_DENIED,
        applies=lambda report, _: (
            report.system is System.WINDOWS and report.cpu.architecture == "arm64"
        ),
    ),
    _Rule(
        reason=Reason.DEVICE_SLOWER,
        applies=lambda _, device: (
            device.kind is not DeviceKind.GPU
            and bool(_INTEL.search(device.description))
            and not _INTEL_FAST.search(device.description)
        ),
    ),
    _Rule(
        reason=Reason.DEVICE_DENIED,
        applies=lambda _, device: (
            device.backend == "cuda" and 0.0 < _capability(device) < _LEAST_COMPUTE_CAPABILITY
        ),
    ),
    _Rule(reason=Reason.DEVICE_DENIED, applies=lambda _, device: _old_driver(device)),
    # Allocates 2 GiB at most (AMDVLK 413, 420); RADV drives the same cards.
    _Rule(
        reason=Reason.DEVICE_DENIED,
        applies=lambda _, device: bool(_AMDVLK.search(f"{device.driver} {device.description}")),
    ),
)


def select_devices(report: HardwareReport, wishes: Wishes) -> Selection:
    """The best usable devices: cards of the first backend in order, else one integrated device."""
    passed: frozenset[str] = frozenset()
    found = _select(report, wishes, passed)
    if wishes.caution >= _PROCESSOR_ONLY_FROM:
        passed = frozenset(device.backend for device in report.devices)
    elif wishes.caution >= _NEXT_BACKEND_FROM:
        passed = frozenset((found.backend,))
    if not found.devices or not passed:
        return found
    return _select(report, wishes, passed)


def _select(report: HardwareReport, wishes: Wishes, passed: frozenset[str]) -> Selection:
    """Backends in `passed` would do, but are not to be used: then nothing else is said of why a
    lesser device is not."""
    usable, reasons = _usable(report, wishes, passed)
    failed = tuple(reason for reason in reasons if reason is Reason.DEVICE_FAILED)
    groups = _by_backend(usable)
    if groups:
        devices = _largest(groups[0])
        flash_attention = _flash_attention(report, devices)
        return Selection(devices=devices, flash_attention=flash_attention, reasons=failed)
    if passed:
        return Selection(reasons=failed)
    return Selection(reasons=reasons or (() if usable else (Reason.NO_DEVICE,)))


def _usable(
    report: HardwareReport, wishes: Wishes, passed: frozenset[str]
) -> tuple[list[Device], tuple[Reason, ...]]:
    """Devices that nothing speaks against, and why the others are left out."""
    usable: list[Device] = []
    reasons: dict[Reason, None] = {}
    for device in sorted(report.devices, key=_rank):
        if device.backend in _ACCELERATORS_WE_IGNORE:
            continue
        reason = _against(report, device, wishes)
        if reason is not None:
            reasons[reason] = None
        elif device.backend not in passed and not (
            device.problem is DeviceProblem.DUPLICATE and _has_twin(device, usable)
        ):
            usable.append(device)
    return usable, tuple(reasons)


def _largest(devices: tuple[Device, ...]) -> tuple[Device, ...]:
    """As many as llama.cpp takes, in their order."""
    by_size = sorted(
        range(len(devices)), key=lambda index: devices[index].total_bytes or 0, reverse=True
    )
    return tuple(devices[index] for index in sorted(by_size[:_MOST_DEVICES]))


def _against(report: HardwareReport, device: Device, wishes: Wishes) -> Reason | None:
    if device.backend in wishes.denied:
        return Reason.DEVICE_FAILED
    return next((rule.reason for rule in _RULES if rule.applies(report, device)), None)


def _rank(device: Device) -> int:
    return ORDER.index(device.backend) if device.backend in ORDER else len(ORDER)


def _has_twin(device: Device, others: Sequence[Device]) -> bool:
    """Whether one of `others` is the same card. Where it is not, because the better backend
    failed or is denied, the duplicate is welcome."""
    return any(
        (device.id and device.id == other.id)
        or essence(device.description) == essence(other.description)
        for other in others
    )


def _by_backend(usable: Sequence[Device]) -> list[tuple[Device, ...]]:
    """Groups to choose from, best first. Integrated devices come last, and one at a time: beside
    a card they only slow it down."""
    cards = [device for device in usable if device.kind is DeviceKind.GPU]
    groups = [tuple(group) for _, group in groupby(cards, key=lambda device: device.backend)]
    return groups or [(device,) for device in usable if device.kind is DeviceKind.IGPU]


def _flash_attention(report: HardwareReport, devices: Sequence[Device]) -> FlashAttention:
    off = any(
        _without_flash_attention(device)
        or (
            report.system is System.WINDOWS
            and device.kind is DeviceKind.IGPU
            and bool(_AMD.search(device.description))  # hangs (llama.cpp 17297)
        )
        for device in devices
    )
    return FlashAttention.OFF if off else FlashAttention.AUTO


def _without_flash_attention(device: Device) -> bool:
    capability = _capability(device)
    return device.backend == "cuda" and (
        0.0 < capability < _FLASH_ATTENTION_FROM or capability == _NO_FLASH_ATTENTION
    )


def _capability(device: Device) -> float:
    """CUDA's compute capability, 0 if unknown."""
    text = re.match(r"\d+(?:\.\d+)?", device.compute_capability)
    return float(text.group()) if text else 0.0


def _old_driver(device: Device) -> bool:
    text = re.match(r"\d{1,6}", device.driver)
    major = int(text.group()) if text else 0
    return device.backend == "cuda" and _NVIDIA_DRIVERS_FROM <= major < _LEAST_NVIDIA_DRIVER
