"""What became of every backend of this system, from all that was found out of it. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.types.backends import (
    PROCESSOR,
    BackendProblem,
    BackendReport,
    BackendState,
    Origin,
    Plugin,
)
from engine.types.hardware import Device, DeviceProblem, HardwareReport, System

_OF_SYSTEM = {
    System.LINUX: ("vulkan", "cuda"),
    System.WINDOWS: ("vulkan", "cuda"),
    System.MACOS: ("metal",),
}
"""What there are plug-ins or packs for."""
_PROBLEMS = {
    DeviceProblem.PROBE_CRASHED: BackendProblem.CRASHED,
    DeviceProblem.PROBE_TIMED_OUT: BackendProblem.TIMED_OUT,
    DeviceProblem.WRONG_ANSWER: BackendProblem.WRONG_ANSWER,
}
"""Any other problem means that it is no device to work on."""

_Judged = tuple[BackendState, BackendProblem | None]
_READY: _Judged = (BackendState.READY, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """`refused` are plug-ins that are there and may not be loaded: they are of another build.
    `against` names backends whose devices work and are not wanted here; `details` are for the
    Details fold."""

    approved: Sequence[Plugin] = ()
    refused: Sequence[Plugin] = ()
    against: Mapping[str, BackendProblem] = field(default_factory=dict)
    details: Mapping[str, str] = field(default_factory=dict)


def complete(report: HardwareReport, findings: Findings) -> tuple[BackendReport, ...]:
    """The processor's first. `report.backends` are those that were asked, and how that ended."""
    asked = {told.backend: told for told in report.backends}
    processor = asked.pop(PROCESSOR, None)
    names = _names(report, findings, asked)
    return (
        processor or BackendReport(backend=PROCESSOR, state=BackendState.READY),
        *(_told(name, report, findings, asked.get(name)) for name in names),
    )


def _names(
    report: HardwareReport, findings: Findings, asked: Mapping[str, BackendReport]
) -> Iterable[str]:
    plugins = (plugin.backend for plugin in (*findings.approved, *findings.refused))
    usable = (device.backend for device in report.devices if _is_usable(device))
    return dict.fromkeys((*_OF_SYSTEM[report.system], *plugins, *asked, *usable))


def _told(
    name: str, report: HardwareReport, findings: Findings, asked: BackendReport | None
) -> BackendReport:
    plugins = [p for p in (*findings.approved, *findings.refused) if p.backend == name]
    devices = [device for device in report.devices if device.backend == name]
    if asked is not None or devices:
        state, problem = _tried(devices, asked, findings.against.get(name))
    else:
        state, problem = _untried(name, plugins, report)
    told = asked.detail if asked else ""
    return BackendReport(
        backend=name,
        state=state,
        problem=problem,
        detail=_detail(findings.details.get(name, "") or told, plugins, problem),
        origin=plugins[0].origin if plugins else Origin.BUILT_IN,
    )


def _tried(
    devices: Sequence[Device], asked: BackendReport | None, against: BackendProblem | None
) -> _Judged:
    if asked is not None and asked.problem is not None:
        return asked.state, asked.problem
    if any(map(_is_usable, devices)):
        return (BackendState.FAILED, against) if against else _READY
    problems = (_PROBLEMS[d.problem] for d in devices if d.problem in _PROBLEMS)
    if worst := next(problems, None):
        return BackendState.FAILED, worst
    return BackendState.MISSING, BackendProblem.NO_DEVICE


def _is_usable(device: Device) -> bool:
    return device.problem in (None, DeviceProblem.DUPLICATE)


def _untried(name: str, plugins: Sequence[Plugin], report: HardwareReport) -> _Judged:
    if plugins:
        return BackendState.FAILED, BackendProblem.WRONG_BUILD
    if name == "metal" and report.cpu.architecture != "arm64":
        return BackendState.MISSING, BackendProblem.NOT_FOR_THIS_SYSTEM
    return BackendState.MISSING, BackendProblem.NOT_INSTALLED


def _detail(told: str, plugins: Sequence[Plugin], problem: BackendProblem | None) -> str:
    if problem is BackendProblem.WRONG_BUILD:
        return "\n".join(f"{p.path.name}: {p.build_id or 'no build id'}" for p in plugins)
    return told
