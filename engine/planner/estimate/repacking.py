"""Which weights a processor keeps a second copy of, in an order it likes better. Pure.

A shape names everything that some processor repacks; `for_processor` leaves what this one does.
Conditions are those of `ggml_repack_get_optimal_repack_type` in ggml/src/ggml-cpu/repack.cpp.
"""

from dataclasses import replace

from engine.types.hardware import Cpu
from engine.types.shapes import Layer, ModelShape

_AVX2 = frozenset(("Q4_0", "Q4_K", "IQ4_NL", "MXFP4"))
_AVX512 = frozenset(("Q2_K",))
_DOT_PRODUCTS = _AVX2 | frozenset(("Q5_K", "Q6_K", "Q8_0", "Q1_0"))
_EVERY = {"x86_64": _AVX2 | _AVX512, "arm64": _DOT_PRODUCTS}

TypeBytes = tuple[tuple[str, int], ...]


def repacked_types(cpu: Cpu) -> frozenset[str]:
    """Names of the types. Where features are not known, all that its architecture may repack."""
    if not cpu.features:
        return _EVERY.get(cpu.architecture, _DOT_PRODUCTS | _AVX512)
    found: frozenset[str] = frozenset()
    if "avx2" in cpu.features:
        found |= _AVX2
    if "avx512f" in cpu.features:
        found |= _AVX512
    if cpu.features & {"dotprod", "asimddp", "i8mm"}:
        found |= _DOT_PRODUCTS
    return found


def for_processor(shape: ModelShape, cpu: Cpu) -> ModelShape:
    """The same model with only those copies that this processor makes."""
    types = repacked_types(cpu)
    return replace(
        shape,
        layers=tuple(_layer(layer, types) for layer in shape.layers),
        output_repack_bytes=_only(shape.output_repack_bytes, types),
    )


def _layer(layer: Layer, types: frozenset[str]) -> Layer:
    return replace(
        layer,
        repack_bytes=_only(layer.repack_bytes, types),
        expert_repack_bytes=_only(layer.expert_repack_bytes, types),
    )


def _only(sizes: TypeBytes, types: frozenset[str]) -> TypeBytes:
    return tuple((name, size) for name, size in sizes if name in types)
