"""RWKV of both generations, as published and as made of Qwen 2.

Tensor lists follow src/models/*.cpp of the llama.cpp inside llama-cpp-python 0.3.36.
"""

from pathlib import Path

from tests.rare.rows import (
    INNER,
    WIDTH,
    Row,
    block_rows,
    gated_rows,
    metadata_of,
    norm_rows,
    write_model,
)

_RANK, _HEAD = 32, 64


def rwkv6(path: Path) -> Path:
    return _sixth(path, fused=True)


def rwkv6_before(path: Path) -> Path:
    """As converted before the weights that mix were fused."""
    return _sixth(path, fused=False)


def rwkv6qwen2(path: Path) -> Path:
    """Fewer heads for K and V, biases, a plain feed-forward part, one token of shift."""
    kv = 2

    def block(_number: int) -> list[Row]:
        return [
            *norm_rows("attn_norm", "ffn_norm"),
            *_small_mixes(),
            ("time_mix_lerp_fused.weight", (WIDTH, 1, 1, 5)),
            *_square("receptance", "gate", "output"),
            *[(f"time_mix_{name}.weight", (WIDTH, kv * _HEAD)) for name in ("key", "value")],
            *[(f"time_mix_{name}.bias", (kv * _HEAD,)) for name in ("key", "value")],
            ("time_mix_receptance.bias", (WIDTH,)),
            *gated_rows(),
        ]

    metadata = metadata_of(
        "rwkv6qwen2",
        6,
        attention__head_count=WIDTH // _HEAD,
        attention__head_count_kv=kv,
        token_shift_count=1,
        **_SIXTH,
    )
    return write_model(path, metadata, block_rows(6, block), tied=False)


def rwkv7(path: Path) -> Path:
    def block(_number: int) -> list[Row]:
        return [
            *_seventh(),
            *norm_rows("attn_norm_2", "time_mix_ln"),
            ("attn_norm.bias", (WIDTH,)),
            ("attn_norm_2.bias", (WIDTH,)),
            ("time_mix_ln.bias", (WIDTH,)),
            ("channel_mix_lerp_k.weight", (WIDTH, 1, 1)),
            ("channel_mix_key.weight", (WIDTH, INNER)),
            ("channel_mix_value.weight", (INNER, WIDTH)),
        ]

    metadata = metadata_of("rwkv7", 5, **_NO_HEADS, token_shift_count=2, **_SEVENTH)
    return write_model(path, metadata, _TOP + block_rows(5, block), tied=False)


def arwkv7(path: Path) -> Path:
    """Made of Qwen 2: one token of shift, a plain feed-forward part, no norm of groups."""

    def block(_number: int) -> list[Row]:
        return [*_seventh(), *norm_rows("ffn_norm"), *gated_rows()]

    metadata = metadata_of("arwkv7", 5, **_NO_HEADS, token_shift_count=1, **_SEVENTH)
    return write_model(path, metadata, block_rows(5, block), tied=False)


_NO_HEADS = {"attention__head_count": 0, "attention__head_count_kv": None}
_SIXTH = {
    "wkv__head_size": _HEAD,
    "time_mix_extra_dim": _RANK,
    "time_decay_extra_dim": 2 * _RANK,
}
_SEVENTH = {
    "wkv__head_size": _HEAD,
    "attention__decay_lora_rank": _RANK,
    "attention__iclr_lora_rank": _RANK,
    "attention__value_residual_mix_lora_rank": _RANK,
    "attention__gate_lora_rank": _RANK,
}
_TOP: list[Row] = [
    *norm_rows("token_embd_norm"),
    ("token_embd_norm.bias", (WIDTH,)),
    ("output_norm.bias", (WIDTH,)),
]


def _square(*names: str) -> list[Row]:
    return [(f"time_mix_{name}.weight", (WIDTH, WIDTH)) for name in names]


def _small_mixes() -> list[Row]:
    return [
        ("time_mix_w1.weight", (WIDTH, 5 * _RANK)),
        ("time_mix_w2.weight", (_RANK, WIDTH, 5)),
        ("time_mix_lerp_x.weight", (WIDTH, 1, 1)),
        ("time_mix_decay.weight", (WIDTH,)),
        ("time_mix_decay_w1.weight", (WIDTH, 2 * _RANK)),
        ("time_mix_decay_w2.weight", (2 * _RANK, WIDTH)),
    ]


def _sixth(path: Path, *, fused: bool) -> Path:
    fused_rows: list[Row] = [("time_mix_lerp_fused.weight", (WIDTH, 1, 1, 5))]
    apart: list[Row] = [(f"time_mix_lerp_{name}.weight", (WIDTH, 1, 1)) for name in "wkvrg"]

    def block(_number: int) -> list[Row]:
        return [
            *norm_rows("attn_norm", "attn_norm_2", "time_mix_ln"),
            *[(f"{name}.bias", (WIDTH,)) for name in ("attn_norm", "attn_norm_2", "time_mix_ln")],
            *_small_mixes(),
            *(fused_rows if fused else apart),
            ("time_mix_first.weight", (_HEAD, WIDTH // _HEAD)),
            *_square("key", "value", "receptance", "gate", "output"),
            ("channel_mix_lerp_k.weight", (WIDTH, 1, 1)),
            ("channel_mix_lerp_r.weight", (WIDTH, 1, 1)),
            ("channel_mix_key.weight", (WIDTH, INNER)),
            ("channel_mix_value.weight", (INNER, WIDTH)),
            ("channel_mix_receptance.weight", (WIDTH, WIDTH)),
        ]

    metadata = metadata_of(
        "rwkv6", 7, **_NO_HEADS, token_shift_count=2, rescale_every_n_layers=6, **_SIXTH
    )
    return write_model(path, metadata, _TOP + block_rows(7, block), tied=False)


def _seventh() -> list[Row]:
    vectors = ("w0", "a0", "v0", "k_k", "k_a", "r_k")
    low = [f"time_mix_{name}" for name in "wavg"]
    return [
        *norm_rows("attn_norm"),
        *norm_rows(*(f"time_mix_{name}" for name in vectors)),
        *[(f"{name}1.weight", (WIDTH, _RANK)) for name in low],
        *[(f"{name}2.weight", (_RANK, WIDTH)) for name in low],
        ("time_mix_lerp_fused.weight", (WIDTH, 1, 1, 6)),
        *_square("key", "value", "receptance", "output"),
    ]
