"""Holds candidates against a ledger: what each takes, and by how much it misses. Pure.

Estimates are remembered, since searches come back to the same layout. Safety margins are here
and in the reserves; what is reported is the estimate itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.planner.budgets import RAM, Ledger
from engine.planner.estimate.memory import estimate
from engine.planner.estimate.overhead import with_projector
from engine.types.hardware import Device
from engine.types.plans import Correction, Layout, LoadMode, Measured, PoolUse, Use
from engine.types.shapes import ModelShape, Unsure

_COMPUTE_MARGIN = 0.10
_UNSURE_MARGIN = 0.25
_MOST_REPACKED_SHARE = 0.5
"""Of the budget: a second copy of more weights than that leaves too little for anything else."""

Known = dict[Layout, tuple[Use, ...]]
"""Estimates of one model that were made before. Several searches may share one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A layout and the devices it runs on."""

    layout: Layout
    devices: tuple[Device, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """How far a candidate is over its budgets, in bytes; at most 0 is not at all. `needed_bytes`
    and `free_bytes` are of the pool that does not suffice, else in all."""

    ram: int
    devices: tuple[int, ...]
    needed_bytes: int
    free_bytes: int

    @property
    def worst(self) -> int:
        return max(self.ram, *self.devices, 0)

    @property
    def fits(self) -> bool:
        return self.worst <= 0

    @property
    def fits_devices(self) -> bool:
        return max(self.devices, default=0) <= 0


class Scales:
    """Weighs layouts of one model. Measured buffers replace the estimate of an equal layout."""

    def __init__(
        self,
        shape: ModelShape,
        corrections: Sequence[Correction] = (),
        known: Known | None = None,
        projector_bytes: int = 0,
    ) -> None:
        self.shape = shape
        self._projector_bytes = projector_bytes
        unsure = Unsure.ARCHITECTURE in shape.unsure
        self._margin = _UNSURE_MARGIN if unsure else _COMPUTE_MARGIN
        self._measured = {item.layout: item.measured for item in corrections}
        self._repackable = any(
            layer.repack_bytes or layer.expert_repack_bytes for layer in shape.layers
        ) or bool(shape.output_repack_bytes)
        self._known: Known = {} if known is None else known

    def uses(self, candidate: Candidate) -> tuple[Use, ...]:
        """Main memory first, then one use a device."""
        layout = candidate.layout
        if layout not in self._known:
            self._known[layout] = with_projector(
                estimate(self.shape, layout), self._projector_bytes
            )
        uses = self._known[layout]
        measured = self._measured.get(layout)
        if measured is None:
            return uses
        names = (RAM, *(device.name for device in candidate.devices))
        return tuple(_corrected(use, name, measured) for name, use in zip(names, uses, strict=True))

    def miss(self, candidate: Candidate, ledger: Ledger) -> Miss:
        """How far over the ledger this is, margins included."""
        uses = self.uses(candidate)
        needs = [self._need(use) for use in uses]
        lent = max(sum(needs[1:]) - ledger.apart_bytes, 0) if ledger.shared else 0
        budget = ram_limit(uses, candidate.layout, ledger)
        over_ram = needs[0] + lent - budget
        over = tuple(need - most for need, most in zip(needs[1:], ledger.device_bytes, strict=True))
        rows = [(over_ram, needs[0] + lent, budget)]
        if ledger.shared:
            rows[0] = (over_ram, sum(needs), budget + ledger.apart_bytes)
        rows += zip(over, needs[1:], ledger.device_bytes, strict=True)
        worst, needed, free = max(rows, key=lambda row: row[0])
        if worst <= 0 and not ledger.shared:
            needed, free = sum(needs), budget + sum(ledger.device_bytes)
        elif worst <= 0:
            _, needed, free = rows[0]
        return Miss(ram=over_ram, devices=over, needed_bytes=needed, free_bytes=free)

    def fits(self, candidate: Candidate, ledger: Ledger) -> bool:
        return self.miss(candidate, ledger).fits

    def lean(self, candidate: Candidate, ledger: Ledger) -> Candidate:
        """Without repacked copies where they would take too much of main memory."""
        weights = self.uses(candidate)[0].weights_bytes
        roomy = weights <= ledger.ram_bytes * _MOST_REPACKED_SHARE
        if not (self._repackable and candidate.layout.repack) or (
            roomy and self.miss(candidate, ledger).ram <= 0
        ):
            return candidate
        return replace(candidate, layout=replace(candidate.layout, repack=False))

    def memory(self, candidate: Candidate, ledger: Ledger) -> tuple[PoolUse, ...]:
        """What the candidate takes of each pool and may take. Of a shared pool each sees what the
        other one leaves."""
        uses = self.uses(candidate)
        budgets = [ram_limit(uses, candidate.layout, ledger), *ledger.device_bytes]
        if ledger.shared:
            lent = max(sum(use.total_bytes for use in uses[1:]) - ledger.apart_bytes, 0)
            left = max(budgets[0] - uses[0].total_bytes, 0) + ledger.apart_bytes
            budgets = [max(budgets[0] - lent, 0), *(min(most, left) for most in budgets[1:])]
        names = (RAM, *(device.name for device in candidate.devices))
        return tuple(
            PoolUse(pool=name, use=use, budget_bytes=budget)
            for name, use, budget in zip(names, uses, budgets, strict=True)
        )

    def _need(self, use: Use) -> int:
        return use.total_bytes + int(use.compute_bytes * self._margin)


def ram_limit(uses: Sequence[Use], layout: Layout, ledger: Ledger) -> int:
    """The bound on main memory for this layout: mapped weights need no promise of memory, but
    they do need addresses, those on a device too."""
    mapped = layout.load_mode is LoadMode.MMAP
    limit = ledger.ram_bytes
    if ledger.anonymous_bytes is not None:
        limit = min(limit, ledger.anonymous_bytes + (uses[0].weights_bytes if mapped else 0))
    if ledger.address_bytes is not None:
        elsewhere = sum(use.weights_bytes for use in uses[1:]) if mapped else 0
        limit = min(limit, max(ledger.address_bytes - elsewhere, 0))
    return limit


def _corrected(use: Use, name: str, measured: Measured) -> Use:
    """A measured overhead may lower the estimate by half at most: what a short rehearsal did not
    touch may still come."""
    overhead = dict(measured.overhead_bytes).get(name, use.overhead_bytes)
    return replace(
        use,
        kv_bytes=dict(measured.kv_bytes).get(name, use.kv_bytes),
        compute_bytes=dict(measured.compute_bytes).get(name, use.compute_bytes),
        overhead_bytes=max(overhead, use.overhead_bytes // 2),
    )
