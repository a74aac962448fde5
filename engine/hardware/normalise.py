"""The one place where what devices say of themselves is checked and corrected. Pure.

Drivers report nothing (0 of 0), more free memory than there is, sizes below zero read as huge
ones, main memory as their own, and one card through several backends. What comes out of here
can be believed: no size below zero, free never above total, each card usable once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.hardware.claims import Claim, Opinion, backend_name
from engine.hardware.names import clean, essence, is_shared, is_software
from engine.types.hardware import Device, DeviceKind, DeviceProblem, System

_ABSURD_BYTES = 1 << 46
_SMALLEST_CARVE_OUT_BYTES = 512 << 20
"""Less than this holds the picture on the screen and no model."""
_ORDER = ("cuda", "metal", "vulkan", "rocm", "sycl", "opencl")
"""Which backend keeps a card that several reach (ROCm and SYCL are not shipped)."""
_KINDS = {"gpu": DeviceKind.GPU, "igpu": DeviceKind.IGPU, "accel": DeviceKind.ACCEL}


def normalise(
    claims: Sequence[Claim],
    opinions: Sequence[Opinion],
    *,
    main_memory_bytes: int,
    system: System,
    architecture: str,
) -> tuple[Device, ...]:
    """In the order of the claims, without processors and without devices made of others."""
    devices = []
    for claim in claims:
        kind = _kind(claim, unified=system is System.MACOS and architecture == "arm64")
        if kind is not None:
            device = _device(claim, kind)
            devices.append(_correct(device, _matching(device, opinions), main_memory_bytes))
    return _without_doubles(devices)


def _kind(claim: Claim, *, unified: bool) -> DeviceKind | None:
    """Metal and OpenCL call everything a card with memory of its own
    (ggml-metal.cpp, ggml-opencl.cpp: get_type)."""
    kind = _KINDS.get(claim.kind.lower())
    if claim.problem is not None and backend_name(claim.backend) == "cpu":
        return DeviceKind.ACCEL
    if kind is not DeviceKind.GPU:
        return kind
    shares = unified or is_shared(claim.description)
    return DeviceKind.IGPU if shares else kind


def _device(claim: Claim, kind: DeviceKind) -> Device:
    total = _sane(claim.total_bytes)
    free = _sane(claim.free_bytes)
    backend = backend_name(clean(claim.backend)) or "unknown"
    return Device(
        backend=backend,
        name=clean(claim.name) or backend,
        description=clean(claim.description),
        kind=kind,
        total_bytes=total,
        free_bytes=free if total is not None and free is not None and free <= total else None,
        id=clean(claim.id).lower(),
        driver=clean(claim.driver),
        compute_capability=clean(claim.compute_capability),
        supports_mmap=claim.supports_mmap,
        problem=claim.problem,
    )


def _sane(size_bytes: int | None) -> int | None:
    return size_bytes if size_bytes is not None and 0 <= size_bytes < _ABSURD_BYTES else None


def _matching(device: Device, opinions: Sequence[Opinion]) -> list[Opinion]:
    """By PCI address where both sides have one, else by name. Windows tells no addresses: of two
    equal cards each then gets what is said of either."""
    named = essence(device.description)
    same = [opinion for opinion in opinions if named and essence(opinion.description) == named]
    places = {opinion.id.lower() for opinion in same if opinion.id}

    def is_meant(opinion: Opinion) -> bool:
        if opinion.id and device.id:
            return opinion.id.lower() == device.id
        return opinion in same and (not opinion.id or len(places) == 1)

    return [opinion for opinion in opinions if is_meant(opinion)]


def _correct(device: Device, opinions: Sequence[Opinion], main_memory_bytes: int) -> Device:
    device = _with_driver(device, opinions)
    if device.problem is not None:
        return replace(device, total_bytes=None, free_bytes=None)
    if is_software(device.description):
        return replace(device, problem=DeviceProblem.SOFTWARE_RENDERER)
    if device.kind is DeviceKind.IGPU:
        device = _shared(device, opinions, main_memory_bytes)
    elif device.kind is DeviceKind.GPU:
        device = _own(device, opinions)
    if not device.total_bytes:
        return replace(device, free_bytes=None, problem=DeviceProblem.NO_MEMORY)
    return device


def _with_driver(device: Device, opinions: Sequence[Opinion]) -> Device:
    drivers = [device.driver, *(clean(opinion.driver) for opinion in opinions)]
    capabilities = [device.compute_capability, *(clean(o.compute_capability) for o in opinions)]
    return replace(
        device,
        driver=_first(drivers),
        compute_capability=_first(capabilities),
    )


def _first(texts: Iterable[str]) -> str:
    return next((text for text in texts if text), "")


def _own(device: Device, opinions: Sequence[Opinion]) -> Device:
    """A card's own memory. 0 of 0 stays: a backend that can not ask can not compute either."""
    if device.total_bytes == 0:
        return device
    told = [size for o in opinions if (size := _sane(o.dedicated_bytes))]
    total = device.total_bytes or min(told, default=None)
    if total is None:
        return device
    frees = [device.free_bytes, *(_sane(opinion.free_bytes) for opinion in opinions)]
    believable = [free for free in frees if free is not None and free <= total]
    return replace(device, total_bytes=total, free_bytes=min(believable, default=None))


