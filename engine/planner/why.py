"""The reasons for a plan, as codes, and the same machine with nothing else running. Pure."""

from collections.abc import Collection
from dataclasses import replace
from math import inf

from engine.planner import context
from engine.planner.backends import Selection
from engine.planner.ladder import Found
from engine.types.hardware import HardwareReport
from engine.types.plans import KvType, Reason, Verdict, Wishes
from engine.types.shapes import ModelShape, Unsure

_IDLE_SHARE = 0.8
"""Of main memory: what a system without other programs leaves."""
_IDLE_DEVICE_SHARE = 0.95


def all_on_device(found: Found) -> bool:
    layout = found.candidate.layout
    return bool(layout.backends) and _in_ram(found) == 0 and not layout.expert_layers_in_ram


def reasons(
    shape: ModelShape,
    wishes: Wishes,
    selection: Selection,
    found: Found,
    verdict: Verdict,
    *,
    also: Collection[Reason],
) -> tuple[Reason, ...]:
    """Without doubles, the most telling first. `also` apply to what is not seen from here."""
    too_big = verdict is Verdict.TOO_BIG
    shorter = _is_shorter(shape, wishes, found)
    said = [
        (Reason.TOO_BIG, too_big),
        *([] if too_big and not wishes.load_anyway else _of_layout(shape, found)),
        (Reason.SMALL_BATCH, Reason.SMALL_BATCH in also and not too_big),
        *_of_devices(selection, found),
        (Reason.CONTEXT_CHOSEN_FOR_MEMORY, shorter and not too_big),
        (Reason.MEMORY_LIMITED, _is_limited(found, shorter=shorter)),
        (Reason.SLOWER_THAN_READING, Reason.SLOWER_THAN_READING in also),
        (Reason.UNSURE, Unsure.ARCHITECTURE in shape.unsure),
        (Reason.DEMOTED, wishes.caution > 0),
        (Reason.LOAD_ANYWAY, wishes.load_anyway),
    ]
    return tuple(dict.fromkeys(reason for reason, applies in said if applies))


def idle(report: HardwareReport) -> HardwareReport:
    """The machine with no other program on it. Limits from outside stay."""
    memory = report.memory
    whole = min(memory.total_bytes, memory.limit_bytes or memory.total_bytes)
    available = max(memory.available_bytes, int(whole * _IDLE_SHARE))
    devices = tuple(
        device
        if device.free_bytes is None or not device.total_bytes
        else replace(
            device,
            free_bytes=max(device.free_bytes, int(device.total_bytes * _IDLE_DEVICE_SHARE)),
            dedicated_used_bytes=0,
        )
        for device in report.devices
    )
    return replace(report, memory=replace(memory, available_bytes=available), devices=devices)


def _of_layout(shape: ModelShape, found: Found) -> list[tuple[Reason, bool]]:
    layout = found.candidate.layout
    return [
        (Reason.ALL_ON_DEVICE, all_on_device(found)),
        (Reason.PARTLY_ON_DEVICE, bool(layout.backends) and _in_ram(found) > 0),
        (Reason.EXPERTS_IN_RAM, layout.expert_layers_in_ram > 0),
        (Reason.SEVERAL_DEVICES, len(layout.backends) > 1),
        (Reason.CONTEXT_AS_TRAINED, layout.context_length == shape.context_length),
        (Reason.CONTEXT_BEYOND_TRAINING, layout.context_length > (shape.context_length or inf)),
        (Reason.KV_QUANTIZED, layout.kv_type is KvType.Q8_0),
        (Reason.NOT_REPACKED, not layout.repack),
    ]


def _of_devices(selection: Selection, found: Found) -> list[tuple[Reason, bool]]:
    used = bool(found.candidate.layout.backends)
    return [
        (Reason.SHARED_MEMORY, used and found.ledger.shared),
        (Reason.DEVICE_TOO_SMALL, bool(selection.devices) and not used),
        *((reason, True) for reason in selection.reasons),
    ]


def _in_ram(found: Found) -> int:
    """Blocks that no device holds."""
    return found.blocks - sum(found.candidate.layout.device_layers)


def _is_shorter(shape: ModelShape, wishes: Wishes, found: Found) -> bool:
    """Than it would be with any amount of memory there. A processor reads slowly: that it gets
    less than a card is no matter of memory."""
    layout = found.candidate.layout
    most = context.wanted(shape.context_length, on_device=bool(layout.backends))
    return wishes.context_length is None and layout.context_length < most


def _is_limited(found: Found, *, shorter: bool) -> bool:
    """Whether a limit on main memory has cost something. What is all on a card takes little."""
    in_ram = found.ledger.shared or not all_on_device(found)
    return found.ledger.limited and (found.miss.ram > 0 or (shorter and in_ram))
