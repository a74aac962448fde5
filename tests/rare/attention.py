"""Attention with rules of its own: shared caches, chunks, heads that differ by layer, blocks
that guess ahead. Tensor lists follow src/models/*.cpp of llama.cpp.
"""

from pathlib import Path

from tests.rare.rows import (
    EXPERTS,
    HEAD,
    HEADS,
    KV,
    MOE,
    VOCABULARY,
    WIDTH,
    Row,
    ahead_rows,
    attention_rows,
    block_rows,
    gated_rows,
    metadata_of,
    norm_rows,
    routed_rows,
    write_model,
)


def gemma3n(path: Path) -> Path:
    """The layers from the 20th on share the caches of earlier ones; a table for each layer."""
    blocks, altup, rank = 30, 4, 64

    def block(_number: int) -> list[Row]:
        return [
            *attention_rows(),
            *gated_rows(),
            *norm_rows("attn_q_norm", "attn_k_norm", width=HEAD),
            *norm_rows("post_attention_norm", "ffn_norm", "post_ffw_norm", "post_norm"),
            *norm_rows("altup_correct_scale", "altup_router_norm", "laurel_post_norm"),
            ("inp_gate.weight", (WIDTH, WIDTH)),
            ("proj.weight", (WIDTH, WIDTH)),
            ("altup_correct_coef.weight", (altup, altup)),
            ("altup_predict_coef.weight", (altup, altup * altup)),
            ("altup_router.weight", (WIDTH, altup)),
            ("laurel_l.weight", (WIDTH, rank)),
            ("laurel_r.weight", (rank, WIDTH)),
        ]

    top: list[Row] = [
        ("altup_proj.weight", (WIDTH, WIDTH, altup - 1)),
        ("altup_unembd_proj.weight", (WIDTH, WIDTH, altup - 1)),
        ("per_layer_token_embd.weight", (WIDTH * blocks, VOCABULARY)),
        ("per_layer_model_proj.weight", (WIDTH, WIDTH * blocks)),
        ("per_layer_proj_norm.weight", (WIDTH,)),
    ]
    metadata = metadata_of("gemma3n", blocks, attention__sliding_window=512)
    return write_model(path, metadata, top + block_rows(blocks, block))


def gemma4(path: Path) -> Path:
    """Windows by a list, other head sizes inside them, shared caches, KV heads by layer."""
    blocks, wide = 12, 2 * HEAD
    windowed = [number % 6 != 5 for number in range(blocks)]
    kv = [KV if inside else 1 for inside in windowed]

    def block(number: int) -> list[Row]:
        head = HEAD if windowed[number] else wide
        return [
            *attention_rows(head, kv[number]),
            *gated_rows(),
            *norm_rows("attn_q_norm", "attn_k_norm", width=head),
            *norm_rows("post_attention_norm", "ffn_norm", "post_ffw_norm"),
        ]

    metadata = metadata_of(
        "gemma4",
        blocks,
        attention__head_count_kv=kv,
        attention__key_length=wide,
        attention__value_length=wide,
        attention__key_length_swa=HEAD,
        attention__value_length_swa=HEAD,
        rope__dimension_count=wide,
        rope__dimension_count_swa=HEAD,
        attention__sliding_window=1024,
        attention__sliding_window_pattern=windowed,
        attention__shared_kv_layers=6,
        embedding_length_per_layer_input=0,
    )
    return write_model(path, metadata, [("rope_freqs.weight", (HEAD,)), *block_rows(blocks, block)])


def cohere2(path: Path) -> Path:
    head = WIDTH // HEADS
    metadata = metadata_of(
        "cohere2",
        9,
        attention__key_length=head,
        attention__value_length=head,
        rope__dimension_count=head,
        attention__sliding_window=4096,
        logit_scale=1.0,
    )
    return write_model(
        path, metadata, block_rows(9, lambda _number: attention_rows(head) + gated_rows())
    )


def llama4(path: Path) -> Path:
    """Attention in chunks of 8192, experts in every second block."""

    def block(number: int) -> list[Row]:
        moe = [*routed_rows(), *gated_rows("_shexp")]
        return [*attention_rows(), *norm_rows("ffn_norm"), *(moe if number % 2 else gated_rows())]

    metadata = metadata_of("llama4", 8, **MOE, interleave_moe_layer_step=2)
    return write_model(path, metadata, block_rows(8, block))


