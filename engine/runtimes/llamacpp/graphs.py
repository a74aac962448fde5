"""Small ggml graphs of our own on the processor's backend, for measuring what its kernels reach.

Binds the few C functions it needs with ctypes. It must never run beside a reply, which would take
half of the cores from what is measured: it runs on the inference thread or in a child.
"""

import ctypes
import mmap
import os
from collections.abc import Sequence
from contextlib import suppress
from ctypes import POINTER, c_bool, c_char_p, c_float, c_int, c_int64, c_size_t, c_uint8, c_void_p
from typing import Any

from engine.errors import EngineStopped
from engine.models.ggml_types import TENSOR_TYPES
from engine.runtimes.llamacpp import native

_TYPE_IDS = {known.name: type_id for type_id, known in TENSOR_TYPES.items()}
_CPU_DEVICE = 0
"""`GGML_BACKEND_DEVICE_TYPE_CPU`."""
_MAX_NODES = 1024
_POOL_BYTES = 2 << 20
"""For the descriptions of tensors and one graph of `_MAX_NODES`, not for their data."""
_FILL = 0x11
"""Any byte that is a normal number in all types. Zero would stay one shared page of the system."""
_REPACK = b"CPU_REPACK"


class _InitParams(ctypes.Structure):
    """`ggml_init_params` of ggml.h."""

    _fields_ = (("mem_size", c_size_t), ("mem_buffer", c_void_p), ("no_alloc", c_bool))


_INIT_PARAMS_BYTES = 24

_TENSOR = c_void_p
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "ggml_init": (c_void_p, (_InitParams,)),
    "ggml_free": (None, (c_void_p,)),
    "ggml_new_tensor_4d": (_TENSOR, (c_void_p, c_int, c_int64, c_int64, c_int64, c_int64)),
    "ggml_nbytes": (c_size_t, (_TENSOR,)),
    "ggml_mul_mat": (_TENSOR, (c_void_p, _TENSOR, _TENSOR)),
    "ggml_add": (_TENSOR, (c_void_p, _TENSOR, _TENSOR)),
    "ggml_flash_attn_ext": (
        _TENSOR,
        (c_void_p, _TENSOR, _TENSOR, _TENSOR, _TENSOR, c_float, c_float, c_float),
    ),
    "ggml_new_graph_custom": (c_void_p, (c_void_p, c_size_t, c_bool)),
    "ggml_build_forward_expand": (None, (c_void_p, _TENSOR)),
    "ggml_reshape_2d": (_TENSOR, (c_void_p, _TENSOR, c_int64, c_int64)),
    "ggml_backend_alloc_ctx_tensors_from_buft": (c_void_p, (c_void_p, c_void_p)),
    "ggml_backend_buft_alloc_buffer": (c_void_p, (c_void_p, c_size_t)),
    "ggml_backend_cpu_buffer_from_ptr": (c_void_p, (c_void_p, c_size_t)),
    "ggml_backend_buffer_get_base": (c_void_p, (c_void_p,)),
    "ggml_backend_tensor_alloc": (c_int, (c_void_p, _TENSOR, c_void_p)),
    "ggml_backend_buffer_free": (None, (c_void_p,)),
    "ggml_backend_buffer_clear": (None, (c_void_p, c_uint8)),
    "ggml_backend_buft_name": (c_char_p, (c_void_p,)),
    "ggml_backend_dev_init": (c_void_p, (c_void_p, c_char_p)),
    "ggml_backend_dev_buffer_type": (c_void_p, (c_void_p,)),
    "ggml_backend_dev_backend_reg": (c_void_p, (c_void_p,)),
    "ggml_backend_dev_supports_op": (c_bool, (c_void_p, _TENSOR)),
    "ggml_backend_reg_get_proc_address": (c_void_p, (c_void_p, c_char_p)),
    "ggml_backend_graph_compute": (c_int, (c_void_p, c_void_p)),
    "ggml_backend_free": (None, (c_void_p,)),
}


def _bound(library: ctypes.CDLL) -> ctypes.CDLL:
    size = ctypes.sizeof(_InitParams)
    if size != _INIT_PARAMS_BYTES:
        raise native.IncompatibleLibrary(f"ggml_init_params has {size} bytes")
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _processor_device(library: ctypes.CDLL) -> int:
    registry = ctypes.CDLL("ggml.dll") if os.name == "nt" else library
    by_type = registry.ggml_backend_dev_by_type
    by_type.restype, by_type.argtypes = c_void_p, (c_int,)
    device: int | None = by_type(_CPU_DEVICE)
    if not device:
        raise EngineStopped("ggml has no processor backend")
    return device


class Memory:
    """One block of memory in which tensors of any type are laid, its pages all written."""

    def __init__(self, library: ctypes.CDLL, buffer: int | None, size_bytes: int) -> None:
        self._library = library
        self._buffer = buffer
        if not buffer:
            raise EngineStopped("no memory for a measurement")
        library.ggml_backend_buffer_clear(buffer, _FILL)
        self._base = int(library.ggml_backend_buffer_get_base(buffer))
        self.size_bytes = size_bytes

    def lay(self, tensor: int, offset: int) -> None:
        if offset + int(self._library.ggml_nbytes(tensor)) > self.size_bytes:
            raise ValueError("past the end of the memory")
        self._library.ggml_backend_tensor_alloc(self._buffer, tensor, self._base + offset)

    def close(self) -> None:
        self._library.ggml_backend_buffer_free(self._buffer)


