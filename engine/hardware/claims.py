"""What is said of devices before anybody has checked it: ggml's word, and second opinions.

`parse_answer` is pure and turns a probe child's answer into claims, or refuses it as rubbish.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.types.hardware import DeviceProblem

_ALIASES = {"mtl": "metal", "hip": "rocm"}
_MOST_DEVICES = 64
_MOST_TEXT = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One device as one backend reports it, unchecked. `kind` is ggml's word: cpu, gpu, igpu,
    accel or meta. Sizes are None where nothing was said."""

    backend: str
    name: str
    description: str = ""
    kind: str = "gpu"
    total_bytes: int | None = None
    free_bytes: int | None = None
    id: str = ""
    driver: str = ""
    compute_capability: str = ""
    supports_mmap: bool = True
    problem: DeviceProblem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a driver or the system says of a card, aside from ggml.

    `dedicated_*` is memory of the card itself, or a carve-out of main memory; `shared_*` is
    what it may borrow of main memory. `free_bytes` is what the driver would still give.
    """

    id: str = ""
    description: str = ""
    vendor: str = ""
    dedicated_bytes: int | None = None
    dedicated_used_bytes: int = 0
    shared_bytes: int | None = None
    shared_used_bytes: int = 0
    free_bytes: int | None = None
    driver: str = ""
    compute_capability: str = ""


class Rubbish(ValueError):
    """A probe child answered, but not in the agreed form."""


def backend_name(reported: str) -> str:
    """ggml's name of a backend, in our spelling: lower case, "MTL" is metal, "HIP" is rocm."""
    lower = reported.lower()
    return _ALIASES.get(lower, lower)


def parse_answer(answer: object) -> tuple[list[Claim], list[Opinion]]:
    """Raises `Rubbish`."""
    if not isinstance(answer, Mapping):
        raise Rubbish("the answer is no object")
    devices = [_claim(entry) for entry in _entries(answer, "devices")]
    return devices, [_opinion(entry) for entry in _entries(answer, "opinions", [])]


def _entries(answer: Mapping[object, object], key: str, default: object = None) -> list[object]:
    entries = answer.get(key, default)
    if not isinstance(entries, list | tuple) or len(entries) > _MOST_DEVICES:
        raise Rubbish(f"{key} is no list, or too long")
    return list(entries)


def _claim(entry: object) -> Claim:
    fields = _mapping(entry)
    return Claim(
        backend=backend_name(_text(fields, "backend")),
        name=_text(fields, "name"),
        description=_text(fields, "description"),
        kind=_text(fields, "kind"),
        total_bytes=_number(fields, "total_bytes"),
        free_bytes=_number(fields, "free_bytes"),
        id=_text(fields, "id"),
        supports_mmap=fields.get("supports_mmap") is not False,
    )


def _opinion(entry: object) -> Opinion:
    fields = _mapping(entry)
    return Opinion(
        id=_text(fields, "id"),
        description=_text(fields, "description"),
        vendor=_text(fields, "vendor"),
        dedicated_bytes=_number(fields, "dedicated_bytes"),
        dedicated_used_bytes=_number(fields, "dedicated_used_bytes") or 0,
        shared_bytes=_number(fields, "shared_bytes"),
        shared_used_bytes=_number(fields, "shared_used_bytes") or 0,
        free_bytes=_number(fields, "free_bytes"),
        driver=_text(fields, "driver"),
        compute_capability=_text(fields, "compute_capability"),
    )


def _mapping(entry: object) -> Mapping[str, object]:
    if not isinstance(entry, Mapping):
        raise Rubbish("an entry is no object")
    return entry


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str):
        raise Rubbish(f"{key} is no text")
    return value[:_MOST_TEXT]


def _number(fields: Mapping[str, object], key: str) -> int | None:
    value = fields.get(key)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise Rubbish(f"{key} is no whole number")
    return value