def exaone4(path: Path) -> Path:
    """Its window exists with 64 layers only."""
    head = WIDTH // HEADS
    metadata = metadata_of(
        "exaone4",
        30,
        attention__key_length=head,
        attention__value_length=head,
        rope__dimension_count=head,
        attention__sliding_window=4096,
    )

    def block(_number: int) -> list[Row]:
        return [
            *attention_rows(head)[1:],
            *gated_rows(),
            *norm_rows("post_attention_norm", "post_ffw_norm"),
            *norm_rows("attn_q_norm", "attn_k_norm", width=head),
        ]

    return write_model(path, metadata, block_rows(30, block))


def smallthinker(path: Path) -> Path:
    """Whatever window the file has, 4096 counts; the first of four layers sees everything."""

    def block(_number: int) -> list[Row]:
        return [*attention_rows(), *norm_rows("ffn_norm"), *routed_rows()]

    metadata = metadata_of(
        "smallthinker", 9, **MOE, attention__sliding_window=100, expert_gating_func=1
    )
    return write_model(path, metadata, block_rows(9, block))


def glm4moe(path: Path) -> Path:
    """The last block guesses ahead: no cache, and not loaded."""

    def block(number: int) -> list[Row]:
        moe = [*routed_rows(), *gated_rows("_shexp"), ("exp_probs_b.bias", (EXPERTS,))]
        own = moe if number else gated_rows()
        return [
            *attention_rows(),
            *norm_rows("post_attention_norm"),
            *own,
            *(ahead_rows() if number == 5 else []),
        ]

    metadata = metadata_of(
        "glm4moe",
        6,
        **MOE,
        leading_dense_block_count=1,
        expert_shared_count=1,
        nextn_predict_layers=1,
    )
    return write_model(path, metadata, block_rows(6, block), tied=False)


def mimo2(path: Path) -> Path:
    """K and V of different widths, and others inside windows; one more block guesses ahead."""
    windowed = [True, False, True, True, False, True]
    value = 32

    def block(number: int) -> list[Row]:
        kv = 4 if windowed[number] else 2
        ahead = ahead_rows() if number == 5 else []
        return [*attention_rows(kv=kv, value=value), *norm_rows("ffn_norm"), *gated_rows(), *ahead]

    metadata = metadata_of(
        "mimo2",
        6,
        **MOE,
        attention__head_count_kv=[4 if inside else 2 for inside in windowed],
        attention__value_length=value,
        attention__sliding_window=128,
        attention__sliding_window_pattern=windowed,
        nextn_predict_layers=1,
        rope__freq_base_swa=10000.0,
    )
    return write_model(path, metadata, block_rows(6, block), tied=False)


def deci(path: Path) -> Path:
    """Layers with few KV heads, with many, and without attention; feed-forward parts differ."""
    kv, inner = [2, 0, 8, 1], [512, 256, 1024, 512]

    def block(number: int) -> list[Row]:
        attention = attention_rows(32, kv[number]) if kv[number] else []
        return [*attention, *norm_rows("ffn_norm"), *gated_rows(inner=inner[number])]

    metadata = metadata_of(
        "deci",
        4,
        attention__head_count=[HEADS, 0, HEADS, HEADS],
        attention__head_count_kv=kv,
        feed_forward_length=inner,
        attention__key_length=32,
        attention__value_length=32,
        rope__dimension_count=32,
    )
    return write_model(path, metadata, block_rows(4, block))


def nanbeige(path: Path) -> Path:
    """Blocks that run twice, each time with a cache of its own."""

    def block(_number: int) -> list[Row]:
        return [*attention_rows(), *norm_rows("ffn_norm"), *gated_rows()]

    return write_model(path, metadata_of("nanbeige", 4, num_loops=2), block_rows(4, block))


def step35(path: Path) -> Path:
    """Of its block that guesses ahead a part is loaded all the same."""
    windowed = [False, True, True, True]

    def block(number: int) -> list[Row]:
        ahead = ahead_rows() if number == 3 else []
        norms = norm_rows("attn_q_norm", "attn_k_norm", width=HEAD)
        return [*attention_rows(), *norms, *norm_rows("ffn_norm"), *gated_rows(), *ahead]

    metadata = metadata_of(
        "step35",
        4,
        **MOE,
        attention__sliding_window=512,
        attention__sliding_window_pattern=windowed,
        rope__dimension_count=2 * HEAD,
        rope__dimension_count_swa=HEAD,
        rope__freq_base_swa=10000.0,
        nextn_predict_layers=1,
    )
    return write_model(path, metadata, block_rows(4, block), tied=False)
