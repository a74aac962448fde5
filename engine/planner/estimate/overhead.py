"""Bytes that appear beside a model's weights, cache and graph. A first rough figure."""

from engine.planner.estimate.places import places
from engine.types.plans import Layout
from engine.types.shapes import ModelShape

_BESIDE_BYTES = 32 << 20


def overhead_bytes(_shape: ModelShape, layout: Layout) -> tuple[int, ...]:
    return (_BESIDE_BYTES,) * places(layout)
