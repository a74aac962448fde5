"""What ONNX Runtime adds to a report: DirectML, which only Windows has and only it can use.

Looks for files; loads nothing.
"""

from collections.abc import Callable
from dataclasses import replace

from engine.runtimes.onnx import native
from engine.types.backends import BackendProblem, BackendReport, BackendState
from engine.types.hardware import HardwareReport, System

DIRECTML = "directml"


def with_directml(
    report: HardwareReport, has_backend: Callable[[str], bool] = native.has_backend
) -> HardwareReport:
    """The same report elsewhere, and where it has that line already."""
    known = any(backend.backend == DIRECTML for backend in report.backends)
    if report.system is not System.WINDOWS or known:
        return report
    told = BackendReport(backend=DIRECTML, state=BackendState.READY)
    if not has_backend(DIRECTML):
        state, problem = BackendState.MISSING, BackendProblem.NOT_INSTALLED
        told = replace(told, state=state, problem=problem)
    return replace(report, backends=(*report.backends, told))
