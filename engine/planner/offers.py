"""What would work instead of a model that is too big. Pure.

First the same model with a shorter memory, then the best other model that is known, then how
large a file may be.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf

from engine.planner import context
from engine.planner.backends import Selection
from engine.planner.budgets import MIB, device_room, ledger, ram_room
from engine.planner.estimate.memory import estimate
from engine.planner.settings import choices
from engine.planner.speed import tokens_per_s
from engine.planner.spread import least
from engine.planner.threads import threads_for
from engine.planner.verdict import SPLIT_TOKENS_PER_S
from engine.types.hardware import Device, HardwareReport
from engine.types.plans import (
    READING_TOKENS_PER_S,
    KvType,
    Layout,
    Offer,
    Plan,
    Use,
    Verdict,
    Wishes,
)
from engine.types.shapes import Alternative, AnyShape, ModelShape, Unsure

_MOST_TRIED = 12
"""Of the other models, largest first: an answer must not take long."""
_STEP_BYTES = 100 * MIB
_CACHE_SHARES = {KvType.F16: 0.12, KvType.Q8_0: 0.065}
"""Of the weights: a short context of a plain dense model (llama-3-8b with 4096 tokens)."""
_MOST_CACHE_SHARE = 0.5
_READ_SHARE = 0.8
"""Of what could be read in time: smaller models spend more of it on other things."""
_UNKNOWN_SHARE = 0.8
"""Of the room, for weights of a model that nothing else is known of."""
_GRAPH_MARGIN = 1.25


def shorter(decide: Callable[[Wishes], Plan], shape: ModelShape, wishes: Wishes) -> int | None:
    """The longest context that fits where the stated wishes do not."""
    for changed, lengths in _changed(shape, wishes):
        found = _longest(decide, changed, lengths)
        if found is not None:
            return found
    return None


def _longest(
    decide: Callable[[Wishes], Plan], wishes: Wishes, lengths: Sequence[int]
) -> int | None:
    """By bisection, the shortest first: where it does not fit nothing does."""

    def fits(index: int) -> bool:
        changed = replace(wishes, context_length=lengths[index])
        return decide(changed).verdict is not Verdict.TOO_BIG

    last = len(lengths) - 1
    if not lengths or not fits(last):
        return None
    return lengths[min(least(range(last), fits), last)]


def other(
    decide: Callable[[AnyShape, Wishes], Plan],
    shape: AnyShape,
    denied: frozenset[str],
    alternatives: Sequence[Alternative],
) -> Offer | None:
    """The best other model: the largest that runs well, else the largest that runs."""
    slow: Offer | None = None
    for model in _smaller(shape, alternatives):
        verdict = decide(model.shape, Wishes(denied=denied)).verdict
        offer = Offer(model=model.name, path=model.path, verdict=verdict)
        if verdict is Verdict.FITS:
            return offer
        if verdict is Verdict.FITS_SLOWLY and slow is None:
            slow = offer
    return slow


def file_bytes(report: HardwareReport, shape: ModelShape, selection: Selection) -> int:
    """About how large the file of a dense model may be to run well in place of `shape`: on the
    devices, or in main memory with the processor."""
    ways = [Selection(), *([selection] if selection.devices else [])]
    most = max(_most_bytes(report, shape, way, selection) for way in ways)
    return max(int(most), 0) // _STEP_BYTES * _STEP_BYTES


def _most_bytes(
    report: HardwareReport, shape: ModelShape, way: Selection, selection: Selection
) -> float:
    devices = way.devices
    if Unsure.SIZES_MISSING in shape.unsure or not shape.layers:
        room = device_room(report, devices) if devices else ram_room(report)
        return room * _UNKNOWN_SHARE
    layout = _plain_layout(report, shape, way)
    rate = tokens_per_s(shape, layout, report, devices)
    beside_card = bool(selection.devices) and not selection.shared and not devices
    good = SPLIT_TOKENS_PER_S if beside_card else READING_TOKENS_PER_S
    readable = inf if rate is None else _READ_SHARE * _read_bytes(shape) * rate / good
    return min(_room(report, shape, layout, devices), readable)


def _plain_layout(report: HardwareReport, shape: ModelShape, way: Selection) -> Layout:
    """All of it there, with a short context and no copies: the least beside the weights."""
    setting = choices(report, shape, Wishes(), way).tightest(context.PLAIN)
    count, blocks = len(way.devices), len(shape.layers)
    return Layout(
        context_length=setting.context_length,
        kv_type=setting.kv_type,
        ubatch=setting.ubatch,
        threads=threads_for(report.cpu, all_on_device=count > 0),
        flash_attention=way.flash_attention,
        repack=False,
        backends=tuple(device.backend for device in way.devices),
        device_layers=tuple(
            blocks * (index + 1) // count - blocks * index // count for index in range(count)
        ),
        output_on_device=count > 0,
    )


def _room(
    report: HardwareReport, shape: ModelShape, layout: Layout, devices: Sequence[Device]
) -> float:
    """For weights, each pool counted for itself. On several devices each may miss a block."""
    uses = estimate(shape, layout)
    if not devices:
        return _for_weights(ram_room(report), uses, layout)
    room = ledger(report, devices)
    if room.shared:
        return _for_weights(device_room(report, devices), uses, layout)
    if _beside(uses[:1]) >= room.ram_bytes:
        return 0
    left = sum(
        max(most - _beside((use,)), 0.0)
        for most, use in zip(room.device_bytes, uses[1:], strict=True)
    )
    blocks = len(shape.layers)
    return left * blocks / (blocks + len(devices) - 1) / (1 + _cache_share(uses, layout))


def _for_weights(room_bytes: int, uses: Sequence[Use], layout: Layout) -> float:
    return (room_bytes - _beside(uses)) / (1 + _cache_share(uses, layout))


def _beside(uses: Sequence[Use]) -> float:
    """What is neither weights nor cache."""
    return sum(use.overhead_bytes + use.compute_bytes * _GRAPH_MARGIN for use in uses)


def _cache_share(uses: Sequence[Use], layout: Layout) -> float:
    """Of the weights, as of this model or a plain dense one, whichever has more."""
    weights = max(sum(use.weights_bytes for use in uses), 1)
    share = sum(use.kv_bytes for use in uses) / weights
    return max(min(share, _MOST_CACHE_SHARE), _CACHE_SHARES[layout.kv_type])


def _read_bytes(shape: ModelShape) -> int:
    """What one token reads: of routed experts only those in use, of a dense model all."""
    rows = (shape.output_type_bytes, *(layer.type_bytes for layer in shape.layers))
    return sum(size for row in rows for _, size in row)


def _smaller(shape: AnyShape, alternatives: Sequence[Alternative]) -> list[Alternative]:
    """The largest first."""
    smaller = [m for m in alternatives if 0 < m.shape.weights_bytes < shape.weights_bytes]
    return sorted(smaller, key=lambda m: m.shape.weights_bytes, reverse=True)[:_MOST_TRIED]


def _changed(shape: ModelShape, wishes: Wishes) -> Iterator[tuple[Wishes, tuple[int, ...]]]:
    """Shorter contexts as stated otherwise; then contexts alone, without what else was stated."""
    stated = wishes.context_length
    longest = shape.context_length or context.PLAIN
    shorter = context.below(min(stated or context.LONGEST + 1, longest + 1))
    if stated:
        yield wishes, shorter
    if wishes.kv_type or wishes.ubatch:
        free = replace(wishes, kv_type=None, ubatch=None)
        yield free, (stated, *shorter) if stated else shorter
