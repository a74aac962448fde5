"""What we say that a model takes, against what llama.cpp says, for every shape of the zoo.

`python -m tests.bench.bench_estimate [NAME ...]` prints the table in MiB, and the worst ratios.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from engine.models.shape import read_shape
from engine.planner.estimate.memory import estimate
from engine.types.plans import KvType, Layout
from tests.no_alloc import ask
from tests.zoo import ZOO, write

MIB = 1 << 20
LAYOUTS = tuple(
    Layout(context_length=context, kv_type=kv_type, ubatch=ubatch)
    for context, kv_type, ubatch in product((4096, 32768, 131072), KvType, (128, 512))
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """In MiB. `weights` are equal, or the row says by how many bytes they differ."""

    name: str
    layout: Layout
    weights: float
    weights_off_bytes: int
    kv: float
    real_kv: float
    compute: float
    real_compute: float

    @property
    def ratio(self) -> float:
        return self.compute / self.real_compute

    @property
    def total_ratio(self) -> float:
        real = self.weights - self.weights_off_bytes / MIB + self.real_kv + self.real_compute
        return (self.weights + self.kv + self.compute) / real

    def line(self) -> str:
        layout = self.layout
        return (
            f"{self.name:18}{layout.context_length:>7}{layout.kv_type.value:>6}{layout.ubatch:>5}"
            f"{self.weights:>11.2f}{self.weights_off_bytes:>5}{self.kv:>10.2f}{self.real_kv:>10.2f}"
            f"{self.compute:>9.2f}{self.real_compute:>9.2f}{self.ratio:>7.3f}"
            f"{self.total_ratio:>8.4f}"
        )


def rows(name: str, folder: Path) -> Iterator[Row]:
    path = write(name, folder)
    shape, real = read_shape(path), ask(path, LAYOUTS)
    for layout, kv, compute in zip(LAYOUTS, real.cache_mib, real.compute_mib, strict=True):
        if kv is None or compute is None:
            print(f"{name:18}{layout.context_length:>7}  llama.cpp refuses")
            continue
        (ours,) = estimate(shape, layout)
        yield Row(
            name=name,
            layout=layout,
            weights=ours.weights_bytes / MIB,
            weights_off_bytes=ours.weights_bytes - real.loaded_bytes,
            kv=ours.kv_bytes / MIB,
            real_kv=kv,
            compute=ours.compute_bytes / MIB,
            real_compute=compute,
        )


def main(names: list[str]) -> None:
    print(
        f"{'model':18}{'ctx':>7}{'kv':>6}{'ub':>5}{'weights':>11}{'off':>5}{'kv':>10}{'real':>10}"
        f"{'compute':>9}{'real':>9}{'ratio':>7}{'total':>8}"
    )
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names or list(ZOO):
            for row in rows(name, Path(folder)):
                print(row.line(), flush=True)
                table.append(row)
    _print_worst(table)


def _print_worst(table: list[Row]) -> None:
    print(f"{len(table)} layouts of {len({row.name for row in table})} models")
    print(f"weights off by at most {max(abs(row.weights_off_bytes) for row in table)} bytes")
    print(f"kv off by at most {max(abs(row.kv - row.real_kv) for row in table):.3f} MiB")
    ratios, totals = [row.ratio for row in table], [row.total_ratio for row in table]
    print(f"compute {min(ratios):.4f} to {max(ratios):.4f} of the real one")
    print(f"total {min(totals):.5f} to {max(totals):.5f} of the real one")


if __name__ == "__main__":
    main(sys.argv[1:])
