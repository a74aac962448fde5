"""Decides how a model folder of ONNX Runtime GenAI runs on a machine. Pure; see `place`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.planner import context, offers, why
from engine.planner.backends import select_devices
from engine.planner.bandwidths import (
    device_bytes_per_s,
    measured_bytes_per_s,
    processor_bytes_per_s,
)
from engine.planner.budgets import MIB, RAM, after_freeing
from engine.planner.onnx_backends import DIRECTML, directml_device, onnx_backend
from engine.planner.onnx_layouts import Found, best, file_room, kv_bytes
from engine.planner.verdict import LEAST_TOKENS_PER_S, is_slow
from engine.types.backends import PROCESSOR
from engine.types.hardware import Device, HardwareReport
from engine.types.plans import Offer, Plan, PoolUse, Reason, Verdict, Wishes
from engine.types.shapes import Alternative, AnyShape, OnnxShape, Unsure

_TYPICAL_TOKENS = 1024
_DIRECTML_SHARE = 0.5
"""Of a card's bandwidth; not measured."""
_UNKNOWN_BYTES_PER_S = 38e9
_STEP_BYTES = 100 * MIB

Decide = Callable[[AnyShape, Wishes], Plan]


def plan_onnx(
    report: HardwareReport,
    shape: OnnxShape,
    wishes: Wishes,
    alternatives: Sequence[Alternative],
    decide_other: Decide,
) -> Plan:
    """See `place.plan`; `decide_other` plans another model, of whatever kind."""
    machine = after_freeing(report, wishes.freed)
    made = decide_onnx(machine, shape, wishes)
    if made.verdict is not Verdict.TOO_BIG:
        return made
    lacks = made.needed_bytes > made.free_bytes
    if lacks and decide_onnx(why.idle(machine), shape, wishes).verdict is not Verdict.TOO_BIG:
        made = replace(made, reasons=(*made.reasons, Reason.MEMORY_LOW_NOW))
    shorter = _shorter(machine, shape, wishes)
    if shorter is not None:
        return replace(made, offer=Offer(context_length=shorter))
    other = offers.other(decide_other, shape, wishes.denied, alternatives)
    offer = replace(other or Offer(), file_bytes=_file_bytes(machine, shape))
    return replace(made, offer=offer)


def decide_onnx(report: HardwareReport, shape: OnnxShape, wishes: Wishes) -> Plan:
    """The plan without an offer. `wishes.freed` is free already."""
    known = Unsure.SIZES_MISSING not in shape.unsure
    found = best(report, shape, wishes)
    predicted = _tokens_per_s(report, shape, found) if known else None
    rate = wishes.tokens_per_s or predicted
    verdict = _verdict(found, predicted, rate, known=known)
    device = _device_name(found)
    return Plan(
        verdict=verdict,
        backend=next(iter(found.layout.backends), PROCESSOR),
        devices=(device,) if device else (),
        layout=found.layout,
        gpu_layers=shape.layers + 1 if device else 0,
        layers=shape.layers + 1,
        memory=tuple(
            PoolUse(pool=pool.name, use=pool.use, budget_bytes=pool.budget_bytes)
            for pool in found.pools
        ),
        predicted_tokens_per_s=rate,
        reasons=tuple(_reasons(report, shape, wishes, found, verdict, slow=is_slow(rate))),
        needed_bytes=found.worst.needed_bytes,
        free_bytes=found.worst.budget_bytes,
        drivers=(_driver(found.device),) if device else (),
        trained_length=shape.context_length,
    )


# --- verdict and reasons ------------------------------------------------------------------------


def _tokens_per_s(report: HardwareReport, shape: OnnxShape, found: Found) -> float | None:
    """What one token reads, over what is read a second."""
    typical = min(_TYPICAL_TOKENS, found.layout.context_length // 2)
    read = shape.weights_bytes + kv_bytes(shape, typical)
    return _bytes_per_s(report, found) / read if read else None


def _bytes_per_s(report: HardwareReport, found: Found) -> float:
    if found.layout.backends:
        device = found.device
        return _DIRECTML_SHARE * (device_bytes_per_s(device) if device else _UNKNOWN_BYTES_PER_S)
    measured = measured_bytes_per_s(report.speed) if report.speed else 0.0
    return measured or processor_bytes_per_s(report.cpu, found.layout.threads)


def _verdict(found: Found, predicted: float | None, rate: float | None, *, known: bool) -> Verdict:
    if not found.fits or (predicted is not None and predicted < LEAST_TOKENS_PER_S):
        return Verdict.TOO_BIG
    if not known:
        return Verdict.UNKNOWN
    return Verdict.FITS_SLOWLY if is_slow(rate) else Verdict.FITS


def _reasons(
    report: HardwareReport,
    shape: OnnxShape,
    wishes: Wishes,
    found: Found,
    verdict: Verdict,
    *,
    slow: bool,
) -> Iterator[Reason]:
    """Without doubles, the most telling first."""
    on_device = bool(found.layout.backends)
    length = found.layout.context_length
    wanted = context.wanted(shape.context_length, on_device=on_device)
    device = directml_device(report)
    others = () if on_device else select_devices(report, wishes).reasons
    shorter = wishes.context_length is None and length < wanted
    too_big = verdict is Verdict.TOO_BIG
    said = [
        (Reason.TOO_BIG, too_big),
        (Reason.NOT_ESTIMATED, Unsure.SIZES_MISSING in shape.unsure),
        (Reason.ALL_ON_DEVICE, on_device),
        (Reason.SHARED_MEMORY, on_device and bool(device) and found.pools[-1].name == RAM),
        (
            Reason.DEVICE_TOO_SMALL,
            not on_device and onnx_backend(report, wishes) == DIRECTML,
        ),
        *((reason, True) for reason in others),
        (Reason.CONTEXT_AS_TRAINED, length == shape.context_length),
        (Reason.CONTEXT_CHOSEN_FOR_MEMORY, shorter and not too_big),
        (Reason.SLOWER_THAN_READING, slow),
        (Reason.DEMOTED, wishes.caution > 0),
        (Reason.LOAD_ANYWAY, wishes.load_anyway),
    ]
    yield from dict.fromkeys(reason for reason, applies in said if applies)


def _device_name(found: Found) -> str:
    """Empty for the processor."""
    if not found.layout.backends:
        return ""
    return found.device.name if found.device else DIRECTML


def _driver(device: Device | None) -> str:
    return f"{DIRECTML} {device.id} {device.driver}" if device else DIRECTML


# --- offers -------------------------------------------------------------------------------------


def _shorter(report: HardwareReport, shape: OnnxShape, wishes: Wishes) -> int | None:
    """The longest context that fits where the stated one does not."""
    stated = wishes.context_length
    if stated is None:
        return None
    trained = shape.context_length
    lengths = (*([trained] if trained and trained < stated else []), *context.below(stated))
    for length in lengths:
        shorter = replace(wishes, context_length=length)
        if decide_onnx(report, shape, shorter).verdict is not Verdict.TOO_BIG:
            return length
    return None


def _file_bytes(report: HardwareReport, shape: OnnxShape) -> int:
    return file_room(report, shape) // _STEP_BYTES * _STEP_BYTES
