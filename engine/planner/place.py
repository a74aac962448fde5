"""Decides how a model runs on a machine. Pure: no clock, no input or output, no state.

Nothing is ever loaded without a plan from here, and no plan takes more of a pool than its budget.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine.planner import context, offers, why
from engine.planner.backends import Selection, select_devices
from engine.planner.budgets import RAM, after_freeing, device_room, ram_room
from engine.planner.estimate.repacking import for_processor
from engine.planner.ladder import Ladder
from engine.planner.onnx import decide_onnx, plan_onnx
from engine.planner.settings import choices, usual_batch
from engine.planner.speed import tokens_per_s
from engine.planner.threads import threads_for
from engine.planner.verdict import is_slow, verdict_of
from engine.planner.weigh import Known
from engine.types.hardware import HardwareReport
from engine.types.plans import Layout, Offer, Plan, PoolUse, Reason, Use, Verdict, Wishes
from engine.types.shapes import Alternative, AnyShape, ModelShape, OnnxShape, Unsure


def plan(
    report: HardwareReport,
    shape: AnyShape,
    wishes: Wishes,
    alternatives: Sequence[Alternative] = (),
) -> Plan:
    """The best way to run `shape` on the machine of `report` as wished, or what it would have
    taken and what would work instead. `wishes.freed` counts as free."""
    machine = after_freeing(report, wishes.freed)
    decide_other = partial(_decide_any, machine)
    if isinstance(shape, OnnxShape):
        return plan_onnx(report, shape, wishes, alternatives, decide_other)
    known: Known = {}
    made = decide(machine, shape, wishes, known)
    if made.verdict is not Verdict.TOO_BIG:
        return made
    selection = select_devices(machine, wishes)
    reasons = made.reasons
    if _lacks_memory(made) and _fits_idle(machine, shape, wishes, known):
        reasons = (*reasons, Reason.MEMORY_LOW_NOW)
    if _shorter_may_help(machine, shape, wishes, made, selection):
        way = partial(_with, machine, shape, known)
        shorter = offers.shorter(way, shape, wishes)
        if shorter is not None:
            return replace(made, reasons=reasons, offer=Offer(context_length=shorter))
    other = offers.other(decide_other, shape, wishes.denied, alternatives)
    file_bytes = offers.file_bytes(machine, shape, selection)
    return replace(made, reasons=reasons, offer=replace(other or Offer(), file_bytes=file_bytes))


def _decide_any(report: HardwareReport, shape: AnyShape, wishes: Wishes) -> Plan:
    if isinstance(shape, OnnxShape):
        return decide_onnx(report, shape, wishes)
    return decide(report, shape, wishes)


def _with(report: HardwareReport, shape: ModelShape, known: Known, wishes: Wishes) -> Plan:
    return decide(report, shape, wishes, known)


def _lacks_memory(made: Plan) -> bool:
    return made.needed_bytes > made.free_bytes


def _fits_idle(report: HardwareReport, shape: ModelShape, wishes: Wishes, known: Known) -> bool:
    return decide(why.idle(report), shape, wishes, known).verdict is not Verdict.TOO_BIG


def _shorter_may_help(
    report: HardwareReport, shape: ModelShape, wishes: Wishes, made: Plan, selection: Selection
) -> bool:
    """What is only too slow gets faster with a shorter context where all of it may then go to
    the cards; a cache that llama.cpp refuses may be replaced."""
    if _lacks_memory(made) or wishes.kv_type is not None:
        return True
    return wishes.context_length is not None and (
        shape.weights_bytes <= device_room(report, selection.devices)
    )


def decide(
    report: HardwareReport, shape: ModelShape, wishes: Wishes, known: Known | None = None
) -> Plan:
    """The plan without an offer. `wishes.freed` is free already; `known` are earlier estimates."""
    if Unsure.SIZES_MISSING in shape.unsure:
        return _unknown(report, shape, wishes)
    shape = for_processor(shape, report.cpu)
    selection = select_devices(report, wishes)
    ladder = Ladder(report, shape, wishes, selection, known)
    found = ladder.best()
    layout, devices = found.candidate.layout, found.candidate.devices
    predicted = tokens_per_s(shape, layout, report, devices)
    rate = wishes.tokens_per_s or predicted
    verdict = verdict_of(found, predicted, rate, selection)
    usual = usual_batch(report, selection if devices else Selection())
    return Plan(
        verdict=verdict,
        backend=devices[0].backend if devices else "cpu",
        devices=tuple(device.name for device in devices),
        layout=layout,
        gpu_layers=sum(layout.device_layers) + layout.output_on_device,
        layers=len(shape.layers) + 1,
        memory=ladder.memory(found),
        predicted_tokens_per_s=rate,
        reasons=why.reasons(
            shape,
            wishes,
            selection,
            found,
            verdict,
            also=(
                *([Reason.SLOWER_THAN_READING] if is_slow(rate) else []),
                *([Reason.SMALL_BATCH] if layout.ubatch < usual else []),
            ),
        ),
        needed_bytes=found.miss.needed_bytes,
        free_bytes=found.miss.free_bytes,
        drivers=tuple(f"{device.name} {device.id} {device.driver}" for device in devices),
        trained_length=shape.context_length,
    )


def _unknown(report: HardwareReport, shape: ModelShape, wishes: Wishes) -> Plan:
    """A model whose sizes are not known: a careful layout, to be tried in a rehearsal. Weights
    are known; where they alone are too many, that is certain."""
    setting = choices(report, shape, wishes, Selection()).tightest(
        wishes.context_length or min(shape.context_length or context.PLAIN, context.PLAIN)
    )
    budget = ram_room(report)
    known = shape.weights_bytes <= budget
    reasons = [Reason.NOT_ESTIMATED, *([] if known else [Reason.TOO_BIG])]
    return Plan(
        verdict=Verdict.UNKNOWN if known else Verdict.TOO_BIG,
        backend="cpu",
        devices=(),
        layout=Layout(
            context_length=setting.context_length,
            kv_type=setting.kv_type,
            ubatch=setting.ubatch,
            threads=threads_for(report.cpu),
            repack=False,
        ),
        gpu_layers=0,
        layers=len(shape.layers) + 1,
        memory=(
            PoolUse(pool=RAM, use=Use(weights_bytes=shape.weights_bytes), budget_bytes=budget),
        ),
        predicted_tokens_per_s=None,
        reasons=(*reasons, *([Reason.LOAD_ANYWAY] if wishes.load_anyway else [])),
        needed_bytes=shape.weights_bytes,
        free_bytes=budget,
        trained_length=shape.context_length,
    )
