"""Reads what memory llama.cpp takes, and where, from the lines it logs about its buffers.

Pure. The wording is that of the pinned version (llama-model.cpp, llama-kv-cache.cpp,
llama-memory-recurrent.cpp, llama-context.cpp); the system tests hold it against the real thing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from engine.types.plans import Measured

RAM = "ram"

_MIB = 1024 * 1024
_BUFFER = re.compile(
    r":\s+(?P<buffer>\S+)\s+(?:\S+\s+)*?(?P<kind>model|KV|RS|state|compute|output) buffer size"
    r" =\s*(?P<mib>\d+(?:\.\d+)?) MiB"
)
_LAYER = re.compile(r"llama_kv_cache: layer\s+\d+: dev = (?P<device>\S+)")
_CACHE = re.compile(r"llama_kv_cache: size =\s*(?P<mib>\d+(?:\.\d+)?) MiB \(.*\), K \(")
_TENSORS = re.compile(r"key-value pairs and (?P<count>\d+) tensors from")
_OF_THE_PROCESSOR = ("CPU", "AMX", "BLAS")
"""Buffer types of the processor begin so (CPU_Mapped, CPU_REPACK); pinned ones end in `_Host`."""


def pool_of(buffer: str, devices: tuple[str, ...]) -> str:
    """The memory pool behind a buffer's name: "ram" or one of `devices`.

    A device's buffers begin with its name (CUDA0, MTL0_Mapped). OpenCL's do not: whatever is
    not the processor's belongs to the device if there is just one.
    """
    for device in devices:
        if buffer == device or buffer.startswith(device + "_"):
            return device
    if buffer.startswith(_OF_THE_PROCESSOR) or buffer.endswith("_Host") or not devices:
        return RAM
    return devices[0] if len(devices) == 1 else buffer


def measured_from(lines: Iterable[str], devices: tuple[str, ...]) -> Measured:
    """The buffers of one load, from all lines that it logged, debug ones included."""
    tally = _Tally(devices)
    for line in lines:
        tally.read(line)
    return tally.result()


def tensor_count(lines: Iterable[str]) -> int:
    """How many tensors the loader found in the file; 0 if it did not say."""
    found = (_TENSORS.search(line) for line in lines)
    return next((int(match["count"]) for match in found if match), 0)


class _Tally:
    """Sums as lines come. A cache logs its layers, then its buffers, then its size."""

    def __init__(self, devices: tuple[str, ...]) -> None:
        self._devices = devices
        self._weights: Counter[str] = Counter()
        self._kv: Counter[str] = Counter()
        self._output: Counter[str] = Counter()
        self._compute: dict[str, int] = {}
        self._cache_layers: Counter[str] = Counter()
        self._cache_buffers: Counter[str] = Counter()

    def read(self, line: str) -> None:
        if match := _LAYER.search(line):
            self._cache_layers[pool_of(match["device"], self._devices)] += 1
        elif match := _CACHE.search(line):
            self._end_cache(_bytes(match["mib"]))
        elif match := _BUFFER.search(line):
            self._add(match["kind"], match["buffer"], _bytes(match["mib"]))

    def _add(self, kind: str, buffer: str, size: int) -> None:
        pool = pool_of(buffer, self._devices)
        if kind == "compute":
            self._compute[buffer] = size  # reserved anew, it replaces the one before
            return
        sums = {"model": self._weights, "output": self._output, "KV": self._cache_buffers}
        sums.get(kind, self._kv)[pool] += size

    def _end_cache(self, size: int) -> None:
        """Without allocation the buffers are empty: then the size goes where the layers are."""
        placed = self._cache_buffers.total()
        self._kv.update(self._cache_buffers if placed else _shares(size, self._cache_layers))
        self._cache_buffers.clear()
        self._cache_layers.clear()

    def result(self) -> Measured:
        self._kv.update(self._cache_buffers)
        compute: Counter[str] = Counter()
        for buffer, size in self._compute.items():
            compute[pool_of(buffer, self._devices)] += size
        return Measured(
            kv_bytes=self._in_order(self._kv),
            compute_bytes=self._in_order(compute),
            weights_bytes=self._in_order(self._weights),
            output_bytes=self._in_order(self._output),
        )

    def _in_order(self, sums: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
        """Main memory first, then the devices as they were given; pools with nothing left out."""
        known = (RAM, *self._devices)
        order = [*known, *sorted(set(sums) - set(known))]
        return tuple((pool, sums[pool]) for pool in order if sums.get(pool))


def _shares(size: int, layers: Counter[str]) -> dict[str, int]:
    """`size` over pools by layers; layers of one cache are of one size but for odd models."""
    total = layers.total()
    if not total:
        return {RAM: size}
    return {pool: size * count // total for pool, count in layers.items()}


def _bytes(mib: str) -> int:
    """Two digits are printed, so it is within 5.3 kB of the truth."""
    return round(float(mib) * _MIB)
