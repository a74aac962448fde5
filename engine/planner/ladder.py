"""Candidate layouts in order of preference (engine.md §4.3); the first that fits is the plan.

Pure. No step has a longer context or more layers on devices than the one before it, and what fits
a budget fits a larger one: so less memory never gives a larger plan. That is why a context goes
down to 4096 before blocks leave a card, where §4.3 would stop at 8192.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from engine.planner import context
from engine.planner.backends import Selection
from engine.planner.budgets import Ledger, device_room, ledger, ram_budget
from engine.planner.settings import can_quantize, choices
from engine.planner.spread import Spread
from engine.planner.weigh import Candidate, Known, Miss, Scales
from engine.types.hardware import HardwareReport
from engine.types.plans import KvType, PoolUse, Wishes
from engine.types.shapes import ModelShape

_Steps = Generator["Found", None, tuple[int, ...]]
"""Candidates, and at the end the contexts that are left for the processor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A candidate held against its ledger. `possible` is False where llama.cpp would refuse it
    whatever the memory."""

    candidate: Candidate
    ledger: Ledger
    miss: Miss
    blocks: int
    possible: bool = True

    @property
    def fits(self) -> bool:
        return self.possible and self.miss.fits


class Ladder:
    """One search: one model, one machine, one selection of devices."""

    def __init__(
        self,
        report: HardwareReport,
        shape: ModelShape,
        wishes: Wishes,
        selection: Selection,
        known: Known | None = None,
    ) -> None:
        self._report = report
        self._shape = shape
        self._wishes = wishes
        self._devices = selection if shape.layers else Selection()
        self._scales = Scales(shape, wishes.corrections, known, wishes.projector_bytes)
        self._spread = Spread(report, self._scales, self._devices)
        self._on_devices = choices(report, shape, wishes, self._devices)
        self._on_processor = choices(report, shape, wishes, Selection())

    def best(self) -> Found:
        """The first step that fits, else the smallest, which can be tried all the same."""
        steps = () if self._hopeless() else self._steps()
        return next((found for found in steps if found.fits), None) or self._smallest()

    def memory(self, found: Found) -> tuple[PoolUse, ...]:
        return self._scales.memory(found.candidate, found.ledger)

    # --- the steps -------------------------------------------------------------------------------

    def _steps(self) -> Iterator[Found]:
        longest = context.processor_tier(ram_budget(self._report))
        lengths = self._lengths(longest)
        if self._devices.devices:
            lengths = yield from self._device_steps()
        for length in lengths:
            for setting in self._on_processor.settings(length):
                yield self._found(self._spread.on_processor(setting))

    def _device_steps(self) -> _Steps:
        """Returns the contexts that are left for the processor."""
        lengths = self._lengths(context.tier(device_room(self._report, self._devices.devices)))
        usual = tuple(length for length in lengths if length >= context.PLAIN) or lengths[:1]
        short = lengths[len(usual) :]
        for length in usual:
            yield from self._whole(length)
            if length <= context.LEAST_ROOMY or length == usual[-1]:
                yield from self._with_experts_in_ram(length)
        if self._devices.shared:
            return (yield from self._shared_steps(usual[-1], short))
        return (yield from self._part_steps(usual[-1], short))

    def _shared_steps(self, usual: int, short: tuple[int, ...]) -> _Steps:
        """A part in main memory saves none here. Only where the device itself is too small does
        the processor do better."""
        miss = self._spread.miss(self._spread.whole(self._on_devices.tightest(usual)))
        if not miss.fits_devices and miss.ram <= 0:
            return (usual, *short)
        if not miss.fits_devices:
            return short[-1:] or (usual,)  # a smaller device must not give a longer context
        for length in short:
            yield from self._whole(length)
        return short[-1:] or (usual,)

    def _part_steps(self, usual: int, short: tuple[int, ...]) -> _Steps:
        """As many blocks as go at the usual length; shorter contexts then save main memory."""
        part = self._spread.in_part(self._on_devices.tightest(usual))
        if part is None:
            return (usual, *short)
        yield self._found(part)
        for length in short:
            yield self._found(self._spread.shortened(part, length))
        return short[-1:] or (usual,)

    def _whole(self, length: int) -> Iterator[Found]:
        if self._outweighs_devices():
            return
        for setting in self._on_devices.settings(length):
            yield self._found(self._spread.whole(setting))

    def _with_experts_in_ram(self, length: int) -> Iterator[Found]:
        if self._devices.shared or not any(layer.experts for layer in self._shape.layers):
            return
        for setting in self._on_devices.frugal(length):
            candidate = self._spread.with_experts_in_ram(setting)
            if candidate is not None:
                yield self._found(candidate)

    # --- pieces ----------------------------------------------------------------------------------

    def _lengths(self, most: int) -> tuple[int, ...]:
        stated = self._wishes.context_length
        return (stated,) if stated else context.steps(self._shape.context_length, most)

    def _hopeless(self) -> bool:
        """Whether the weights alone are more than all memory together."""
        room = ledger(self._report, self._devices.devices)
        apart = room.apart_bytes if room.shared else sum(room.device_bytes)
        most = max(room.ram_bytes + apart, ram_budget(self._report))
        return self._shape.weights_bytes > most

    def _outweighs_devices(self) -> bool:
        """Whether the blocks alone are more than the devices hold: no context changes that."""
        room = sum(ledger(self._report, self._devices.devices).device_bytes)
        return sum(layer.weights_bytes for layer in self._shape.layers) > room

    def _smallest(self) -> Found:
        """On the processor, which can be tried although it is too big; or to tell by how much it
        is, on a device with shared memory if that misses by less (Metal may always use more)."""
        length = self._lengths(context.LEAST)[-1]
        found = self._found(self._spread.on_processor(self._on_processor.tightest(length)))
        if not self._devices.shared or self._wishes.load_anyway:
            return found
        whole = self._found(self._spread.whole(self._on_devices.tightest(length)))
        metal = self._devices.backend == "metal"
        return whole if metal or whole.miss.worst <= found.miss.worst else found

    def _found(self, candidate: Candidate) -> Found:
        layout = candidate.layout
        quantized = layout.kv_type is KvType.Q8_0
        return Found(
            candidate=candidate,
            ledger=self._spread.ledger_of(candidate),
            miss=self._spread.miss(candidate),
            blocks=len(self._shape.layers),
            possible=not quantized or can_quantize(self._shape, layout.flash_attention),
        )
