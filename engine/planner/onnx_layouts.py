"""Layouts of an ONNX model folder in order of preference, and what each takes. Pure.

All weights with 5 % of slack, and while they go to a graphics device as much again in main memory;
the cache for the whole context, which is taken at once; the logits of every token of a batch.
There is nothing to divide: all of it runs on one device, or on the processor.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.planner import context
from engine.planner.budgets import MIB, RAM, device_room, ledger, ram_budget, ram_room
from engine.planner.onnx_backends import DIRECTML, directml_device, onnx_backend
from engine.planner.threads import threads_for
from engine.types.hardware import Device, DeviceKind, HardwareReport
from engine.types.plans import KvType, Layout, LoadMode, Use, Wishes
from engine.types.shapes import OnnxShape

SLACK = 1.05
_FIXED_BYTES = 96 * MIB
"""The library, its arenas and the tokenizer."""
_DIRECTML_BYTES = 300 * MIB
"""What the device holds beside a model; not measured."""
_LOGIT_BYTES = 4
_ACTIVATION_BYTES = 64
"""A token and an element of its width: inputs and outputs of the widest nodes, in float32."""
_COMPUTE_MARGIN = 0.25
_BATCH, _SMALL_BATCH = 128, 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    name: str
    use: Use
    budget_bytes: int

    @property
    def needed_bytes(self) -> int:
        return self.use.total_bytes + int(self.use.compute_bytes * _COMPUTE_MARGIN)

    @property
    def over_bytes(self) -> int:
        return self.needed_bytes - self.budget_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A layout with the pools it takes from."""

    layout: Layout
    device: Device | None
    pools: tuple[Pool, ...]
    possible: bool

    @property
    def worst(self) -> Pool:
        return max(self.pools, key=lambda pool: pool.over_bytes)

    @property
    def fits(self) -> bool:
        return self.possible and self.worst.over_bytes <= 0


def best(report: HardwareReport, shape: OnnxShape, wishes: Wishes) -> Found:
    """The first that fits, else the smallest, on the processor."""
    found = None
    for found in _candidates(report, shape, wishes):
        if found.fits:
            return found
    assert found is not None  # noqa: S101 - there is always the processor
    return found


def _candidates(report: HardwareReport, shape: OnnxShape, wishes: Wishes) -> Iterator[Found]:
    """The graphics device first, and there the longest context."""
    if onnx_backend(report, wishes) == DIRECTML:
        device = directml_device(report)
        room = device_room(report, (device,)) if device else ram_budget(report)
        for length in _lengths(shape, wishes, context.tier(room)):
            yield _on_device(report, shape, wishes, length, device)
    for length in _lengths(shape, wishes, context.processor_tier(ram_budget(report))):
        yield _on_processor(report, shape, wishes, length)


def _lengths(shape: OnnxShape, wishes: Wishes, most: int) -> tuple[int, ...]:
    stated = wishes.context_length
    return (stated,) if stated else context.steps(shape.context_length, most)


def _on_processor(report: HardwareReport, shape: OnnxShape, wishes: Wishes, length: int) -> Found:
    layout = _layout(report, wishes, length)
    use = _use(shape, length, min(layout.ubatch, length), _FIXED_BYTES)
    return _found(shape, wishes, layout, None, (_ram(report, use),))


def _on_device(
    report: HardwareReport, shape: OnnxShape, wishes: Wishes, length: int, device: Device | None
) -> Found:
    """DirectML reads a prompt in one piece. Where the device's memory is the machine's own, or
    not known, all of it is counted there."""
    layout = replace(_layout(report, wishes, length), backends=(DIRECTML,))
    layout = replace(layout, device_layers=(shape.layers,), output_on_device=True)
    use = _use(shape, length, length, _DIRECTML_BYTES)
    passing = _FIXED_BYTES + use.weights_bytes
    if device is None or device.kind is not DeviceKind.GPU:
        use = replace(use, overhead_bytes=use.overhead_bytes + passing)
        return _found(shape, wishes, layout, device, (_ram(report, use),))
    budget = ledger(report, (device,)).device_bytes[0]
    card = Pool(name=device.name, use=use, budget_bytes=budget)
    pools = (_ram(report, Use(overhead_bytes=passing)), card)
    return _found(shape, wishes, layout, device, pools)


def _found(
    shape: OnnxShape,
    wishes: Wishes,
    layout: Layout,
    device: Device | None,
    pools: tuple[Pool, ...],
) -> Found:
    """A longer context than the model's own, or another kind of cache, is refused."""
    longest = shape.context_length or layout.context_length
    possible = layout.context_length <= longest and wishes.kv_type in (None, KvType.F16)
    return Found(layout=layout, device=device, pools=pools, possible=possible)


def _layout(report: HardwareReport, wishes: Wishes, length: int) -> Layout:
    usual = _SMALL_BATCH if wishes.caution else _BATCH
    return Layout(
        context_length=length,
        ubatch=wishes.ubatch or usual,
        threads=threads_for(report.cpu),
        load_mode=LoadMode.NONE,
        repack=False,
    )


# --- memory -------------------------------------------------------------------------------------


def kv_bytes(shape: OnnxShape, length: int) -> int:
    """K and V of every layer, for the whole context."""
    return 2 * shape.layers * shape.kv_heads * shape.head_width * length * shape.kv_element_bytes


def _use(shape: OnnxShape, length: int, batch: int, overhead_bytes: int) -> Use:
    token = shape.vocabulary * _LOGIT_BYTES + shape.width * _ACTIVATION_BYTES
    return Use(
        weights_bytes=int(shape.weights_bytes * SLACK),
        kv_bytes=kv_bytes(shape, length),
        compute_bytes=batch * token,
        overhead_bytes=overhead_bytes,
    )


def _ram(report: HardwareReport, use: Use) -> Pool:
    """None of it is counted as a mapped file: what is, is not told."""
    room = ram_room(report)
    promised = ledger(report).anonymous_bytes
    budget = room if promised is None else min(room, promised)
    return Pool(name=RAM, use=use, budget_bytes=budget)


def file_room(report: HardwareReport, shape: OnnxShape) -> int:
    """About how large a model's files may be to fit on the processor, with a short cache like this
    model's."""
    use = _use(shape, context.PLAIN, _BATCH, _FIXED_BYTES)
    beside = use.total_bytes - use.weights_bytes
    return max(int((ram_room(report) - beside) / SLACK), 0)
