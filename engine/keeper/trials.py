"""Every device that a plan may use proves itself once for each driver and build of the engine.

On the keeper's thread; the tests run in children. What has failed is a device with a problem, and
the planner passes it over like any other.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Protocol

from engine.backends import plugins
from engine.backends.fallbacks import settings_to_try
from engine.backends.trying import try_device, with_settings
from engine.child.spawn import run_role
from engine.guard.record import Record
from engine.planner.backends import Selection, select_devices
from engine.types.backends import DeviceTrial, Outcome, Plugin, Settings
from engine.types.cancel import CancelToken
from engine.types.hardware import Device, DeviceProblem, HardwareReport
from engine.types.plans import FlashAttention, Wishes

log = logging.getLogger("snug.keeper")

_PROBLEMS = {
    Outcome.CRASHED: DeviceProblem.PROBE_CRASHED,
    Outcome.TIMED_OUT: DeviceProblem.PROBE_TIMED_OUT,
    Outcome.WRONG_ANSWER: DeviceProblem.WRONG_ANSWER,
}
_NOT_TRIED = DeviceTrial(outcome=Outcome.CRASHED, detail="memory did not suffice for a try")


class Trust(Enum):
    """Which remembered trials count."""

    ALL = "all"
    PASSED = "passed"
    """A person asks: what failed may try again."""
    NONE = "none"
    """The computer has slept: who fails now may be well after the next start."""


class TryDevice(Protocol):
    """See `trying.try_device`. Raises `Cancelled`."""

    def __call__(
        self,
        device: Device,
        flash_attention: FlashAttention,
        ladder: Sequence[Settings],
        cancel: CancelToken,
    ) -> DeviceTrial | None: ...


def try_in_child(
    device: Device,
    flash_attention: FlashAttention,
    ladder: Sequence[Settings],
    cancel: CancelToken,
) -> DeviceTrial | None:
    """With the plug-ins that are approved now."""

    def ask(
        role: str, argument: Mapping[str, object], *, timeout_s: float, approved: Sequence[Plugin]
    ) -> object:
        return run_role(role, argument, timeout_s=timeout_s, approved=approved, cancel=cancel)

    return try_device(device, flash_attention, ladder, run_role=ask, approved=plugins.approved())


def approve_settings(backend: str, settings: Settings) -> None:
    """Before anything loads the plug-in in this process; what it was loaded with, it keeps."""
    plugins.approve(with_settings(plugins.approved(), backend, settings))


class Trials:
    """What devices have proved, in this process and before it."""

    def __init__(
        self,
        record: Record,
        *,
        try_device: TryDevice = try_in_child,
        approve: Callable[[str, Settings], None] = approve_settings,
    ) -> None:
        self._record = record
        self._try = try_device
        self._approve = approve
        self._known: dict[str, DeviceTrial] = {}
        self._details: dict[str, str] = {}
        self._trust = Trust.ALL
        self.lasting = True
        """Whether the next start would find the same."""

    @property
    def details(self) -> Mapping[str, str]:
        """By backend: the last words of a device that failed, or the settings one needs."""
        return self._details

    def distrust(self, trust: Trust) -> None:
        """Of what was found only that counts from now on, until it is tried anew."""
        self._trust = trust
        self.lasting = trust is not Trust.NONE
        self._known, self._details = {}, {}

    def judged(self, report: HardwareReport, drivers: str, cancel: CancelToken) -> HardwareReport:
        """`report` with a problem for each device that failed. Every one is tried that a plan may
        come to, also if only after another backend has failed. `drivers` is a text that changes
        when a driver does. Raises `Cancelled`."""
        denied: frozenset[str] = frozenset()
        while (found := select_devices(report, Wishes(denied=denied))).devices:
            problems = self._problems(found, drivers, cancel)
            report = _with_problems(report, problems)
            if not problems:
                denied |= {found.backend}
        self._trust = Trust.ALL
        return report

    def _problems(
        self, found: Selection, drivers: str, cancel: CancelToken
    ) -> dict[Device, DeviceProblem]:
        trials = {
            device: self._trial(device, found.flash_attention, drivers, cancel)
            for device in found.devices
        }
        return {
            device: _PROBLEMS[trial.outcome] for device, trial in trials.items() if not trial.passed
        }

    def _trial(
        self, device: Device, flash_attention: FlashAttention, drivers: str, cancel: CancelToken
    ) -> DeviceTrial:
        key = f"{device.backend}|{device.description}|{device.id}|{device.driver}|{drivers}"
        if key in self._known:
            return self._known[key]
        remembered = self._record.trial(key)
        trial = remembered if remembered and self._trusts(remembered) else None
        if trial is None:
            trial = self._tried(device, flash_attention, remembered, cancel)
            self.lasting = self.lasting and trial is not _NOT_TRIED
            if trial is not _NOT_TRIED and (trial.passed or self._trust is not Trust.NONE):
                self._record.keep_trial(key, trial)
        self._known[key] = trial
        self._use(device, trial)
        return trial

    def _trusts(self, trial: DeviceTrial) -> bool:
        return self._trust is Trust.ALL or (self._trust is Trust.PASSED and trial.passed)

    def _tried(
        self,
        device: Device,
        flash_attention: FlashAttention,
        remembered: DeviceTrial | None,
        cancel: CancelToken,
    ) -> DeviceTrial:
        """The settings it once passed with come first: the plug-in may be loaded with them."""
        ladder = settings_to_try(device)
        if remembered and remembered.passed:
            ladder = tuple(dict.fromkeys((remembered.settings, *ladder)))
        return self._try(device, flash_attention, ladder, cancel) or _NOT_TRIED

    def _use(self, device: Device, trial: DeviceTrial) -> None:
        settings = " ".join(f"{name}={value}" for name, value in trial.settings)
        if not trial.passed:
            log.warning("%s is not used: %s, %s", device.name, trial.outcome, trial.detail)
            self._details[device.backend] = trial.detail
        elif trial.settings:
            self._details.setdefault(device.backend, settings)
            self._approve(device.backend, trial.settings)


def _with_problems(
    report: HardwareReport, problems: Mapping[Device, DeviceProblem]
) -> HardwareReport:
    devices = (
        replace(device, problem=problems.get(device, device.problem)) for device in report.devices
    )
    return replace(report, devices=tuple(devices))
