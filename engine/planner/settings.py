"""What a plan may vary at one context length: how the cache is stored and the batch. Pure.

What a person has stated is the only choice then.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.models.families import WITHOUT_FLASH_ATTENTION
from engine.planner.backends import Selection
from engine.planner.budgets import MIB
from engine.planner.context import LEAST_ROOMY
from engine.types.hardware import Cpu, Device, DeviceKind, HardwareReport
from engine.types.plans import FlashAttention, KvType, Wishes
from engine.types.shapes import ModelShape

_BATCHES = (256, 128)
"""Smaller ones that save memory, in turn."""
_LEAST_BATCH = 32
_CARD_BATCH = 512
_PROCESSOR_BATCH = 256
_SMALL_BATCH = 128
_SMALL_CARD_BYTES = 4608 * MIB
_SMALL_MAC_BYTES = 8192 * MIB
_FEW_CORES = 2
_WEAK = re.compile(r"celeron|atom|pentium|\bN\d{2,3}\b", re.IGNORECASE)
_Q8_BLOCK = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    context_length: int
    kv_type: KvType
    ubatch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Cache types in order of preference, and batches from the usual one down."""

    kv_types: tuple[KvType, ...]
    ubatches: tuple[int, ...]

    def settings(self, context_length: int) -> Iterator[Setting]:
        """Best first. Long contexts are halved before the batch is made smaller for them."""
        roomy = context_length > LEAST_ROOMY
        for kv_type in self.kv_types:
            yield Setting(context_length=context_length, kv_type=kv_type, ubatch=self.ubatches[0])
        for ubatch in () if roomy else self.ubatches[1:]:
            yield Setting(context_length=context_length, kv_type=self.kv_types[-1], ubatch=ubatch)

    def frugal(self, context_length: int) -> Iterator[Setting]:
        """Those that save memory, the largest batch first: experts that are copied to a card for
        a batch are worth it the more, the larger it is."""
        for ubatch in self.ubatches[1:] or self.ubatches:
            yield replace(self.tightest(context_length), ubatch=ubatch)

    def tightest(self, context_length: int) -> Setting:
        return Setting(
            context_length=context_length, kv_type=self.kv_types[-1], ubatch=self.ubatches[-1]
        )


def choices(
    report: HardwareReport, shape: ModelShape, wishes: Wishes, selection: Selection
) -> Choices:
    """`selection` without devices is the processor."""
    return Choices(
        kv_types=_kv_types(shape, wishes, selection), ubatches=_ubatches(report, wishes, selection)
    )


def can_quantize(shape: ModelShape, flash_attention: FlashAttention) -> bool:
    """Whether llama.cpp accepts a q8_0 cache (`llama_init_from_model` in src/llama-context.cpp)."""
    return (
        flash_attention is not FlashAttention.OFF
        and shape.architecture not in WITHOUT_FLASH_ATTENTION
        and shape.head_width % _Q8_BLOCK == 0
    )


def _kv_types(shape: ModelShape, wishes: Wishes, selection: Selection) -> tuple[KvType, ...]:
    """Metal reads a quantised cache slowly (llama.cpp 8918, 12815); without heads there is
    nothing to gain."""
    if wishes.kv_type is not None:
        return (wishes.kv_type,)
    worth_it = selection.backend != "metal" and shape.head_width > 0
    if worth_it and can_quantize(shape, selection.flash_attention):
        return (KvType.F16, KvType.Q8_0)
    return (KvType.F16,)


def _ubatches(report: HardwareReport, wishes: Wishes, selection: Selection) -> tuple[int, ...]:
    if wishes.ubatch is not None:
        return (wishes.ubatch,)
    usual = usual_batch(report, selection)
    all_sizes = (usual, *(size for size in _BATCHES if size < usual))
    cut = min(max(wishes.caution, 0), 8)
    return tuple(dict.fromkeys(max(size >> cut, _LEAST_BATCH) for size in all_sizes))


def usual_batch(report: HardwareReport, selection: Selection) -> int:
    """The batch that is fastest there; a smaller one only saves memory."""
    if not selection.devices:
        return _SMALL_BATCH if _is_weak(report.cpu) else _PROCESSOR_BATCH
    return min(_device_batch(report, device) for device in selection.devices)


def _device_batch(report: HardwareReport, device: Device) -> int:
    if device.backend == "metal":
        small = report.memory.total_bytes <= _SMALL_MAC_BYTES
        return _PROCESSOR_BATCH if small else _CARD_BATCH
    small = device.kind is not DeviceKind.GPU or (device.total_bytes or 0) < _SMALL_CARD_BYTES
    return _SMALL_BATCH if small else _CARD_BATCH


def _is_weak(cpu: Cpu) -> bool:
    return cpu.usable_cores <= _FEW_CORES or bool(_WEAK.search(cpu.name))
