"""Which of a model's quantizations is offered first. Pure, any thread."""

import re

from engine.types.hub import Offering

_BEST = (
    "Q4_K_M",
    "Q4_K_XL",
    "MXFP4",
    "MXFP4_MOE",
    "IQ4_XS",
    "Q5_K_M",
    "Q4_0",
    "Q4_K_S",
    "IQ4_NL",
    "Q4_K_L",
    "Q4_1",
    "Q5_K_XL",
    "Q5_K_S",
)
"""About four and a half bits a weight: what people keep in comparisons of size against quality."""
_WANTED_BITS = 4.8
_HARM = 1.5
_SIZES = {"XXS": -0.4, "XS": -0.2, "S": -0.1, "M": 0.1, "L": 0.2, "XL": 0.3}
_FULL = {"F16": 16.0, "FP16": 16.0, "BF16": 16.0, "F32": 32.0, "FP32": 32.0}
_PROJECTORS = ("F16", "FP16", "BF16", "Q8_0", "F32", "FP32")
_UNREADABLE = re.compile(r"I?Q4_(?:0|NL)_\d_\d|IQ\d_K\w*|\w+_R\d|I2_S")
"""By llama.cpp: layouts for one processor, which it makes itself now, and types of its relatives
(ik_llama.cpp, bitnet.cpp)."""

_TINY_BYTES = range(64 << 20, (1 << 30) + 1)
"""The smallest models suffer most from few bits, and have no size to save. What is smaller still
is a toy."""
_TRAINED = re.compile(r"(?:^|[-._/])qat(?=[-._/]|$)", re.IGNORECASE)
"""Made for Q4_0 while it was trained: there it is as good as what it was made of."""


def rank(offering: Offering) -> tuple[bool, int, float, str, str]:
    """A key for sorting: the recommended first, what can not be used last."""
    quantization = _plain(offering.quantization)
    unusable = bool(offering.missing) or _UNREADABLE.fullmatch(quantization) is not None
    tier, distance = _tier(quantization)
    if _is_exempt(quantization, offering):
        tier, distance = 0, -1.0
    return unusable, tier, distance, offering.name, offering.files[0].path


def _is_exempt(quantization: str, offering: Offering) -> bool:
    """Whether about four and a half bits is not what one wants of this model."""
    if quantization == "Q8_0":
        return (offering.size_bytes or 0) in _TINY_BYTES
    return quantization == "Q4_0" and _TRAINED.search(offering.files[0].path) is not None


def projector_rank(quantization: str) -> int:
    """A projector is small: the exact one that every device computes well."""
    return _PROJECTORS.index(quantization) if quantization in _PROJECTORS else len(_PROJECTORS)


def _tier(quantization: str) -> tuple[int, float]:
    if quantization in _BEST:
        return 0, float(_BEST.index(quantization))
    if quantization in _FULL:
        return 3, _FULL[quantization]
    bits = bits_of(quantization)
    return (2, 0.0) if bits is None else (1, _distance(bits))


def _distance(bits: float) -> float:
    """Too few bits do more harm than too many."""
    return bits - _WANTED_BITS if bits > _WANTED_BITS else (_WANTED_BITS - bits) * _HARM


def bits_of(quantization: str) -> float | None:
    """Roughly, of a weight; None where the name does not say."""
    quantization = _plain(quantization)
    if quantization in _FULL:
        return _FULL[quantization]
    match = re.match(r"(?:I?Q|TQ|MXFP|NVFP|FP)(\d{1,2})", quantization)
    if match is None:
        return None
    return int(match[1]) + 0.5 + _SIZES.get(quantization.rpartition("_")[2], 0.0)


def _plain(quantization: str) -> str:
    """Without the mark of Unsloth's own mixtures."""
    return quantization.removeprefix("UD-").removeprefix("UD_")
