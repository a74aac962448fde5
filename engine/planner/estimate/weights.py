"""Bytes of weights in each place of a layout. Pure; sizes are those of the file's tensors.

The token table always stays in main memory. With tied embeddings the head is the table, and a
device that holds the head gets a copy of it (`TENSOR_DUPLICATED` in llama.cpp's loader).
"""

from engine.planner.estimate.places import output_place, place_of_layers, places
from engine.types.plans import Layout
from engine.types.shapes import ModelShape


def weights_bytes(shape: ModelShape, layout: Layout) -> tuple[int, ...]:
    """Main memory first, then one number for each device."""
    sizes = [0] * places(layout)
    sizes[0] += shape.embedding_bytes
    kept = layout.expert_layers_in_ram
    for layer, place in zip(shape.layers, place_of_layers(len(shape.layers), layout), strict=True):
        experts = layer.expert_bytes if place and kept > 0 else 0
        kept -= 1 if place else 0
        sizes[0] += experts
        sizes[place] += layer.weights_bytes - experts
    _add_head(sizes, shape, layout)
    return tuple(sizes)


def _add_head(sizes: list[int], shape: ModelShape, layout: Layout) -> None:
    """A head that stays in main memory leaves its norm with the last block (the runtime sends
    only the matrix back); with tied embeddings it is in main memory as the token table already."""
    place = output_place(layout)
    if place:
        sizes[place] += shape.output_bytes
        return
    last = len(layout.backends) if shape.tied and any(layout.device_layers) else 0
    sizes[last] += own_output_bytes(shape)


def own_output_bytes(shape: ModelShape) -> int:
    """What the head takes beside the token table: with tied embeddings little more than a norm."""
    blocks = sum(layer.weights_bytes for layer in shape.layers)
    return shape.weights_bytes - shape.embedding_bytes - blocks
