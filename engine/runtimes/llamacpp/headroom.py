"""Where llama.cpp can not fail it dies, so what it will need there is tried out before.

Under `ulimit -v` (and on Windows, where memory is promised) large buffers fail cleanly, but
ggml's graph metadata and a thread that can not be started end in assertions, its work buffer in
an exception that nobody catches. Nothing here is written to, so elsewhere it costs and means
nothing. On the thread that loads.

What can still end the process: another thread of ours that takes the room in between, a batch
whose work buffer is larger than allowed for here, a system that kills for memory that was
promised but is not there, and any device's driver. That is what the rehearsal child is for.
"""

import mmap
import sys

from engine.errors import OutOfMemory

_MIB = 1024 * 1024

_NODE_BYTES = 20_480
"""A scheduler's metadata a graph node: 60 tensors of 336 bytes and the graph itself
(`context_buffer_size` in ggml-backend.cpp)."""
_LEAST_NODES = 1024
_MANY_NODES = frozenset(
    {
        "bailingmoe3",
        "deepseek4",
        "hy_v4",
        "kimi-linear",
        "minimax-01",
        "minimax-m3",
        "nanbeige",
        "qwen35",
        "qwen35moe",
        "qwen3next",
        "qwen4exp",
    }
)
"""Architectures with four times the nodes (`graph_max_nodes` in llama-context.cpp)."""
_SLACK_BYTES = 16 * _MIB

LOAD_BYTES = 16 * _MIB
"""What opening a file takes outside its buffers."""
_STACK_BYTES = 8 * _MIB
"""Of a thread; what Linux gives when nobody says otherwise."""
_WORK_BYTES = 32 * _MIB
"""The processor's work buffer: a batch of the widest row, quantised; and small change."""


def require(size_bytes: int, what: str) -> None:
    """Raise `OutOfMemory` if so much could not be had now."""
    _reserve(size_bytes, what).close()


def graph_bytes(architecture: str, tensors: int, ubatch: int) -> int:
    """What the graph of a context takes outside its buffers, address space above all."""
    nodes = max(8 * tensors, _LEAST_NODES)
    if architecture in _MANY_NODES:
        nodes = max(32 * tensors, 40 * ubatch)
    return nodes * _NODE_BYTES + _SLACK_BYTES


def decode_bytes(threads: int) -> int:
    """What the first evaluation adds: the stacks of its threads and its work buffer."""
    return threads * _STACK_BYTES + _WORK_BYTES


class Ballast:
    """Memory held while a context takes its caches, thrown off just before its graph is made.

    So a context whose caches leave too little for the graph fails at the caches, cleanly.
    """

    _GRAPH_IS_NEXT = "max_nodes ="
    """In the line that `sched_reserve` logs before it takes anything."""

    def __init__(self, size_bytes: int) -> None:
        """Raises `OutOfMemory`."""
        self._memory = _reserve(size_bytes, "a context")

    def hear(self, line: str) -> None:
        """A line of llama.cpp's log."""
        if self._GRAPH_IS_NEXT in line:
            self.close()

    @property
    def held(self) -> bool:
        return not self._memory.closed

    def close(self) -> None:
        self._memory.close()


def _reserve(size_bytes: int, what: str) -> mmap.mmap:
    try:
        if sys.platform == "win32":
            return mmap.mmap(-1, size_bytes)
        return mmap.mmap(-1, size_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, MemoryError) as error:
        raise OutOfMemory(f"no {size_bytes} bytes left for {what}: {error}") from error
