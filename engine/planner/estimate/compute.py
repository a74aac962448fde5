"""Bytes of the graph's buffer in each place. A first rough figure, to be replaced."""

from engine.planner.estimate.places import places
from engine.types.plans import Layout
from engine.types.shapes import ModelShape


def compute_bytes(shape: ModelShape, layout: Layout) -> tuple[int, ...]:
    """Activations of one batch, in every place that computes."""
    widest = max((layer.feed_forward for layer in shape.layers), default=0) + 4 * shape.width
    return (4 * layout.ubatch * widest + 4 * shape.vocabulary,) * places(layout)
