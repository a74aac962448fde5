"""ggml's own list of devices, bound with ctypes: the only truth about what the engine can use.

Asking for it starts drivers, and those may abort the process or hang: called through `probe` in a
child, one a backend. Facts: ggml/include/ggml-backend.h.
"""

import ctypes
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from engine.backends import plugins
from engine.errors import BackendUnusable
from engine.hardware import dxgi, nvml
from engine.hardware.claims import backend_name
from engine.runtimes.llamacpp import native
from engine.types.backends import PROCESSOR, BackendProblem

_KINDS = ("cpu", "gpu", "igpu", "accel", "meta")
"""enum ggml_backend_dev_type."""
_SIZES = {"Caps": 5, "Props": 56}


class Caps(ctypes.Structure):
    """struct ggml_backend_dev_caps."""

    _fields_ = [
        (name, ctypes.c_bool)
        for name in ("async_", "host_buffer", "buffer_from_host_ptr", "events", "mmap_support")
    ]


class Props(ctypes.Structure):
    """struct ggml_backend_dev_props."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("description", ctypes.c_char_p),
        ("memory_free", ctypes.c_size_t),
        ("memory_total", ctypes.c_size_t),
        ("type", ctypes.c_int),
        ("device_id", ctypes.c_char_p),
        ("caps", Caps),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One device in ggml's words; `kind` is one of cpu, gpu, igpu, accel, meta."""

    backend: str
    name: str
    description: str
    kind: str
    total_bytes: int
    free_bytes: int
    id: str
    supports_mmap: bool


@dataclass(frozen=True, slots=True)
class Ggml:
    """The libraries that hold the device functions: two on Windows, elsewhere one finds both."""

    registry: Any
    base: Any


@cache
def ggml() -> Ggml:
    """Raises `IncompatibleLibrary` if the library is not the one these structs are of."""
    native.api()
    for name, expected in _SIZES.items():
        size = ctypes.sizeof(globals()[name])
        if size != expected:
            raise native.IncompatibleLibrary(f"{name} has {size} bytes, expected {expected}")
    base = native.ggml(native.api())
    return _declared(Ggml(ctypes.CDLL("ggml.dll") if os.name == "nt" else base, base))


def _declared(libraries: Ggml) -> Ggml:
    registry, base = libraries.registry, libraries.base
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for library, name, result, arguments in (
        (registry, "ggml_backend_dev_count", ctypes.c_size_t, []),
        (registry, "ggml_backend_dev_get", pointer, [ctypes.c_size_t]),
        (base, "ggml_backend_dev_get_props", None, [pointer, ctypes.POINTER(Props)]),
        (base, "ggml_backend_dev_backend_reg", pointer, [pointer]),
        (base, "ggml_backend_reg_name", text, [pointer]),
    ):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return libraries


def found() -> list[Found]:
    """Every device of every backend that is registered in this process."""
    libraries = ggml()
    count = libraries.registry.ggml_backend_dev_count()
    devices = [libraries.registry.ggml_backend_dev_get(index) for index in range(count)]
    return [_read(libraries.base, device) for device in devices if device]


def _read(base: Any, device: int) -> Found:
    """One call gives all: asking for memory apart would ask the driver twice."""
    props = Props()
    base.ggml_backend_dev_get_props(device, ctypes.byref(props))
    registry = base.ggml_backend_dev_backend_reg(device)
    return Found(
        backend=backend_name(_text(base.ggml_backend_reg_name(registry) if registry else None)),
        name=_text(props.name),
        description=_text(props.description),
        kind=_KINDS[props.type] if 0 <= props.type < len(_KINDS) else "meta",
        total_bytes=props.memory_total,
        free_bytes=props.memory_free,
        id=_text(props.device_id),
        supports_mmap=props.caps.mmap_support,
    )


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")


def load(backend: str) -> None:
    """Register an approved backend. Raises `BackendUnusable`."""
    plugin = plugins.approved_for(backend)
    if plugin is None:
        raise BackendUnusable(backend, BackendProblem.NOT_INSTALLED)
    native.load_plugin(plugin)


def probe(argument: Mapping[str, object]) -> dict[str, object]:
    """The role: {"backend": "vulkan"} gives its devices and what drivers say of the cards; "cpu"
    gives all that is there without a plug-in being asked for. Both name the processor's variant.

    Raises `IncompatibleLibrary` or `BackendUnusable`.
    """
    backend = str(argument.get("backend", PROCESSOR))
    if backend == PROCESSOR:
        there = [asdict(device) for device in found()]
        return {"devices": there, "opinions": [], "variant": native.processor_variant()}
    opinions = [asdict(opinion) for opinion in (*nvml.read_cards(), *dxgi.read_adapters())]
    if not any(device.backend == backend for device in found()):
        load(backend)
    devices = [asdict(device) for device in found() if device.backend == backend]
    return {"devices": devices, "opinions": opinions, "variant": native.processor_variant()}