class PagedMemory(Memory):
    """In small pages, like a mapped model file: in large ones, which some systems give to plain
    memory of this size, reading would be faster."""

    def __init__(self, library: ctypes.CDLL, size_bytes: int) -> None:
        self._pages = mmap.mmap(-1, size_bytes)
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            with suppress(OSError):  # a system without large pages
                self._pages.madvise(mmap.MADV_NOHUGEPAGE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._pages))
        buffer = library.ggml_backend_cpu_buffer_from_ptr(address, size_bytes)
        super().__init__(library, buffer, size_bytes)

    def close(self) -> None:
        super().close()
        self._pages.close()


class Graph:
    """Tensors and operations on them that are described, placed and computed together.

    Describe, then `place`, then `compute` any number of times. Tensors are ggml's pointers.
    """

    def __init__(self, processor: "Processor") -> None:
        self._processor = processor
        self._library = processor.library
        self._pool: int = self._library.ggml_init(_InitParams(_POOL_BYTES, None, True))
        self._buffer: int | None = None
        self._graph: int | None = None

    def tensor(self, type_name: str, *sizes: int) -> int:
        """A new tensor of one to four dimensions."""
        padded = (*sizes, 1, 1, 1)[:4]
        made: int = self._library.ggml_new_tensor_4d(self._pool, _TYPE_IDS[type_name], *padded)
        return made

    def reshape(self, tensor: int, columns: int, rows: int) -> int:
        made: int = self._library.ggml_reshape_2d(self._pool, tensor, columns, rows)
        return made

    def multiply(self, weights: int, token: int) -> int:
        made: int = self._library.ggml_mul_mat(self._pool, weights, token)
        return made

    def add(self, left: int, right: int) -> int:
        made: int = self._library.ggml_add(self._pool, left, right)
        return made

    def attend(self, query: int, key: int, value: int, mask: int) -> int:
        made: int = self._library.ggml_flash_attn_ext(
            self._pool, query, key, value, mask, 1.0, 0.0, 0.0
        )
        return made

    def place(self, results: Sequence[int]) -> None:
        """Fix what is computed, and give what no `Memory` holds memory of its own."""
        self._graph = self._library.ggml_new_graph_custom(self._pool, _MAX_NODES, False)
        for result in results:
            self._library.ggml_build_forward_expand(self._graph, result)
        self._buffer = self._library.ggml_backend_alloc_ctx_tensors_from_buft(
            self._pool, self._processor.plain
        )
        if not self._buffer:
            raise EngineStopped("no memory for a measurement")
        self._library.ggml_backend_buffer_clear(self._buffer, _FILL)

    def compute(self) -> None:
        self._processor.compute(self._graph)

    def close(self) -> None:
        if self._buffer:
            self._library.ggml_backend_buffer_free(self._buffer)
        self._library.ggml_free(self._pool)


class Processor:
    """The processor's backend with a number of threads."""

    def __init__(self, threads: int) -> None:
        self.library = _bound(native.ggml(native.api()))
        self._device = _processor_device(self.library)
        self._reg = self.library.ggml_backend_dev_backend_reg(self._device)
        self.plain: int = self.library.ggml_backend_dev_buffer_type(self._device)
        self._repacking = self._repacking_buffer_type()
        self._backend = self.library.ggml_backend_dev_init(self._device, None)
        set_threads = ctypes.CFUNCTYPE(None, c_void_p, c_int)
        set_threads(self._address("ggml_backend_set_n_threads"))(self._backend, threads)

    def _address(self, name: str) -> int:
        address: int | None = self.library.ggml_backend_reg_get_proc_address(
            self._reg, name.encode()
        )
        if not address:
            raise EngineStopped(f"ggml's processor backend has no {name}")
        return address

    def _repacking_buffer_type(self) -> int | None:
        extra = ctypes.CFUNCTYPE(POINTER(c_void_p), c_void_p)
        found = extra(self._address("ggml_backend_dev_get_extra_bufts"))(self._device)
        index = 0
        while found and (buffer_type := found[index]):
            if self.library.ggml_backend_buft_name(buffer_type) == _REPACK:
                return int(buffer_type)
            index += 1
        return None

    def memory(self, size_bytes: int) -> Memory:
        return PagedMemory(self.library, size_bytes)

    def repacking_memory(self, size_bytes: int) -> Memory | None:
        """Memory whose weights are taken to be repacked; None where nothing ever is."""
        if self._repacking is None:
            return None
        buffer = self.library.ggml_backend_buft_alloc_buffer(self._repacking, size_bytes)
        return Memory(self.library, buffer, size_bytes)

    def supports(self, operation: int) -> bool:
        """Whether the backend computes this node with the memory its sources lie in."""
        return bool(self.library.ggml_backend_dev_supports_op(self._device, operation))

    def compute(self, graph: int | None) -> None:
        status = self.library.ggml_backend_graph_compute(self._backend, graph)
        if status:
            raise EngineStopped(f"a measurement's graph ended with status {status}")

    def close(self) -> None:
        self.library.ggml_backend_free(self._backend)
