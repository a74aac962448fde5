"""The shape of a model in another quantization, from one whose header was read: the same layers,
with weights larger or smaller by the size of the file. An estimate until its own header is read;
caches and vocabulary do not change. Pure."""

from dataclasses import replace

from engine.types.shapes import AnyShape, Layer, ModelShape

_Parts = tuple[tuple[str, int], ...]


def scaled(shape: AnyShape, factor: float) -> AnyShape:
    """`factor` is the other file's size over this one's."""
    if not isinstance(shape, ModelShape):
        return replace(shape, weights_bytes=int(shape.weights_bytes * factor))
    return replace(
        shape,
        file_bytes=int(shape.file_bytes * factor),
        weights_bytes=int(shape.weights_bytes * factor),
        embedding_bytes=int(shape.embedding_bytes * factor),
        output_bytes=int(shape.output_bytes * factor),
        output_type_bytes=_parts(shape.output_type_bytes, factor),
        output_repack_bytes=_parts(shape.output_repack_bytes, factor),
        layers=tuple(_layer(layer, factor) for layer in shape.layers),
    )


def _layer(layer: Layer, factor: float) -> Layer:
    return replace(
        layer,
        weights_bytes=int(layer.weights_bytes * factor),
        expert_bytes=int(layer.expert_bytes * factor),
        type_bytes=_parts(layer.type_bytes, factor),
        repack_bytes=_parts(layer.repack_bytes, factor),
        expert_repack_bytes=_parts(layer.expert_repack_bytes, factor),
        matrices=tuple(
            (columns, rows, int(count_bytes * factor))
            for columns, rows, count_bytes in layer.matrices
        ),
    )


def _parts(parts: _Parts, factor: float) -> _Parts:
    return tuple((name, int(count_bytes * factor)) for name, count_bytes in parts)
