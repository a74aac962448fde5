"""Small models of architectures with rules of their own, as sparse files, beside `tests.zoo`:
shared caches, heads that differ by layer, chunks, blocks that guess ahead, RWKV, KDA.

Tensor lists follow src/models/*.cpp of the llama.cpp inside llama-cpp-python 0.3.36.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from tests.ggufs import Tensor, string_array, write_sparse

WIDTH, VOCABULARY, HEADS, KV, HEAD, INNER, EXPERTS = 256, 320, 8, 2, 64, 512, 8
Row = tuple[str, tuple[int, ...]]
_Q4_K, _F32 = 12, 0


def _metadata(architecture: str, blocks: int, **own: object) -> dict[str, object]:
    usual = {
        "block_count": blocks,
        "context_length": 32768,
        "embedding_length": WIDTH,
        "feed_forward_length": INNER,
        "attention.head_count": HEADS,
        "attention.head_count_kv": KV,
        "attention.key_length": HEAD,
        "attention.value_length": HEAD,
        "rope.dimension_count": HEAD,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "attention.layer_norm_epsilon": 1e-5,
    }
    usual.update({key.replace("__", "."): value for key, value in own.items()})
    chosen = {key: value for key, value in usual.items() if value is not None}
    return {
        "general.architecture": architecture,
        "general.name": architecture,
        **{f"{architecture}.{key}": value for key, value in chosen.items()},
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.tokens": string_array([b"t%d" % n for n in range(VOCABULARY)]),
        "tokenizer.ggml.merges": string_array([b"a b"]),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }


def _attention(head: int = HEAD, kv: int = KV, value: int | None = None) -> list[Row]:
    value = head if value is None else value
    return [
        ("attn_norm.weight", (WIDTH,)),
        ("attn_q.weight", (WIDTH, HEADS * head)),
        ("attn_k.weight", (WIDTH, kv * head)),
        ("attn_v.weight", (WIDTH, kv * value)),
        ("attn_output.weight", (HEADS * value, WIDTH)),
    ]


def _gated(suffix: str = "", inner: int = INNER) -> list[Row]:
    return [
        (f"ffn_gate{suffix}.weight", (WIDTH, inner)),
        (f"ffn_up{suffix}.weight", (WIDTH, inner)),
        (f"ffn_down{suffix}.weight", (inner, WIDTH)),
    ]


def _routed() -> list[Row]:
    return [
        ("ffn_gate_inp.weight", (WIDTH, EXPERTS)),
        ("ffn_gate_exps.weight", (WIDTH, INNER, EXPERTS)),
        ("ffn_up_exps.weight", (WIDTH, INNER, EXPERTS)),
        ("ffn_down_exps.weight", (INNER, WIDTH, EXPERTS)),
    ]


def _norms(*names: str, width: int = WIDTH) -> list[Row]:
    return [(f"{name}.weight", (width,)) for name in names]


def _ahead() -> list[Row]:
    return [("nextn.eh_proj.weight", (2 * WIDTH, WIDTH)), *_norms("nextn.enorm", "nextn.hnorm")]


_MOE = {
    "expert_count": EXPERTS,
    "expert_used_count": 2,
    "expert_feed_forward_length": INNER,
}


def _blocks(count: int, block: Callable[[int], Iterable[Row]]) -> list[Row]:
    return [
        (f"blk.{number}.{name}", dims) for number in range(count) for name, dims in block(number)
    ]


def _write(path: Path, metadata: dict[str, object], rows: list[Row], *, tied: bool = True) -> Path:
    rows = [
        ("token_embd.weight", (WIDTH, VOCABULARY)),
        ("output_norm.weight", (WIDTH,)),
        *([] if tied else [("output.weight", (WIDTH, VOCABULARY))]),
        *rows,
    ]
    write_sparse(path, metadata, [Tensor(name, dims, _type(name, dims)) for name, dims in rows])
    return path


def _type(name: str, dims: tuple[int, ...]) -> int:
    plain = any(word in name for word in ("norm", "lerp", "conv", "gate_inp", "ssm_a", "bias"))
    return _F32 if plain or len(dims) == 1 or dims[0] % 256 else _Q4_K


# --- the shapes -------------------------------------------------------------------------------


def gemma3n(path: Path) -> Path:
    """The layers from the 20th on share the caches of earlier ones; a table for each layer."""
    blocks, altup, rank = 30, 4, 64

    def block(_number: int) -> list[Row]:
        return [
            *_attention(),
            *_gated(),
            *_norms("attn_q_norm", "attn_k_norm", width=HEAD),
            *_norms("post_attention_norm", "ffn_norm", "post_ffw_norm", "post_norm"),
            *_norms("altup_correct_scale", "altup_router_norm", "laurel_post_norm"),
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
    metadata = _metadata("gemma3n", blocks, attention__sliding_window=512)
    return _write(path, metadata, top + _blocks(blocks, block))


def gemma4(path: Path) -> Path:
    """Windows by a list, other head sizes inside them, shared caches, KV heads by layer."""
    blocks, wide = 12, 2 * HEAD
    windowed = [number % 6 != 5 for number in range(blocks)]
    kv = [KV if inside else 1 for inside in windowed]

    def block(number: int) -> list[Row]:
        head = HEAD if windowed[number] else wide
        return [
            *_attention(head, kv[number]),
            *_gated(),
            *_norms("attn_q_norm", "attn_k_norm", width=head),
            *_norms("post_attention_norm", "ffn_norm", "post_ffw_norm"),
        ]

    metadata = _metadata(
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
    return _write(path, metadata, [("rope_freqs.weight", (HEAD,)), *_blocks(blocks, block)])


def cohere2(path: Path) -> Path:
    head = WIDTH // HEADS
    metadata = _metadata(
        "cohere2",
        9,
        attention__key_length=head,
        attention__value_length=head,
        rope__dimension_count=head,
        attention__sliding_window=4096,
        logit_scale=1.0,
    )
    return _write(path, metadata, _blocks(9, lambda _number: _attention(head) + _gated()))


def llama4(path: Path) -> Path:
    """Attention in chunks of 8192, experts in every second block."""

    def block(number: int) -> list[Row]:
        moe = [*_routed(), *_gated("_shexp")]
        return [*_attention(), *_norms("ffn_norm"), *(moe if number % 2 else _gated())]

    metadata = _metadata("llama4", 8, **_MOE, interleave_moe_layer_step=2)
    return _write(path, metadata, _blocks(8, block))


def exaone4(path: Path) -> Path:
    """Its window exists with 64 layers only."""
    head = WIDTH // HEADS
    metadata = _metadata(
        "exaone4",
        30,
        attention__key_length=head,
        attention__value_length=head,
        rope__dimension_count=head,
        attention__sliding_window=4096,
    )

    def block(_number: int) -> list[Row]:
        return [
            *_attention(head)[1:],
            *_gated(),
            *_norms("post_attention_norm", "post_ffw_norm"),
            *_norms("attn_q_norm", "attn_k_norm", width=head),
        ]

    return _write(path, metadata, _blocks(30, block))


def smallthinker(path: Path) -> Path:
    """Whatever window the file has, 4096 counts; the first of four layers sees everything."""

    def block(_number: int) -> list[Row]:
        return [*_attention(), *_norms("ffn_norm"), *_routed()]

    metadata = _metadata(
        "smallthinker", 9, **_MOE, attention__sliding_window=100, expert_gating_func=1
    )
    return _write(path, metadata, _blocks(9, block))


def glm4moe(path: Path) -> Path:
    """The last block guesses ahead: no cache, and not loaded."""

    def block(number: int) -> list[Row]:
        moe = [*_routed(), *_gated("_shexp"), ("exp_probs_b.bias", (EXPERTS,))]
        own = moe if number else _gated()
        return [
            *_attention(),
            *_norms("post_attention_norm"),
            *own,
            *(_ahead() if number == 5 else []),
        ]

    metadata = _metadata(
        "glm4moe",
        6,
        **_MOE,
        leading_dense_block_count=1,
        expert_shared_count=1,
        nextn_predict_layers=1,
    )
    return _write(path, metadata, _blocks(6, block), tied=False)


def qwen35(path: Path) -> Path:
    """Gated delta nets with every fourth layer attention, and a block that guesses ahead."""
    state, groups, rank, kernel = 64, 2, 4, 4
    keys, values = state * groups, state * rank

    def delta() -> list[Row]:
        return [
            ("attn_qkv.weight", (WIDTH, 2 * keys + values)),
            ("attn_gate.weight", (WIDTH, values)),
            ("ssm_conv1d.weight", (kernel, 2 * keys + values)),
            ("ssm_dt.bias", (rank,)),
            ("ssm_a", (rank,)),
            ("ssm_beta.weight", (WIDTH, rank)),
            ("ssm_alpha.weight", (WIDTH, rank)),
            ("ssm_norm.weight", (state,)),
            ("ssm_out.weight", (values, WIDTH)),
            *_norms("attn_norm"),
        ]

    def attention() -> list[Row]:
        rows = dict(_attention())
        rows["attn_q.weight"] = (WIDTH, 2 * HEADS * HEAD)
        return [*rows.items(), *_norms("attn_q_norm", "attn_k_norm", width=HEAD)]

    def block(number: int) -> list[Row]:
        own = attention() if number % 4 == 3 or number == 8 else delta()
        ahead = _ahead() if number == 8 else []
        return [*own, *_norms("post_attention_norm"), *_gated(), *ahead]

    metadata = _metadata(
        "qwen35",
        9,
        nextn_predict_layers=1,
        rope__dimension_sections=[8, 8, 8, 0],
        ssm__conv_kernel=kernel,
        ssm__inner_size=values,
        ssm__state_size=state,
        ssm__time_step_rank=rank,
        ssm__group_count=groups,
    )
    return _write(path, metadata, _blocks(9, block))


def mimo2(path: Path) -> Path:
    """K and V of different widths, and others inside windows; one more block guesses ahead."""
    windowed = [True, False, True, True, False, True]
    value = 32

    def block(number: int) -> list[Row]:
        kv = 4 if windowed[number] else 2
        ahead = _ahead() if number == 5 else []
        return [*_attention(kv=kv, value=value), *_norms("ffn_norm"), *_gated(), *ahead]

    metadata = _metadata(
        "mimo2",
        6,
        **_MOE,
        attention__head_count_kv=[4 if inside else 2 for inside in windowed],
        attention__value_length=value,
        attention__sliding_window=128,
        attention__sliding_window_pattern=windowed,
        nextn_predict_layers=1,
        rope__freq_base_swa=10000.0,
    )
    return _write(path, metadata, _blocks(6, block), tied=False)


def rwkv7(path: Path) -> Path:
    rank = 32

    def block(number: int) -> list[Row]:
        vectors = ("w0", "a0", "v0", "k_k", "k_a", "r_k")
        low = [f"time_mix_{name}" for name in "wavg"]
        return [
            *_norms("attn_norm", "attn_norm_2", "time_mix_ln"),
            ("attn_norm.bias", (WIDTH,)),
            ("attn_norm_2.bias", (WIDTH,)),
            ("time_mix_ln.bias", (WIDTH,)),
            *_norms(*(f"time_mix_{name}" for name in vectors)),
            *[(f"{name}1.weight", (WIDTH, rank)) for name in low],
            *[(f"{name}2.weight", (rank, WIDTH)) for name in low],
            ("time_mix_lerp_fused.weight", (WIDTH, 1, 1, 6)),
            *[
                (f"time_mix_{name}.weight", (WIDTH, WIDTH))
                for name in ("key", "value", "receptance", "output")
            ],
            ("channel_mix_lerp_k.weight", (WIDTH, 1, 1)),
            ("channel_mix_key.weight", (WIDTH, INNER)),
            ("channel_mix_value.weight", (INNER, WIDTH)),
        ]

    metadata = _metadata(
        "rwkv7",
        5,
        attention__head_count=0,
        attention__head_count_kv=None,
        wkv__head_size=64,
        token_shift_count=2,
        attention__decay_lora_rank=rank,
        attention__iclr_lora_rank=rank,
        attention__value_residual_mix_lora_rank=rank,
        attention__gate_lora_rank=rank,
    )
    top: list[Row] = [
        *_norms("token_embd_norm"),
        ("token_embd_norm.bias", (WIDTH,)),
        ("output_norm.bias", (WIDTH,)),
    ]
    return _write(path, metadata, top + _blocks(5, block), tied=False)


def kimi_linear(path: Path) -> Path:
    """KDA layers, and every fourth one with latent attention."""
    size, kernel, rank, rope = 32, 4, 64, 32
    kv = [1 if number % 4 == 3 else 0 for number in range(8)]
    inner = HEADS * size

    def kda() -> list[Row]:
        return [
            *[(f"ssm_conv1d_{name}.weight", (kernel, 1, inner)) for name in "qkv"],
            *[(f"attn_{name}.weight", (WIDTH, inner)) for name in "qkv"],
            ("ssm_f_a.weight", (WIDTH, size)),
            ("ssm_f_b.weight", (size, inner)),
            ("ssm_beta.weight", (WIDTH, HEADS)),
            ("ssm_a", (1, HEADS)),
            ("ssm_dt.bias", (inner,)),
            ("ssm_g_a.weight", (WIDTH, size)),
            ("ssm_g_b.weight", (size, inner)),
            ("ssm_norm.weight", (size,)),
            ("attn_output.weight", (inner, WIDTH)),
        ]

    def latent() -> list[Row]:
        return [
            ("attn_kv_a_norm.weight", (rank,)),
            ("attn_q.weight", (WIDTH, HEADS * HEAD)),
            ("attn_kv_a_mqa.weight", (WIDTH, rank + rope)),
            ("attn_k_b.weight", (HEAD - rope, rank, HEADS)),
            ("attn_v_b.weight", (rank, HEAD, HEADS)),
            ("attn_output.weight", (HEADS * HEAD, WIDTH)),
        ]

    def block(number: int) -> list[Row]:
        moe = [*_routed(), *_gated("_shexp"), ("exp_probs_b.bias", (EXPERTS,))]
        own = latent() if kv[number] else kda()
        return [*_norms("attn_norm", "ffn_norm"), *own, *(moe if number else _gated())]

    metadata = _metadata(
        "kimi-linear",
        8,
        **_MOE,
        attention__head_count_kv=kv,
        attention__key_length=rank + rope,
        attention__value_length=rank,
        attention__key_length_mla=HEAD,
        attention__value_length_mla=HEAD,
        attention__kv_lora_rank=rank,
        rope__dimension_count=rope,
        ssm__conv_kernel=kernel,
        kda__head_dim=size,
        leading_dense_block_count=1,
        expert_shared_count=1,
        expert_gating_func=2,
        expert_weights_scale=1.0,
    )
    return _write(path, metadata, _blocks(8, block), tied=False)


def deci(path: Path) -> Path:
    """Layers with few KV heads, with many, and without attention; feed-forward parts differ."""
    kv, inner = [2, 0, 8, 1], [512, 256, 1024, 512]

    def block(number: int) -> list[Row]:
        attention = _attention(32, kv[number]) if kv[number] else []
        return [*attention, *_norms("ffn_norm"), *_gated(inner=inner[number])]

    metadata = _metadata(
        "deci",
        4,
        attention__head_count=[HEADS, 0, HEADS, HEADS],
        attention__head_count_kv=kv,
        feed_forward_length=inner,
        attention__key_length=32,
        attention__value_length=32,
        rope__dimension_count=32,
    )
    return _write(path, metadata, _blocks(4, block))


def nanbeige(path: Path) -> Path:
    """Blocks that run twice, each time with a cache of its own."""

    def block(_number: int) -> list[Row]:
        return [*_attention(), *_norms("ffn_norm"), *_gated()]

    return _write(path, _metadata("nanbeige", 4, num_loops=2), _blocks(4, block))


def step35(path: Path) -> Path:
    """Of its block that guesses ahead a part is loaded all the same."""
    windowed = [False, True, True, True]

    def block(number: int) -> list[Row]:
        ahead = _ahead() if number == 3 else []
        norms = _norms("attn_q_norm", "attn_k_norm", width=HEAD)
        return [*_attention(), *norms, *_norms("ffn_norm"), *_gated(), *ahead]

    metadata = _metadata(
        "step35",
        4,
        **_MOE,
        attention__sliding_window=512,
        attention__sliding_window_pattern=windowed,
        rope__dimension_count=2 * HEAD,
        rope__dimension_count_swa=HEAD,
        rope__freq_base_swa=10000.0,
        nextn_predict_layers=1,
    )
    return _write(path, metadata, _blocks(4, block), tied=False)


RARE: dict[str, Callable[[Path], Path]] = {
    make.__name__: make
    for make in (
        cohere2,
        deci,
        exaone4,
        gemma3n,
        gemma4,
        glm4moe,
        kimi_linear,
        llama4,
        mimo2,
        nanbeige,
        qwen35,
        rwkv7,
        smallthinker,
        step35,
    )
}
