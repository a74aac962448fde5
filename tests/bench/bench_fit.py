"""What a plan says that a model takes and how fast it will be, against what it really does.

`python -m tests.bench.bench_fit [TURNS]` on a quiet machine: every combination is loaded for real
in a process of its own, kernels and tokens are measured in turns. It never fails on time.
"""

import sys
from pathlib import Path

from app.paths import shared_models
from app.starter import read_manifest
from engine.types.plans import Layout
from tests.true_loads import LAYOUTS, load, predicted

TURNS = 5
HEAD = (
    f"{'model':14}{'context':>8}{'kv':>6}{'predicted':>11}{'measured':>10}{'MB off':>8}{'ratio':>7}"
    f"{'predicted':>11}{'measured':>10}{'ratio':>7}"
)


def models() -> tuple[Path, ...]:
    sys.path.insert(0, str(Path(__file__).parents[2] / "packaging"))
    from devenv.places import GEMMA_MANIFEST, STARTER_MANIFEST, models_for_tests

    starter, gemma = read_manifest(STARTER_MANIFEST), read_manifest(GEMMA_MANIFEST)
    return shared_models() / starter.file, models_for_tests() / gemma.file


def row(path: Path, layout: Layout, turns: int) -> tuple[float, float]:
    """Print one combination; the ratios of memory and speed, predicted to measured."""
    told, real = predicted(path, layout).total_bytes, load(path, layout, turns=turns)
    off = told - real.growth_bytes
    memory = told / real.growth_bytes
    speed = real.predicted_tokens_per_s / real.real_tokens_per_s
    print(
        f"{path.name[:13]:14}{layout.context_length:>8}{layout.kv_type.value:>6}"
        f"{told / 1e6:>9.1f}MB{real.growth_bytes / 1e6:>8.1f}MB{off / 1e6:>8.1f}{memory:>7.3f}"
        f"{real.predicted_tokens_per_s:>8.1f}t/s{real.real_tokens_per_s:>7.1f}t/s{speed:>7.2f}",
        flush=True,
    )
    return memory, speed


def main(turns: int) -> None:
    print(HEAD)
    ratios = [row(path, layout, turns) for path in models() for layout in LAYOUTS]
    memory, speed = (
        max(values, key=lambda ratio: abs(ratio - 1)) for values in zip(*ratios, strict=True)
    )
    print(f"worst: memory {memory:.3f}, speed {speed:.2f} of the measured")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS)
