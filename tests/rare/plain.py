"""Transformers that differ from the plain one in a norm, a gate, or where experts sit.

Tensor lists follow src/models/*.cpp of the llama.cpp inside llama-cpp-python 0.3.36.
"""

from pathlib import Path

from tests.rare.rows import (
    EXPERTS,
    HEAD,
    HEADS,
    INNER,
    MOE,
    WIDTH,
    Row,
    attention_rows,
    block_rows,
    gated_rows,
    metadata_of,
    norm_rows,
    routed_rows,
    write_model,
)

_EVEN = WIDTH // HEADS
"""A head where all of them are as wide as the model."""
_SMALL = {
    "attention__key_length": _EVEN,
    "attention__value_length": _EVEN,
    "rope__dimension_count": _EVEN,
}


def olmo(path: Path) -> Path:
    """No weights in any norm."""

    def block(_number: int) -> list[Row]:
        return [*attention_rows(_EVEN)[1:], *gated_rows()]

    metadata = metadata_of("olmo", 7, **_SMALL)
    return write_model(path, metadata, block_rows(7, block), norm=False)


def talkie(path: Path) -> Path:
    """Norms without weights after the rotation; what came in is added in each layer again."""

    def block(_number: int) -> list[Row]:
        return [
            *attention_rows()[1:],
            *gated_rows(),
            ("attn_q_norm.weight", (1, HEADS)),
            ("layer_output_scale.weight", (1,)),
        ]

    metadata = metadata_of("talkie", 7, logit_scale=1.0)
    return write_model(path, metadata, block_rows(7, block), tied=False, norm=False)


def apertus(path: Path) -> Path:
    """No gate in the feed-forward part."""

    def block(_number: int) -> list[Row]:
        norms = norm_rows("attn_q_norm", "attn_k_norm", width=HEAD)
        return [*attention_rows(), *norms, *norm_rows("ffn_norm"), *gated_rows()[1:]]

    own = {f"xielu.{name}": 0.5 for name in ("alpha_n", "alpha_p", "beta", "eps")}
    metadata = metadata_of("apertus", 7)
    return write_model(path, {**metadata, **own}, block_rows(7, block), tied=False)


def arctic(path: Path) -> Path:
    """A dense part, and experts that read what attention read."""

    def block(_number: int) -> list[Row]:
        return [
            *attention_rows(_EVEN),
            *norm_rows("ffn_norm", "ffn_norm_exps"),
            *gated_rows(inner=WIDTH),
            *routed_rows(),
        ]

    metadata = metadata_of("arctic", 6, **_SMALL, **MOE)
    return write_model(path, metadata, block_rows(6, block), tied=False)


def afmoe(path: Path) -> Path:
    """What attention saw is gated element by element; every fourth layer is not rotated."""

    def block(number: int) -> list[Row]:
        moe = [*routed_rows(), *gated_rows("_shexp"), ("exp_probs_b.bias", (EXPERTS,))]
        return [
            *attention_rows(),
            ("attn_gate.weight", (WIDTH, HEADS * HEAD)),
            *norm_rows("attn_q_norm", "attn_k_norm", width=HEAD),
            *norm_rows("post_attention_norm", "ffn_norm", "post_ffw_norm"),
            *(moe if number > 1 else gated_rows()),
        ]

    metadata = metadata_of(
        "afmoe",
        9,
        **MOE,
        leading_dense_block_count=2,
        expert_shared_count=1,
        attention__sliding_window=512,
        rope__freq_base_swa=10000.0,
    )
    return write_model(path, metadata, block_rows(9, block), tied=False)


def laguna(path: Path) -> Path:
    """One gate a head; more heads inside windows."""
    return _laguna(path, by_element=False)


def laguna_by_element(path: Path) -> Path:
    return _laguna(path, by_element=True)


def _laguna(path: Path, *, by_element: bool) -> Path:
    heads = [HEADS if number % 4 == 0 else 2 * HEADS for number in range(9)]

    def block(number: int) -> list[Row]:
        moe = [*routed_rows(), *gated_rows("_shexp"), ("exp_probs_b.bias", (EXPERTS,))]
        count = heads[number]
        return [
            *attention_rows()[:1],
            ("attn_q.weight", (WIDTH, count * HEAD)),
            *attention_rows()[2:4],
            ("attn_output.weight", (count * HEAD, WIDTH)),
            ("attn_gate.weight", (WIDTH, count * (HEAD if by_element else 1))),
            *norm_rows("attn_q_norm", "attn_k_norm", width=HEAD),
            *norm_rows("ffn_norm"),
            *(moe if number else gated_rows()),
        ]

    metadata = metadata_of(
        "laguna",
        9,
        **MOE,
        attention__head_count=heads,
        leading_dense_block_count=1,
        expert_shared_count=1,
        expert_shared_feed_forward_length=INNER,
        attention__sliding_window=512,
        rope__dimension_count_swa=HEAD,
        rope__freq_base_swa=10000.0,
    )
    return write_model(path, metadata, block_rows(9, block), tied=False)


def cohere2moe(path: Path) -> Path:
    """Experts beside attention; half of what they and a shared one say."""

    def block(number: int) -> list[Row]:
        moe = [*routed_rows(), *gated_rows("_shexp")]
        return [*attention_rows(), *(moe if number else gated_rows())]

    metadata = metadata_of(
        "cohere2moe",
        9,
        **MOE,
        leading_dense_block_count=1,
        expert_shared_count=1,
        expert_gating_func=2,
        attention__sliding_window=512,
        logit_scale=1.0,
    )
    return write_model(path, metadata, block_rows(9, block))


def deepseek2_ocr(path: Path) -> Path:
    """Plain attention under a name that others with latent attention share."""

    def block(number: int) -> list[Row]:
        moe = [*routed_rows(), *gated_rows("_shexp")]
        norms = norm_rows("ffn_norm")
        return [*attention_rows(_EVEN, HEADS), *norms, *(moe if number else gated_rows())]

    metadata = metadata_of(
        "deepseek2-ocr",
        6,
        **_SMALL,
        **MOE,
        attention__head_count_kv=HEADS,
        leading_dense_block_count=1,
        expert_shared_count=1,
    )
    return write_model(path, metadata, block_rows(6, block), tied=False)


def cogvlm(path: Path) -> Path:
    """Weights of its own for images; every token goes through the output head."""

    def block(_number: int) -> list[Row]:
        seen = [(f"vis_{name.removeprefix('ffn_')}", dims) for name, dims in gated_rows()]
        return [
            *norm_rows("attn_norm", "ffn_norm"),
            ("attn_qkv.weight", (WIDTH, 3 * WIDTH)),
            ("attn_output.weight", (WIDTH, WIDTH)),
            ("vis_attn_qkv.weight", (WIDTH, 3 * WIDTH)),
            ("vis_attn_output.weight", (WIDTH, WIDTH)),
            *seen,
            *gated_rows(),
        ]

    metadata = metadata_of("cogvlm", 6, **_SMALL, attention__head_count_kv=HEADS)
    return write_model(path, metadata, block_rows(6, block), tied=False)
