"""A hardware report as JSON and back, exactly: what `snug hardware --json` prints and `snug fit
--hardware` reads. A person may have edited it, so nothing in it is believed unchecked. Pure.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, TypeVar

from engine.child.wire import WireError, decode, encode
from engine.types.backends import BackendProblem, BackendReport, BackendState, Origin
from engine.types.hardware import (
    Cpu,
    Device,
    DeviceKind,
    DeviceProblem,
    HardwareReport,
    Memory,
    Pressure,
    Speed,
    System,
)

E = TypeVar("E", bound=StrEnum)
Body = Mapping[str, object]

_MOST_BYTES = 1 << 60
_MOST_CORES = 1 << 16
_MOST_ITEMS = 1024


class Malformed(ValueError):
    """The JSON is not a report. The text names the place."""


def to_json(report: HardwareReport) -> dict[str, object]:
    return {
        "system": report.system.value,
        "cpu": _flat(report.cpu),
        "memory": _flat(report.memory),
        "devices": [_flat(device) for device in report.devices],
        "speed": None if report.speed is None else _speed_json(report.speed),
        "backends": [_flat(backend) for backend in report.backends],
    }


def _speed_json(speed: Speed) -> dict[str, object]:
    return {name: value for name, value in encode(speed).items() if name != "is"}


def _flat(value: Any) -> dict[str, object]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    return value.value if isinstance(value, StrEnum) else value


def from_json(body: object) -> HardwareReport:
    """Raises `Malformed`. What may be absent is what has a default in the dataclass."""
    report = mapping(body, "report")
    return HardwareReport(
        system=enum(report, "system", System),
        cpu=_cpu(mapping(report.get("cpu"), "cpu")),
        memory=_memory(mapping(report.get("memory"), "memory")),
        devices=tuple(_device(device) for device in _records(report, "devices")),
        speed=_speed(report.get("speed")),
        backends=tuple(_backend(backend) for backend in _records(report, "backends")),
    )


def _records(report: Body, key: str) -> list[Body]:
    items = report.get(key, [])
    if not isinstance(items, list) or len(items) > _MOST_ITEMS:
        raise Malformed(f"{key} is no list")
    return [mapping(item, f"one of {key}") for item in items]


def _cpu(body: Body) -> Cpu:
    features = body.get("features", [])
    if not isinstance(features, list) or not all(isinstance(name, str) for name in features):
        raise Malformed("features is no list of names")
    counts = ("physical_cores", "performance_cores", "logical_cores", "usable_cores")
    return Cpu(
        name=text(body, "name"),
        architecture=text(body, "architecture"),
        features=frozenset(features),
        emulated=_flag(body, "emulated", default=False),
        **{name: whole(body, name, low=1, high=_MOST_CORES) for name in counts},
    )


def _memory(body: Body) -> Memory:
    total = whole(body, "total_bytes")
    return Memory(
        total_bytes=total,
        available_bytes=whole(body, "available_bytes", high=total),
        limit_bytes=perhaps(body, "limit_bytes"),
        address_space_left_bytes=perhaps(body, "address_space_left_bytes"),
        commit_left_bytes=perhaps(body, "commit_left_bytes"),
        swap_total_bytes=perhaps(body, "swap_total_bytes") or 0,
        swap_free_bytes=perhaps(body, "swap_free_bytes") or 0,
        pressure=enum(body, "pressure", Pressure, Pressure.NONE),
    )


def _device(body: Body) -> Device:
    problem = body.get("problem")
    total = perhaps(body, "total_bytes")
    most = _MOST_BYTES if total is None else total
    dedicated = perhaps(body, "dedicated_bytes", most) or 0
    return Device(
        backend=text(body, "backend"),
        name=text(body, "name"),
        description=text(body, "description"),
        kind=enum(body, "kind", DeviceKind),
        total_bytes=total,
        free_bytes=perhaps(body, "free_bytes", most),
        dedicated_bytes=dedicated,
        dedicated_used_bytes=perhaps(body, "dedicated_used_bytes", dedicated) or 0,
        id=text(body, "id", ""),
        driver=text(body, "driver", ""),
        compute_capability=text(body, "compute_capability", ""),
        problem=None if problem is None else enum(body, "problem", DeviceProblem),
        supports_mmap=_flag(body, "supports_mmap", default=True),
    )


def _backend(body: Body) -> BackendReport:
    problem = body.get("problem")
    return BackendReport(
        backend=text(body, "backend"),
        state=enum(body, "state", BackendState),
        problem=None if problem is None else enum(body, "problem", BackendProblem),
        detail=text(body, "detail", ""),
        origin=enum(body, "origin", Origin, Origin.BUILT_IN),
        variant=text(body, "variant", ""),
    )


def _speed(value: object) -> Speed | None:
    """Its fields grow with what is measured, so their types are the only rule."""
    if value is None:
        return None
    body = mapping(value, "speed")
    if not all(math.isfinite(number) and number >= 0 for number in _numbers(body)):
        raise Malformed("speed holds a number that can not be")
    try:
        return decode(Speed, body)
    except WireError as error:
        raise Malformed(f"speed: {error}") from error


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _numbers(item)


def mapping(value: object, place: str) -> Body:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise Malformed(f"{place} is no object")
    return value


def text(body: Body, key: str, default: str | None = None) -> str:
    value = body.get(key, default)
    if not isinstance(value, str):
        raise Malformed(f"{key} is no text")
    return value


def whole(body: Body, key: str, *, low: int = 0, high: int = _MOST_BYTES) -> int:
    value = body.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise Malformed(f"{key} is no whole number from {low} to {high}")
    return value


def perhaps(body: Body, key: str, high: int = _MOST_BYTES) -> int | None:
    return None if body.get(key) is None else whole(body, key, high=high)


def enum(body: Body, key: str, kind: type[E], default: E | None = None) -> E:
    value = body.get(key, default)
    try:
        return kind(value)  # type: ignore[arg-type]
    except ValueError:
        choices = ", ".join(member.value for member in kind)
        raise Malformed(f"{key} is none of {choices}") from None


def _flag(body: Body, key: str, *, default: bool) -> bool:
    value = body.get(key, default)
    if not isinstance(value, bool):
        raise Malformed(f"{key} is neither true nor false")
    return value
