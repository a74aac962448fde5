"""What `snug hardware` says of each way to compute: is it used, why not, and what helps. Pure."""

from collections.abc import Iterator
from typing import assert_never

from engine.types.backends import PROCESSOR, BackendProblem, BackendReport, BackendState, Origin
from engine.types.hardware import HardwareReport, System

_NAMES = {
    PROCESSOR: "Processor",
    "vulkan": "Vulkan (graphics cards)",
    "cuda": "CUDA (NVIDIA cards)",
    "metal": "Metal (Apple's graphics)",
    "rocm": "ROCm (AMD cards)",
    "sycl": "SYCL (Intel cards)",
    "opencl": "OpenCL (graphics cards)",
    "directml": "DirectML (graphics cards, for ONNX models)",
}
_STATES = {
    BackendState.READY: "ready",
    BackendState.MISSING: "missing",
    BackendState.FAILED: "failed",
}
_AVX512 = "AVX-512"
_VARIANTS = {
    "x64": "nothing that some 64-bit processor lacks",
    "sse42": "SSE4.2",
    "sandybridge": "AVX",
    "ivybridge": "AVX, F16C",
    "piledriver": "AVX, F16C, FMA",
    "haswell": "AVX2, FMA, F16C, BMI2",
    "alderlake": "AVX2, FMA, F16C, BMI2, AVX-VNNI",
    "skylakex": _AVX512,
    "cannonlake": f"{_AVX512}, VBMI",
    "cascadelake": f"{_AVX512}, VNNI",
    "icelake": f"{_AVX512}, VBMI, VNNI",
    "cooperlake": f"{_AVX512}, VNNI, BF16",
    "zen4": f"{_AVX512}, VBMI, VNNI, BF16",
    "sapphirerapids": f"{_AVX512}, VBMI, VNNI, BF16, AMX",
    "apple_m1": "dot products",
    "apple_m2_m3": "dot products, 8-bit matrices",
    "apple_m4": "dot products, 8-bit matrices, SME",
    "armv8.0_1": "nothing that some ARM processor lacks",
    "armv8.2_1": "dot products",
    "armv8.2_2": "dot products, FP16",
    "armv8.2_3": "dot products, FP16, SVE",
    "armv8.6_1": "dot products, FP16, SVE, 8-bit matrices",
    "armv8.6_2": "dot products, FP16, SVE2, 8-bit matrices",
    "armv9.2_1": "dot products, FP16, SVE, 8-bit matrices, SME",
    "armv9.2_2": "dot products, FP16, SVE2, 8-bit matrices, SME",
}
"""What each build of the processor's part uses (ggml/src/CMakeLists.txt)."""
_UNWANTED = (BackendProblem.SLOWER, BackendProblem.DENIED)
_TRIED = {
    BackendProblem.CRASHED: "its driver stopped when it was tried;",
    BackendProblem.TIMED_OUT: "its driver gave no answer in time;",
    BackendProblem.NO_DEVICE: "no card that it can use was found; if there is one,",
    BackendProblem.WRONG_ANSWER: "it answered something else than the processor does;",
}
_SETTLED = {
    BackendProblem.NOT_FOR_THIS_SYSTEM: "there is none for this system; nothing needs to be done",
    BackendProblem.SLOWER: "the processor is about as fast here, so models run on that",
    BackendProblem.DENIED: "known to be wrong or slow on such a computer; a newer Snug may use it",
}
_UPDATES = {"cuda": "update the NVIDIA driver", "metal": "update macOS"}
_UPDATE = "update the graphics driver"
_AGAIN = "install Snug again"
_IMPORT = "snug packs import FILE"


def lines(report: HardwareReport) -> Iterator[str]:
    """Two lines for each backend, or one where there is nothing to add."""
    for backend in report.backends:
        yield f"{_name(backend)}: {_state(backend)}"
        if why := _why(backend, report.system):
            yield f"  {why}"
    if any(backend.detail for backend in report.backends):
        yield "More details: snug hardware --json"


def _state(backend: BackendReport) -> str:
    """What works and is not wanted has not failed in a person's eyes."""
    return "not used" if backend.problem in _UNWANTED else _STATES[backend.state]


def _name(backend: BackendReport) -> str:
    return _NAMES.get(backend.backend, backend.backend.capitalize())


def _why(backend: BackendReport, system: System) -> str:
    if backend.problem is None:
        return _ready(backend)
    if backend.backend == PROCESSOR:
        return _no_processor(backend.problem)
    return _problem(backend, backend.problem, system)


def _problem(backend: BackendReport, problem: BackendProblem, system: System) -> str:
    match problem:
        case BackendProblem.NOT_INSTALLED:
            return _not_installed(backend.backend)
        case BackendProblem.WRONG_BUILD:
            return f"what is there belongs to another Snug; {_right_one(backend.origin)}"
        case BackendProblem.NOT_LOADABLE:
            return _not_loadable(backend, system)
        case (
            BackendProblem.CRASHED
            | BackendProblem.TIMED_OUT
            | BackendProblem.NO_DEVICE
            | BackendProblem.WRONG_ANSWER
        ):
            return f"{_TRIED[problem]} {_UPDATES.get(backend.backend, _UPDATE)}"
        case BackendProblem.NOT_FOR_THIS_SYSTEM | BackendProblem.SLOWER | BackendProblem.DENIED:
            return _SETTLED[problem]
        case _:
            assert_never(problem)


def _ready(backend: BackendReport) -> str:
    if backend.origin is Origin.PACK:
        return "from a pack"
    if not backend.variant:
        return ""
    uses = _VARIANTS.get(backend.variant)
    return f"its part is the one for {backend.variant}" + (f": it uses {uses}" if uses else "")


def _no_processor(problem: BackendProblem) -> str:
    """Without it there is no engine at all."""
    if problem is BackendProblem.NOT_INSTALLED:
        return f"no part of this Snug runs on this processor; {_AGAIN}"
    return f"the engine did not start when it was tried; {_AGAIN}"


def _not_installed(name: str) -> str:
    match name:
        case "cuda":
            return f"Snug has no part for CUDA; with an NVIDIA card, a pack brings it: {_IMPORT}"
        case "directml":
            return "the part for ONNX models is not installed: python -m pip install 'snug[onnx]'"
        case "vulkan" | "metal":
            return f"this Snug was made without it; {_AGAIN}"
        case _:
            return f"Snug has no part for it; if there is a pack for it: {_IMPORT}"


def _right_one(origin: Origin) -> str:
    if origin is Origin.PACK:
        return f"install the pack for this one: {_IMPORT}"
    return _AGAIN


def _not_loadable(backend: BackendReport, system: System) -> str:
    """Most often a library of the driver is missing, and the loader names it, but not on Windows.
    Any other complaint is about the file."""
    detail = backend.detail.lower()
    if backend.backend == "cuda" and (system is System.WINDOWS or "libcuda.so" in detail):
        return "the NVIDIA driver is missing or too old; install the newest one"
    if backend.backend == "vulkan" and system is System.WINDOWS:
        return "the graphics driver brings no Vulkan; install the newest one of the card's maker"
    if backend.backend == "vulkan" and "libvulkan" in detail:
        return (
            "the graphics driver's Vulkan library is missing; install your system's Vulkan driver "
            "(mesa-vulkan-drivers on Debian)"
        )
    again = f"import its pack again: {_IMPORT}" if backend.origin is Origin.PACK else _AGAIN
    return f"its file can not be used here; {again}"
