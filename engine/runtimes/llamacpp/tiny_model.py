"""Writes a model of 2 MB that says nothing, but is the same everywhere: what devices prove
themselves with.

Weights are random bits from a seed, in the types that people's models are made of; only the scales
of the blocks are chosen, so that numbers stay near 1 from layer to layer. Pure.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from random import Random

VOCABULARY = 128
BLOCKS = 4
SEED = 0
_WIDTH = 256
_KV_WIDTH = 128
_HEADS, _KV_HEADS = 4, 2
_CONTEXT_TOKENS = 256
_ALIGNMENT = 32
_U32, _F32, _STRING = 4, 6, 8
"""Types of metadata in gguf.h."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Type:
    """A type of ggml-common.h: `head` and `tail` hold the scales, `random_bytes` the rest."""

    id: int
    elements: int
    head: bytes = b""
    random_bytes: int
    tail: bytes = b""

    def weights(self, random: Random, count: int) -> bytes:
        blocks = count // self.elements
        bits = random.randbytes(blocks * self.random_bytes)
        starts = range(0, len(bits), self.random_bytes)
        return b"".join(
            self.head + bits[start : start + self.random_bytes] + self.tail for start in starts
        )


def _half(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}e", *values)


_Q8_0 = _Type(id=8, elements=32, head=_half(1e-3), random_bytes=32)
_Q4_0 = _Type(id=2, elements=32, head=_half(0.016), random_bytes=16)
_Q4_K = _Type(id=12, elements=256, head=_half(3.3e-4, 2.5e-3), random_bytes=140)
_Q6_K = _Type(id=14, elements=256, random_bytes=208, tail=_half(1e-4))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Halves:
    """F16 whose sizes are one or two times above `smallest`, a power of two."""

    id: int = 1
    smallest: float

    def weights(self, random: Random, count: int) -> bytes:
        """Sign, mantissa and the lowest bit of the exponent are random."""
        (exponent,) = struct.unpack("<H", _half(self.smallest))
        bits = int.from_bytes(random.randbytes(2 * count), "little")
        keep, add = (
            int.from_bytes(struct.pack("<H", word) * count, "little")
            for word in (0x87FF, exponent & 0x7800)
        )
        return (bits & keep | add).to_bytes(2 * count, "little")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ones:
    id: int = 0

    def weights(self, _random: Random, count: int) -> bytes:
        return struct.pack("<f", 1.0) * count


_F16 = _Halves(smallest=2.0**-5)
_ONES = _Ones()
_Weights = _Type | _Halves | _Ones
_MIXES: tuple[tuple[_Weights, _Weights], ...] = (
    (_F16, _F16),
    (_Q8_0, _Q8_0),
    (_Q4_0, _Q4_0),
    (_Q4_K, _Q6_K),
)
"""Of each block: the usual type, and that of the tensors that quantised models keep better."""


def tiny_model(seed: int = SEED) -> bytes:
    """The bytes of a GGUF file. Another seed is another model of the same shape."""
    random = Random(seed)  # noqa: S311 - repeatable is what it has to be
    tensors = list(_tensors())
    data = [
        _padded(weights.weights(random, dims[0] * dims[-1] if dims[1:] else dims[0]))
        for _, dims, weights in tensors
    ]
    offsets = accumulate(map(len, data[:-1]), initial=0)
    rows = [
        _text(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, weights.id, offset)
        for (name, dims, weights), offset in zip(tensors, offsets, strict=True)
    ]
    facts = [_text(key) + _value(value) for key, value in _METADATA.items()]
    head = b"GGUF" + struct.pack("<IQQ", 3, len(rows), len(facts))
    return b"".join([_padded(b"".join([head, *facts, *rows])), *data])


_METADATA: Mapping[str, str | int | float] = {
    "general.architecture": "llama",
    "general.name": "Self-test",
    "llama.vocab_size": VOCABULARY,
    "llama.context_length": _CONTEXT_TOKENS,
    "llama.embedding_length": _WIDTH,
    "llama.block_count": BLOCKS,
    "llama.feed_forward_length": _WIDTH,
    "llama.attention.head_count": _HEADS,
    "llama.attention.head_count_kv": _KV_HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "tokenizer.ggml.model": "no_vocab",
}


def _tensors() -> Iterator[tuple[str, tuple[int, ...], _Weights]]:
    """Names, dimensions and types."""
    yield "token_embd.weight", (_WIDTH, VOCABULARY), _Halves(smallest=0.5)
    yield "output_norm.weight", (_WIDTH,), _ONES
    yield "output.weight", (_WIDTH, VOCABULARY), _Q6_K
    for block, (usual, better) in enumerate(_MIXES):
        for name, dims, weights in _block(usual, better):
            yield f"blk.{block}.{name}.weight", dims, weights


def _block(usual: _Weights, better: _Weights) -> Iterator[tuple[str, tuple[int, ...], _Weights]]:
    square, narrow = (_WIDTH, _WIDTH), (_WIDTH, _KV_WIDTH)
    yield "attn_norm", (_WIDTH,), _ONES
    yield "attn_q", square, usual
    yield "attn_k", narrow, usual
    yield "attn_v", narrow, better
    yield "attn_output", square, usual
    yield "ffn_norm", (_WIDTH,), _ONES
    yield "ffn_gate", square, usual
    yield "ffn_up", square, usual
    yield "ffn_down", square, better


def _value(value: str | int | float) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _text(value)
    if isinstance(value, int):
        return struct.pack("<II", _U32, value)
    return struct.pack("<If", _F32, value)


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNMENT)
