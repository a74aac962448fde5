"""What runs an ONNX model on a machine, and which kind of model to look for there. Pure.

DirectML is the way to the graphics card for Windows machines whose Vulkan and CUDA do not work;
where these do, llama.cpp is faster with them (engine.md §6).
"""

from engine.planner.backends import select_devices
from engine.types.backends import PROCESSOR, BackendState
from engine.types.hardware import Device, DeviceKind, HardwareReport, System
from engine.types.models import ModelFormat
from engine.types.plans import Reason, Wishes

DIRECTML, CUDA = "directml", "cuda"

_PROCESSOR_FROM = 2
"""From this caution on."""
_HOPELESS = (Reason.DEVICE_SLOWER, Reason.SOFTWARE_RENDERER)
"""What is said of a graphics chip that loses against its processor, whatever drives it."""


def onnx_backend(report: HardwareReport, wishes: Wishes) -> str:
    """directml, or cpu."""
    denied = DIRECTML in wishes.denied or wishes.caution >= _PROCESSOR_FROM
    return PROCESSOR if denied or not can_use_directml(report) else DIRECTML


def can_use_directml(report: HardwareReport) -> bool:
    """Whether it is installed, and something is there that it makes faster. Devices that only
    DirectML can see are in no report: with no device at all it is worth a try."""
    if report.system is not System.WINDOWS or report.cpu.architecture == "arm64":
        return False
    ready = any(
        backend.backend == DIRECTML and backend.state is BackendState.READY
        for backend in report.backends
    )
    return ready and not _only_hopeless(report)


def preferred_format(report: HardwareReport, wishes: Wishes, *, accepts_onnx: bool) -> ModelFormat:
    """The kind of model to offer. `accepts_onnx`: the person has one, or agreed to one."""
    if not accepts_onnx or select_devices(report, wishes).devices:
        return ModelFormat.GGUF
    usable = onnx_backend(report, wishes) == DIRECTML
    return ModelFormat.ONNX if usable else ModelFormat.GGUF


def directml_device(report: HardwareReport) -> Device | None:
    """The card that DirectML will take, as another backend sees it: cards first, then the one
    with the most memory. None where nobody sees one."""
    seen = [device for device in report.devices if device.total_bytes]
    seen = [device for device in seen if device.kind is not DeviceKind.ACCEL]
    return max(
        seen,
        key=lambda device: (device.kind is DeviceKind.GPU, device.total_bytes or 0),
        default=None,
    )


def _only_hopeless(report: HardwareReport) -> bool:
    selection = select_devices(report, Wishes())
    if selection.devices or not report.devices:
        return False
    return bool(selection.reasons) and set(selection.reasons) <= set(_HOPELESS)
