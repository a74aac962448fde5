"""Recurrent mixers with rules of their own: KDA, lightning attention, gated delta nets.

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
    ahead_rows,
    attention_rows,
    block_rows,
    gated_rows,
    metadata_of,
    norm_rows,
    routed_rows,
    write_model,
)


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
            *norm_rows("attn_norm"),
        ]

    def attention() -> list[Row]:
        rows = dict(attention_rows())
        rows["attn_q.weight"] = (WIDTH, 2 * HEADS * HEAD)
        return [*rows.items(), *norm_rows("attn_q_norm", "attn_k_norm", width=HEAD)]

    def block(number: int) -> list[Row]:
        own = attention() if number % 4 == 3 or number == 8 else delta()
        ahead = ahead_rows() if number == 8 else []
        return [*own, *norm_rows("post_attention_norm"), *gated_rows(), *ahead]

    metadata = metadata_of(
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
    return write_model(path, metadata, block_rows(9, block))


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
        moe = [*routed_rows(), *gated_rows("_shexp"), ("exp_probs_b.bias", (EXPERTS,))]
        own = latent() if kv[number] else kda()
        return [*norm_rows("attn_norm", "ffn_norm"), *own, *(moe if number else gated_rows())]

    metadata = metadata_of(
        "kimi-linear",
        8,
        **MOE,
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
    return write_model(path, metadata, block_rows(8, block), tied=False)


def bailingmoe3(path: Path) -> Path:
    """KDA and latent attention; its block that guesses ahead has a cache in a plain context."""
    size, kernel, rank, rope, last = 32, 4, 64, 32, 4
    kv = [0, 0, 0, 1, 1]
    inner = HEADS * size

    def kda() -> list[Row]:
        return [
            *[(f"ssm_conv1d_{name}.weight", (kernel, 1, inner)) for name in "qkv"],
            *[(f"attn_{name}.weight", (WIDTH, inner)) for name in "qkv"],
            ("ssm_f_a.weight", (WIDTH, inner)),
            ("ssm_beta.weight", (WIDTH, HEADS)),
            ("ssm_a", (1, HEADS)),
            ("ssm_dt.bias", (inner,)),
            ("ssm_g_a.weight", (WIDTH, inner)),
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
            ("attn_gate.weight", (WIDTH, HEADS)),
            ("attn_output.weight", (HEADS * HEAD, WIDTH)),
        ]

    def block(number: int) -> list[Row]:
        moe = [*routed_rows(), *gated_rows("_shexp"), ("exp_probs_b.bias", (EXPERTS,))]
        ahead = [*ahead_rows(), *norm_rows("layer_output_norm")] if number == last else []
        own = latent() if kv[number] else kda()
        ff = moe if number else gated_rows()
        return [*norm_rows("attn_norm", "ffn_norm"), *own, *ff, *ahead]

    metadata = metadata_of(
        "bailingmoe3",
        5,
        **MOE,
        attention__head_count_kv=kv,
        attention__key_length=rank + rope,
        attention__value_length=rank,
        attention__key_length_mla=HEAD,
        attention__value_length_mla=HEAD,
        attention__kv_lora_rank=rank,
        rope__dimension_count=rope,
        ssm__conv_kernel=kernel,
        kda__head_dim=size,
        kda__gate_lower_bound=-5.0,
        leading_dense_block_count=1,
        expert_shared_count=1,
        expert_gating_func=2,
        nextn_predict_layers=1,
    )
    return write_model(path, metadata, block_rows(5, block))


def minimax_01(path: Path) -> Path:
    """Lightning attention, its full layers as a list."""
    recurrent = [True, True, False, True]

    def block(number: int) -> list[Row]:
        lightning: list[Row] = [
            *norm_rows("attn_norm"),
            *norm_rows("attn_norm_2", width=HEADS * HEAD),
            ("attn_qkv.weight", (WIDTH, 3 * HEADS * HEAD)),
            ("attn_gate.weight", (WIDTH, HEADS * HEAD)),
            ("attn_output.weight", (HEADS * HEAD, WIDTH)),
        ]
        own = lightning if recurrent[number] else attention_rows()
        return [*own, *norm_rows("ffn_norm"), *routed_rows()]

    metadata = metadata_of(
        "minimax-01", 4, **MOE, residual_scale=1.0, attention__recurrent_layers=recurrent
    )
    return write_model(path, metadata, block_rows(4, block))


def nemotron_h_moe(path: Path) -> Path:
    """Mamba, attention and experts in layers of their own; the block ahead has a cache too."""
    kv, inner = [0, 2, 0, 2], [0, 0, INNER, 0]
    mamba, groups, state, heads, kernel = 512, 2, 32, 8, 4

    def moe() -> list[Row]:
        return [
            *[row for row in routed_rows() if "gate_exps" not in row[0]],
            *[row for row in gated_rows("_shexp") if "gate" not in row[0]],
            ("exp_probs_b.bias", (EXPERTS,)),
        ]

    def mixer() -> list[Row]:
        convolved = mamba + 2 * groups * state
        return [
            ("ssm_in.weight", (WIDTH, mamba + convolved + heads)),
            ("ssm_conv1d.weight", (kernel, convolved)),
            ("ssm_conv1d.bias", (convolved,)),
            ("ssm_dt.bias", (heads,)),
            ("ssm_a", (1, heads)),
            ("ssm_d", (1, heads)),
            ("ssm_norm.weight", (mamba // groups, groups)),
            ("ssm_out.weight", (mamba, WIDTH)),
        ]

    def block(number: int) -> list[Row]:
        own = {0: mixer, 1: lambda: attention_rows()[1:], 2: moe}
        ahead = [*attention_rows()[1:], *moe(), *ahead_rows()]
        ahead += norm_rows("nextn.shared_head_norm", "post_attention_norm")
        return [*norm_rows("attn_norm"), *(ahead if number == 3 else own[number]())]

    metadata = metadata_of(
        "nemotron_h_moe",
        4,
        **MOE,
        attention__head_count_kv=kv,
        feed_forward_length=inner,
        expert_shared_feed_forward_length=INNER,
        expert_shared_count=1,
        ssm__conv_kernel=kernel,
        ssm__inner_size=mamba,
        ssm__state_size=state,
        ssm__time_step_rank=heads,
        ssm__group_count=groups,
        nextn_predict_layers=1,
    )
    return write_model(path, metadata, block_rows(4, block))
