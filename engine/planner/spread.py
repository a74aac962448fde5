"""Puts blocks on devices: all of them, all but experts, or as many as go. Pure.

llama.cpp keeps the first blocks in main memory and gives the last ones to the devices, in order.
Every answer is found by bisection over what fits the devices; more memory never gives less.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.planner.backends import Selection
from engine.planner.budgets import Ledger, ledger
from engine.planner.settings import Setting
from engine.planner.threads import threads_for
from engine.planner.weigh import Candidate, Miss, Scales
from engine.types.hardware import Device, DeviceKind, HardwareReport, System
from engine.types.plans import Layout, LoadMode

LEAST_PART = 0.25
"""Of the blocks: with fewer on a card its help is not worth the way there."""


class Spread:
    """Layouts of one model on the selected devices of one machine."""

    def __init__(self, report: HardwareReport, scales: Scales, selection: Selection) -> None:
        self._report = report
        self._scales = scales
        self._selection = selection
        self._blocks = len(scales.shape.layers)
        self._ledgers: dict[tuple[tuple[Device, ...], int], Ledger] = {}
        rooms = ledger(report, selection.devices).device_bytes
        ranked = sorted(
            zip(rooms, selection.devices, strict=True), key=lambda row: row[0], reverse=True
        )
        self._roomiest = tuple(device for _, device in ranked[:1])

    def ledger_of(self, candidate: Candidate) -> Ledger:
        key = (candidate.devices, candidate.layout.threads)
        if key not in self._ledgers:
            self._ledgers[key] = ledger(self._report, *key)
        return self._ledgers[key]

    def miss(self, candidate: Candidate) -> Miss:
        return self._scales.miss(candidate, self.ledger_of(candidate))

    def on_processor(self, setting: Setting) -> Candidate:
        """No device at all."""
        layout = self._layout(setting, ())
        candidate = Candidate(layout=replace(layout, threads=self._threads(whole=False)))
        return self._scales.lean(candidate, self.ledger_of(candidate))

    def whole(self, setting: Setting, experts_in_ram: int = 0) -> Candidate:
        """Every block on the roomiest device if it can hold them, else over all devices. It need
        not fit."""
        alone = self._place(setting, self._roomiest, (self._blocks,), experts_in_ram)
        if len(self._selection.devices) == 1 or self.miss(alone).fits_devices:
            return alone
        return self._over_all(setting, experts_in_ram) or alone

    def with_experts_in_ram(self, setting: Setting) -> Candidate | None:
        """Every block on devices, the experts of as few of them as possible in main memory; None
        where that is not enough."""

        def fits(experts: int) -> bool:
            return self.miss(self.whole(setting, experts)).fits_devices

        if not fits(self._blocks):
            return None
        return self.whole(setting, least(range(1, self._blocks), fits))

    def in_part(self, setting: Setting) -> Candidate | None:
        """As many of the last blocks on devices as they can hold; None where that is too few."""
        devices, counts = self._fill(setting, self._selection.devices, whole=False)
        if sum(counts) < LEAST_PART * self._blocks:
            return None
        return self._place(setting, devices, counts)

    def shortened(self, candidate: Candidate, context_length: int) -> Candidate:
        """The same with a shorter context."""
        layout = replace(candidate.layout, context_length=context_length, repack=True)
        shorter = replace(candidate, layout=layout)
        return self._scales.lean(shorter, self.ledger_of(shorter))

    # --- over several devices --------------------------------------------------------------------

    def _over_all(self, setting: Setting, experts_in_ram: int) -> Candidate | None:
        devices, counts = self._fill(
            setting, self._selection.devices, whole=True, experts_in_ram=experts_in_ram
        )
        if sum(counts) < self._blocks:
            return None
        even = self._evenly(devices)
        balanced = self._place(setting, devices, even, experts_in_ram)
        if min(even) > 0 and self.miss(balanced).fits_devices:
            return balanced
        return self._place(setting, devices, counts, experts_in_ram)

    def _evenly(self, devices: Sequence[Device]) -> tuple[int, ...]:
        """Blocks by the room that each device has."""
        rooms = ledger(self._report, devices).device_bytes
        whole, given, passed = max(sum(rooms), 1), 0, 0
        counts = []
        for room in rooms:
            passed += room
            upto = round(self._blocks * passed / whole)
            counts.append(upto - given)
            given = upto
        return tuple(counts)

    def _fill(
        self, setting: Setting, devices: tuple[Device, ...], *, whole: bool, experts_in_ram: int = 0
    ) -> tuple[tuple[Device, ...], tuple[int, ...]]:
        """From the last block and the last device on, as many as each can hold. A device that can
        hold none is left out."""
        behind: tuple[int, ...] = ()
        for index in reversed(range(len(devices))):
            left = self._blocks - sum(behind)

            def fits(
                count: int, index: int = index, left: int = left, behind: tuple[int, ...] = behind
            ) -> bool:
                ahead = [0] * index
                if whole and index:
                    ahead[0] = left - count
                counts = (*ahead, count, *behind)
                candidate = self._place(setting, devices, counts, experts_in_ram)
                return self.miss(candidate).devices[index] <= 0

            count = most(range(1, left + 1), fits)
            if not count:
                rest = devices[:index] + devices[index + 1 :]
                return self._again(setting, rest, whole=whole, experts_in_ram=experts_in_ram)
            behind = (count, *behind)
        return devices, behind

    def _again(
        self, setting: Setting, devices: tuple[Device, ...], *, whole: bool, experts_in_ram: int
    ) -> tuple[tuple[Device, ...], tuple[int, ...]]:
        if not devices:
            return (), ()
        return self._fill(setting, devices, whole=whole, experts_in_ram=experts_in_ram)

    # --- layouts ---------------------------------------------------------------------------------

    def _place(
        self,
        setting: Setting,
        devices: tuple[Device, ...],
        counts: tuple[int, ...],
        experts_in_ram: int = 0,
    ) -> Candidate:
        whole = sum(counts) == self._blocks and not experts_in_ram
        layout = replace(
            self._layout(setting, devices),
            threads=self._threads(whole=whole),
            load_mode=self._load_mode(devices, whole=whole),
            flash_attention=self._selection.flash_attention,
            device_layers=counts,
            output_on_device=True,
            expert_layers_in_ram=experts_in_ram,
        )
        candidate = Candidate(layout=layout, devices=devices)
        return candidate if whole else self._scales.lean(candidate, self.ledger_of(candidate))

    def _layout(self, setting: Setting, devices: Iterable[Device]) -> Layout:
        return Layout(
            context_length=setting.context_length,
            kv_type=setting.kv_type,
            ubatch=setting.ubatch,
            backends=tuple(device.backend for device in devices),
        )

    def _threads(self, *, whole: bool) -> int:
        return threads_for(self._report.cpu, all_on_device=whole)

    def _load_mode(self, devices: Iterable[Device], *, whole: bool) -> LoadMode:
        """Mapping is best where the device takes it. Integrated Vulkan devices do not, and on
        Windows a mapped file stays in the working set although a card has it all."""
        devices = tuple(devices)
        integrated = any(
            device.backend == "vulkan" and device.kind is not DeviceKind.GPU for device in devices
        )
        if integrated or not all(device.supports_mmap for device in devices):
            return LoadMode.NONE
        card = all(device.kind is DeviceKind.GPU for device in devices)
        if whole and card and self._report.system is System.WINDOWS:
            return LoadMode.NONE
        return LoadMode.MMAP


def most(counts: range, fits: Callable[[int], bool]) -> int:
    """The largest of rising `counts` that fits, where less always fits too; 0 if none does."""
    low, high = 0, len(counts)
    if counts and fits(counts[-1]):
        return counts[-1]
    while low < high:
        middle = (low + high) // 2
        if fits(counts[middle]):
            low = middle + 1
        else:
            high = middle
    return counts[low - 1] if low else 0


def least(counts: range, fits: Callable[[int], bool]) -> int:
    """The smallest of rising `counts` that fits, where more always fits too; `stop` if none."""
    low, high = 0, len(counts)
    while low < high:
        middle = (low + high) // 2
        if fits(counts[middle]):
            high = middle
        else:
            low = middle + 1
    return counts[low] if low < len(counts) else counts.stop
