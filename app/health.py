"""What a check of the doctor ends with."""

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    GOOD = "good"
    MISSING = "missing"
    """Snug works without it, with less comfort."""
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """`name` and `health` are stable; `detail` is a short technical fact."""

    name: str
    health: Health
    detail: str


def good(name: str, detail: str) -> Check:
    return Check(name=name, health=Health.GOOD, detail=detail)


def bad(name: str, detail: str) -> Check:
    return Check(name=name, health=Health.BAD, detail=detail)
