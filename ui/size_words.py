"""How much memory a plan needs and how much is free, in words that never contradict its verdict.

Sizes are in GB or MB as systems count memory (2**30 and 2**20 bytes): a need is rounded up, what
is free down. No jargon here.
"""

import math

from PySide6.QtCore import QCoreApplication

from engine.types.plans import Plan, Verdict

translate = QCoreApplication.translate

_GB = 2**30
_MB = 2**20
_MB_STEP = 10
_NEARLY_NOTHING_MB = 100
_MOST_EXACT_GB = 10
_ROUNDING = 1e-6
_LEAST_WHOLE_BYTES = 950_000_000
"""From here on it is a GB."""


def needed_and_free(plan: Plan) -> tuple[int, int]:
    """Bytes, of the pool that decides, else of all."""
    if plan.needed_bytes:
        return plan.needed_bytes, plan.free_bytes
    return (
        sum(pool.use.total_bytes for pool in plan.memory),
        sum(pool.budget_bytes for pool in plan.memory),
    )


def share(plan: Plan) -> float:
    """How much of the slot the piece takes; above 1 exactly if memory does not suffice."""
    needed, free = needed_and_free(plan)
    part = needed / free if free > 0 else 2.0
    return max(part, 1.01) if _passes(plan) else min(part, 1.0)


def _passes(plan: Plan) -> bool:
    """What is only too slow does not pass the end of the slot."""
    return plan.verdict is Verdict.TOO_BIG and not plan.only_too_slow


def slot_label(plan: Plan) -> str:
    """ "Needs 4 of 9 GB", "Needs 13 GB, 9 free"; "" where nothing is known."""
    needed, free = needed_and_free(plan)
    if plan.verdict is Verdict.UNKNOWN or needed <= 0:
        return ""
    if min(needed, free) < _GB:
        return _small_label(plan)
    words = (
        translate("Fit", "Needs {a} GB, {b} free")
        if _passes(plan)
        else translate("Fit", "Needs {a} of {b} GB")
    )
    a, b = _up(needed), _down(free)
    if not _passes(plan) and float(a) > float(b):
        a, b = f"{needed / _GB:.1f}", f"{max(needed, free) / _GB:.1f}"
    return words.format(a=a, b=b)


def _small_label(plan: Plan) -> str:
    """ "Needs 220 MB of 15 GB": each size with its own unit."""
    words = (
        translate("Fit", "Needs {a}, {b} free")
        if _passes(plan)
        else translate("Fit", "Needs {a} of {b}")
    )
    needed, free = sizes(plan)
    return words.format(a=needed, b=free)


def sizes(plan: Plan) -> tuple[str, str]:
    """Needed and free, as "6.3 GB", "300 MB" or, of what is free, "almost nothing"."""
    needed, free = needed_and_free(plan)
    needed_mb = math.ceil(needed / _MB / _MB_STEP) * _MB_STEP
    whole = needed_mb >= _GB // _MB
    return f"{_up(needed)} GB" if whole else f"{needed_mb} MB", _free(free)


def _free(free_bytes: int) -> str:
    if free_bytes >= _GB:
        return f"{_down(free_bytes)} GB"
    free_mb = free_bytes // _MB // _MB_STEP * _MB_STEP
    if free_mb < _NEARLY_NOTHING_MB:
        return translate("Plan", "almost nothing")
    return f"{free_mb} MB"


def space(size_bytes: int) -> str:
    """Of a disk or a download: "3.3 GB", "38 MB"."""
    return f"{space_number(size_bytes)} {space_unit(size_bytes)}"


def space_unit(size_bytes: int) -> str:
    return "GB" if size_bytes >= _LEAST_WHOLE_BYTES else "MB"


def space_number(size_bytes: int, of_bytes: int = 0) -> str:
    """Without its unit, which is that of `of_bytes` where this is a part of it."""
    if space_unit(max(size_bytes, of_bytes)) == "GB":
        return f"{size_bytes / 10**9:.1f}"
    return str(round(size_bytes / 10**6))


def _up(size_bytes: int) -> str:
    size = size_bytes / _GB
    if size >= _MOST_EXACT_GB:
        return str(math.ceil(size))
    return _plain(math.ceil(size * 10 - _ROUNDING) / 10)


def _down(size_bytes: int) -> str:
    size = size_bytes / _GB
    if size >= _MOST_EXACT_GB:
        return str(math.floor(size))
    return _plain(math.floor(size * 10 + _ROUNDING) / 10)


def _plain(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
