"""Linear attention of the zoo: RWKV, and KDA with latent attention in between."""

from tests.zoo.blocks import expert_numbers, experts, gated, norm
from tests.zoo.model import Row, ZooModel

_RANKS = {"w": "decay", "a": "iclr", "v": "value_residual_mix", "g": "gate"}


def _rwkv7(model: ZooModel, block: int) -> list[Row]:
    width, inner = model.width, model.ff_of(block)
    rows: list[Row] = []
    for letter, key in _RANKS.items():
        unused = letter == "v" and not block
        rank = model.number(f"attention.{'iclr' if unused else key}_lora_rank")
        rows += [
            (f"time_mix_{letter}1.weight", (width, rank)),
            (f"time_mix_{letter}2.weight", (rank, width)),
        ]
    vectors = ("w0", "a0", "v0", "k_k", "k_a", "r_k", "ln")
    square = ("key", "value", "receptance", "output")
    return [
        *rows,
        *[norm(model, f"time_mix_{name}.weight") for name in vectors],
        *[(f"time_mix_{name}.weight", (width, width)) for name in square],
        *[norm(model, f"attn_norm{name}") for name in (".weight", ".bias")],
        *[norm(model, f"attn_norm_2{name}") for name in (".weight", ".bias")],
        norm(model, "time_mix_ln.bias"),
        ("time_mix_lerp_fused.weight", (width, 1, 1, 6)),
        ("channel_mix_lerp_k.weight", (width, 1, 1)),
        ("channel_mix_key.weight", (width, inner)),
        ("channel_mix_value.weight", (inner, width)),
    ]


def _kimi_linear(model: ZooModel, block: int) -> list[Row]:
    inner = model.number("expert_feed_forward_length")
    mixer = _latent(model) if model.kv_of(block) else _kda(model)
    if not block:
        own = gated(model.width, model.ff_of(block))
    else:
        bias: Row = ("exp_probs_b.bias", (model.number("expert_count"),))
        own = [*experts(model, inner), bias, *gated(model.width, inner, "_shexp")]
    return [norm(model, "attn_norm.weight"), *mixer, norm(model), *own]


def _kda(model: ZooModel) -> list[Row]:
    width, size, kernel = model.width, model.number("kda.head_dim"), model.number("ssm.conv_kernel")
    inner = model.heads * size
    return [
        *[(f"ssm_conv1d_{name}.weight", (kernel, 1, inner)) for name in "qkv"],
        *[(f"attn_{name}.weight", (width, inner)) for name in "qkv"],
        *[(f"ssm_{name}_a.weight", (width, size)) for name in "fg"],
        *[(f"ssm_{name}_b.weight", (size, inner)) for name in "fg"],
        ("ssm_beta.weight", (width, model.heads)),
        ("ssm_a", (1, model.heads)),
        ("ssm_dt.bias", (inner,)),
        ("ssm_norm.weight", (size,)),
        ("attn_output.weight", (inner, width)),
    ]


def _latent(model: ZooModel) -> list[Row]:
    width, heads = model.width, model.heads
    rank, rope = model.number("attention.kv_lora_rank"), model.number("rope.dimension_count")
    key, value = (model.number(f"attention.{name}_length_mla") for name in ("key", "value"))
    return [
        ("attn_q.weight", (width, heads * key)),
        ("attn_kv_a_norm.weight", (rank,)),
        ("attn_kv_a_mqa.weight", (width, rank + rope)),
        ("attn_k_b.weight", (key - rope, rank, heads)),
        ("attn_v_b.weight", (rank, value, heads)),
        ("attn_output.weight", (heads * value, width)),
    ]


MODELS = (
    ZooModel(
        name="rwkv7-2.9b",
        note="no attention at all, two tokens of shift and a state for each head",
        architecture="rwkv7",
        layers=32,
        width=2560,
        feed_forward=10240,
        vocabulary=65536,
        context=1048576,
        top=(
            ("token_embd_norm.weight", (2560,)),
            ("token_embd_norm.bias", (2560,)),
            ("output_norm.bias", (2560,)),
        ),
        extra={
            "wkv.head_size": 64,
            "token_shift_count": 2,
            "attention.layer_norm_epsilon": 1e-5,
            "attention.decay_lora_rank": 96,
            "attention.iclr_lora_rank": 96,
            "attention.value_residual_mix_lora_rank": 64,
            "attention.gate_lora_rank": 320,
        },
        block=_rwkv7,
    ),
    ZooModel(
        name="kimi-linear-48b",
        note="KDA, every fourth layer latent attention, 256 experts",
        architecture="kimi-linear",
        layers=27,
        width=2304,
        heads=32,
        kv_heads=[int(block in (3, 7, 11, 15, 19, 23, 26)) for block in range(27)],
        feed_forward=9216,
        vocabulary=163840,
        context=1048576,
        extra={
            **expert_numbers(256, 8, 1024),
            "expert_shared_count": 1,
            "expert_gating_func": 2,
            "expert_weights_scale": 2.446,
            "leading_dense_block_count": 1,
            "attention.kv_lora_rank": 512,
            "attention.key_length": 576,
            "attention.value_length": 512,
            "attention.key_length_mla": 192,
            "attention.value_length_mla": 128,
            "rope.dimension_count": 64,
            "ssm.conv_kernel": 4,
            "kda.head_dim": 128,
        },
        block=_kimi_linear,
    ),
)
