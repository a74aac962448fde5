"""What a layout takes in each place: the sum that a plan is weighed by. Pure."""

from engine.planner.estimate.cache import cache_bytes
from engine.planner.estimate.compute import compute_bytes
from engine.planner.estimate.overhead import overhead_bytes
from engine.planner.estimate.weights import weights_bytes
from engine.types.plans import Layout, Use
from engine.types.shapes import ModelShape


def estimate(shape: ModelShape, layout: Layout) -> tuple[Use, ...]:
    """Main memory first, then one for each device of the layout.

    Only for a shape whose sizes are known (no `Unsure.SIZES_MISSING`).
    """
    places = zip(
        weights_bytes(shape, layout),
        cache_bytes(shape, layout),
        compute_bytes(shape, layout),
        overhead_bytes(shape, layout),
        strict=True,
    )
    return tuple(
        Use(weights_bytes=weights, kv_bytes=kv, compute_bytes=compute, overhead_bytes=overhead)
        for weights, kv, compute, overhead in places
    )