def _shared(device: Device, opinions: Sequence[Opinion], main_memory_bytes: int) -> Device:
    """Main memory seen through a device, and perhaps a carve-out that main memory lacks. The sum
    of a device's heaps may count the same memory twice: it is never more than both, nor more than
    the carve-out and what the driver lets the device borrow."""
    carve, used = _carve_out(opinions)
    if not device.total_bytes:
        return device
    lent, lent_free = _lent(opinions, main_memory_bytes)
    total = min(device.total_bytes, main_memory_bytes + carve, lent + carve)
    free = device.free_bytes
    left = min(total, lent_free + carve - used)
    return replace(
        device,
        total_bytes=total,
        free_bytes=None if free is None else min(free, left),
        dedicated_bytes=min(carve, total),
        dedicated_used_bytes=min(used, carve, total),
    )


def _carve_out(opinions: Sequence[Opinion]) -> tuple[int, int]:
    for opinion in opinions:
        size = _sane(opinion.dedicated_bytes)
        if size is not None and size >= _SMALLEST_CARVE_OUT_BYTES:
            return size, max(0, min(size, opinion.dedicated_used_bytes))
    return 0, 0


def _lent(opinions: Sequence[Opinion], main_memory_bytes: int) -> tuple[int, int]:
    """What the device may borrow of main memory, and what of that is left. Nobody tells of 0: a
    device that could borrow nothing would not share."""
    told = [(size, o.shared_used_bytes) for o in opinions if (size := _sane(o.shared_bytes))]
    size, used = min(told, default=(main_memory_bytes, 0))
    return size, size - max(0, min(size, used))


def _without_doubles(devices: Sequence[Device]) -> tuple[Device, ...]:
    """A card belongs to the first backend in the order that can use it; a broken backend takes
    nothing from the others. A name that is taken can not be asked for a second time."""
    kept: list[int] = []
    for index in sorted(range(len(devices)), key=lambda i: _rank(devices[i])):
        if devices[index].problem is None and not _is_taken(index, kept, devices):
            kept.append(index)
    return tuple(
        device
        if device.problem is not None or index in kept
        else replace(device, problem=DeviceProblem.DUPLICATE)
        for index, device in enumerate(devices)
    )


def _rank(device: Device) -> int:
    return _ORDER.index(device.backend) if device.backend in _ORDER else len(_ORDER)


def _is_taken(index: int, kept: Sequence[int], devices: Sequence[Device]) -> bool:
    device = devices[index]
    others = [devices[i] for i in kept]
    if any(other.name == device.name for other in others):
        return True
    if device.id and any(other.id == device.id for other in others):
        return True
    return _is_named_twin(index, kept, devices)


def _is_named_twin(index: int, kept: Sequence[int], devices: Sequence[Device]) -> bool:
    """Same name in an earlier backend, and no addresses that tell them apart. Of two equal cards
    the second is a twin only if that backend has two as well."""
    device = devices[index]
    named = essence(device.description)
    twins: dict[str, int] = {}
    for other in (devices[i] for i in kept):
        apart = bool(device.id and other.id)
        if named and other.backend != device.backend and not apart:
            twins[other.backend] = twins.get(other.backend, 0) + (
                essence(other.description) == named
            )
    own = sum(
        devices[i].backend == device.backend
        and devices[i].problem is None
        and essence(devices[i].description) == named
        for i in range(index)
    )
    return own < max(twins.values(), default=0)
