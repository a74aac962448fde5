"""The search for devices: which plug-ins there are, what they find, and whether it can be used.

A search that was vain is remembered, so that a computer without a graphics device starts no child
for it each time; a new driver or plug-in is noticed without one. On the keeper's thread.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256

from engine.backends import plugins
from engine.backends.reports import Findings, complete
from engine.child.spawn import run_role
from engine.errors import Cancelled
from engine.guard.record import Record, Search
from engine.hardware.drivers import installed_drivers
from engine.hardware.probe import BACKENDS, read_report
from engine.keeper.onnx import with_directml
from engine.keeper.trials import Trials, Trust
from engine.planner.backends import select_devices
from engine.types.backends import PROCESSOR, BackendProblem, Plugin
from engine.types.cancel import CancelToken
from engine.types.hardware import HardwareReport
from engine.types.plans import Reason, Wishes

_SURE_AFTER = 2
"""A driver that hangs takes half a minute; so many starts pay that."""
_UNSURE = (BackendProblem.CRASHED, BackendProblem.TIMED_OUT)
_AGAINST = {
    Reason.DEVICE_DENIED: BackendProblem.DENIED,
    Reason.DEVICE_SLOWER: BackendProblem.SLOWER,
}

Read = Callable[[Sequence[str], CancelToken], HardwareReport]


def ask_devices(backends: Sequence[str], cancel: CancelToken) -> HardwareReport:
    return read_report(backends, run_role=partial(run_role, cancel=cancel))


class DeviceSearch:
    """`doubted`: what is known counts no more. `found`: there is a device that plans may use."""

    def __init__(
        self,
        record: Record,
        *,
        find: Callable[[], Sequence[Plugin]] = tuple,
        read: Read = ask_devices,
        trials: Trials | None = None,
        drivers: Callable[[], str] = installed_drivers,
        prove: Callable[[CancelToken], None] = lambda _: None,
    ) -> None:
        """`find` approves the plug-ins and says which are there, also those it did not approve.
        `prove` decides about the processor's own part, before anything runs on it."""
        self._record = record
        self._find = find
        self._read = read
        self._trials = trials or Trials(record)
        self._drivers = drivers
        self._prove = prove
        self._proved = False
        self._installed: tuple[Plugin, ...] | None = None
        self._asks_anyway = False
        self.doubted = False
        self.found = False

    def distrust(self, trust: Trust) -> None:
        """Plug-ins are looked for anew, and devices asked; a vain search counts after sleep."""
        self._installed = None
        self._asks_anyway = trust is Trust.PASSED
        self._trials.distrust(trust)
        self.doubted = True

    def run(self, cancel: CancelToken) -> HardwareReport:
        """What there is, without its speed. Raises `Cancelled`."""
        if not self._proved:
            self._prove(cancel)
            self._proved = True
        if self._installed is None:
            self._installed = tuple(self._find())
        drivers = _short(self._drivers())
        key = _short("\n".join((drivers, *map(str, self._installed))))
        vain = self._record.search(key)
        if vain is None or self._asks_anyway or not _is_sure(vain):
            report = self._asked(drivers, cancel)
            self.found = bool(select_devices(report, Wishes()).devices)
            if not self.found and self._trials.lasting:
                self._record.keep_search(key, _search(report, vain))
        else:
            report, self.found = self._read((), cancel), False
            report = replace(report, devices=vain.devices, backends=vain.backends)
        self.doubted = self._asks_anyway = False
        return with_directml(report)

    def _asked(self, drivers: str, cancel: CancelToken) -> HardwareReport:
        names = tuple(plugin.backend for plugin in plugins.approved())
        report = self._read(names or BACKENDS, cancel)
        if names:
            report = self._with_processor(report, cancel)
        if cancel.cancelled:  # then what was asked is only half an answer
            raise Cancelled
        report = self._trials.judged(report, drivers, cancel)
        findings = Findings(
            approved=plugins.approved(),
            refused=[plugin for plugin in self._installed or () if plugins.problem_of(plugin)],
            against=against(report),
            details=self._trials.details,
        )
        return replace(report, backends=complete(report, findings))

    def _with_processor(self, report: HardwareReport, cancel: CancelToken) -> HardwareReport:
        """Where no child lived long enough to say that the processor's own part works."""
        told = [backend.backend for backend in report.backends]
        if not told or PROCESSOR in told:
            return report
        asked = self._read(BACKENDS, cancel)
        return replace(
            report,
            devices=(*report.devices, *asked.devices),
            backends=(*asked.backends, *report.backends),
        )


def against(report: HardwareReport) -> dict[str, BackendProblem]:
    """Backends whose devices work, and that no plan uses even where there are no others."""
    found = {}
    for backend in {device.backend for device in report.devices}:
        own = tuple(device for device in report.devices if device.backend == backend)
        selection = select_devices(replace(report, devices=own), Wishes())
        reasons = [_AGAINST[reason] for reason in selection.reasons if reason in _AGAINST]
        if reasons and not selection.devices:
            found[backend] = reasons[0]
    return found


def _is_sure(vain: Search) -> bool:
    unsure = any(report.problem in _UNSURE for report in vain.backends)
    return not unsure or vain.tries >= _SURE_AFTER


def _search(report: HardwareReport, before: Search | None) -> Search:
    tries = 1 + (before.tries if before else 0)
    return Search(devices=report.devices, backends=report.backends, tries=tries)


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
