"""Settings with which a device may compute rightly after all, in the order to try them. Pure.

Rules are data (engine.md 4.1); a step keeps what the steps before it set. The variables are
read in ggml-vulkan.cpp and ggml-metal-device.m; for all of these any value means yes, but for
the number of nodes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from engine.types.backends import Settings
from engine.types.hardware import Device, DeviceKind

_INTEL = re.compile(r"intel", re.IGNORECASE)
_AMD = re.compile(r"\bamd\b|radeon", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ladder:
    applies: Callable[[Device], bool]
    steps: tuple[Settings, ...]


_NO_INTEGER_DOT = (("GGML_VK_DISABLE_INTEGER_DOT_PRODUCT", "1"),)
_NO_MATRIX_CORES = (("GGML_VK_DISABLE_COOPMAT", "1"), ("GGML_VK_DISABLE_COOPMAT2", "1"))
_NO_F16 = (("GGML_VK_DISABLE_F16", "1"),)
_SHORT_SUBMITS = (("GGML_VK_MAX_NODES_PER_SUBMIT", "8"),)
"""Usually 100 nodes: drivers of integrated devices take a long submit for a hang."""
_NO_TENSORS = (("GGML_METAL_TENSOR_DISABLE", "1"),)
_NO_BFLOAT16 = (("GGML_METAL_BF16_DISABLE", "1"),)
_PLAIN_CUDA = (("GGML_CUDA_DISABLE_GRAPHS", "1"), ("GGML_CUDA_DISABLE_FUSION", "1"))

_LADDERS = (
    # Gibberish in one batch size or in all (llama.cpp 17106, 17056, 12096, 28648, 20097).
    _Ladder(
        applies=lambda device: device.backend == "vulkan" and _is(_INTEL, device),
        steps=(_NO_INTEGER_DOT, _NO_MATRIX_CORES, _NO_F16),
    ),
    # Lost devices (llama.cpp 21724, 26447, 27076).
    _Ladder(
        applies=lambda device: (
            device.backend == "vulkan" and device.kind is DeviceKind.IGPU and _is(_AMD, device)
        ),
        steps=(_SHORT_SUBMITS, _NO_MATRIX_CORES, _NO_F16),
    ),
    _Ladder(
        applies=lambda device: device.backend == "vulkan",
        steps=(_NO_MATRIX_CORES, _NO_INTEGER_DOT + _NO_F16),
    ),
    # Shaders for tensors that the newest chips can not compile (ollama 15755).
    _Ladder(
        applies=lambda device: device.backend == "metal",
        steps=(_NO_TENSORS, _NO_BFLOAT16),
    ),
    _Ladder(applies=lambda device: device.backend == "cuda", steps=(_PLAIN_CUDA,)),
)


def settings_to_try(device: Device) -> tuple[Settings, ...]:
    """The first is none at all."""
    ladders = (ladder.steps for ladder in _LADDERS if ladder.applies(device))
    nothing: Settings = ()
    return tuple(accumulate(next(ladders, ()), initial=nothing))


def _is(maker: re.Pattern[str], device: Device) -> bool:
    return bool(maker.search(device.description))
