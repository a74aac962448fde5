"""The zoo's state-space models and hybrids, with and without experts."""

from tests.zoo.blocks import (
    attention,
    delta_net,
    expert_numbers,
    experts,
    feed_forward,
    gated,
    mamba1,
    mamba2,
    norm,
)
from tests.zoo.model import Row, ZooModel

NEMOTRON = "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-"
"""Nemotron-H-8B: M is Mamba-2, - feed-forward, * attention."""


def _mamba(model: ZooModel, _block: int) -> list[Row]:
    return mamba1(model)


def _mamba2(model: ZooModel, _block: int) -> list[Row]:
    return [norm(model, "attn_norm.weight"), *mamba2(model)]


def _jamba(model: ZooModel, block: int) -> list[Row]:
    mixer = attention(model, block) if model.kv_of(block) else mamba1(model, norms=True)
    if block % 2 == 0:
        return mixer + feed_forward(model, block)
    return [*mixer, norm(model), *experts(model, model.ff_of(block))]


def _falcon_h1(model: ZooModel, block: int) -> list[Row]:
    return [
        *attention(model, block),
        *mamba2(model, norm=False),
        ("ffn_norm", (model.width,)),
        *gated(model.width, model.ff_of(block)),
    ]


def _granite_hybrid(model: ZooModel, block: int) -> list[Row]:
    mixer = (
        attention(model, block)
        if model.kv_of(block)
        else [norm(model, "attn_norm.weight"), *mamba2(model)]
    )
    shared = gated(model.width, model.number("expert_shared_feed_forward_length"), "_shexp")
    return [*mixer, norm(model), *experts(model, model.ff_of(block)), *shared]


def _lfm2(model: ZooModel, block: int) -> list[Row]:
    if model.kv_of(block):
        return attention(model, block, norms=True) + feed_forward(model, block)
    return [
        norm(model, "attn_norm.weight"),
        ("shortconv.conv.weight", (model.number("shortconv.l_cache"), model.width)),
        ("shortconv.in_proj.weight", (model.width, 3 * model.width)),
        ("shortconv.out_proj.weight", (model.width, model.width)),
        *feed_forward(model, block),
    ]


def _qwen35(model: ZooModel, block: int) -> list[Row]:
    heads = (model.width, model.number("ssm.time_step_rank"))
    mixer = (
        attention(model, block, norms=True, gated=True)
        if block % 4 == 3
        else [*delta_net(model), ("ssm_alpha.weight", heads), ("ssm_beta.weight", heads)]
    )
    after = norm(model, "post_attention_norm.weight")
    return [*mixer, after, *gated(model.width, model.ff_of(block))]


def _qwen3next(model: ZooModel, block: int) -> list[Row]:
    heads = (model.width, 2 * model.number("ssm.time_step_rank"))
    mixer = (
        attention(model, block, norms=True, gated=True)
        if block % 4 == 3
        else [*delta_net(model), ("ssm_ba.weight", heads)]
    )
    return [
        *mixer,
        norm(model, "post_attention_norm.weight"),
        *experts(model, model.number("expert_feed_forward_length")),
        norm(model, "ffn_gate_inp_shexp.weight"),
        *gated(model.width, model.number("expert_shared_feed_forward_length"), "_shexp"),
    ]


def _nemotron_h(model: ZooModel, block: int) -> list[Row]:
    if NEMOTRON[block] == "*":
        return attention(model, block)
    before = norm(model, "attn_norm.weight")
    if NEMOTRON[block] == "M":
        return [before, *mamba2(model)]
    inner = model.ff_of(block)
    up, down = (model.width, inner), (inner, model.width)
    return [before, ("ffn_up.weight", up), ("ffn_down.weight", down)]


def _ssm(*, inner: int, state: int, rank: int, groups: int | None = 1) -> dict[str, object]:
    sizes: dict[str, object] = {
        "ssm.conv_kernel": 4,
        "ssm.inner_size": inner,
        "ssm.state_size": state,
        "ssm.time_step_rank": rank,
    }
    return sizes if groups is None else {**sizes, "ssm.group_count": groups}


def _where(layers: int, attention_at: tuple[int, ...], kv_heads: int) -> list[int]:
    return [kv_heads if block in attention_at else 0 for block in range(layers)]


MODELS = (
    ZooModel(
        name="mamba-2.8b",
        note="state-space only, no attention",
        architecture="mamba",
        layers=64,
        width=2560,
        vocabulary=50280,
        context=1048576,
        tied=True,
        extra=_ssm(inner=5120, state=16, rank=160, groups=None),
        block=_mamba,
    ),
    ZooModel(
        name="mamba2-2.7b",
        note="state-space of the second kind",
        architecture="mamba2",
        layers=64,
        width=2560,
        vocabulary=50288,
        context=1048576,
        tied=True,
        extra=_ssm(inner=5120, state=128, rank=80),
        block=_mamba2,
    ),
    ZooModel(
        name="lfm2-1.2b",
        note="short convolutions with six layers of attention",
        architecture="lfm2",
        layers=16,
        width=2048,
        heads=32,
        kv_heads=_where(16, (2, 5, 8, 10, 12, 14), 8),
        head=64,
        feed_forward=8192,
        vocabulary=65536,
        context=128000,
        tied=True,
        output_norm="token_embd_norm.weight",
        extra={"shortconv.l_cache": 3},
        block=_lfm2,
    ),
    ZooModel(
        name="falcon-h1-1.5b",
        note="attention and state-space side by side in every block",
        architecture="falcon-h1",
        layers=24,
        width=2048,
        heads=8,
        kv_heads=2,
        head=128,
        feed_forward=4096,
        vocabulary=65536,
        context=131072,
        extra=_ssm(inner=3072, state=256, rank=48),
        block=_falcon_h1,
    ),
    ZooModel(
        name="qwen3.5-4b",
        note="gated delta net, gated attention in every fourth block",
        architecture="qwen35",
        layers=32,
        width=2560,
        heads=16,
        kv_heads=4,
        head=256,
        feed_forward=9216,
        vocabulary=248320,
        context=262144,
        tied=True,
        extra={
            **_ssm(inner=4096, state=128, rank=32, groups=16),
            "rope.dimension_sections": [11, 11, 10, 0],
            "rope.dimension_count": 64,
            "full_attention_interval": 4,
        },
        block=_qwen35,
    ),
    ZooModel(
        name="granite-4-h-tiny",
        note="Mamba-2 with four layers of attention, routed and shared experts",
        architecture="granitehybrid",
        layers=40,
        width=1536,
        heads=12,
        kv_heads=_where(40, (5, 15, 25, 35), 4),
        head=128,
        feed_forward=512,
        vocabulary=100352,
        context=131072,
        tied=True,
        extra={
            **_ssm(inner=3072, state=128, rank=48),
            **expert_numbers(64, 6),
            "expert_shared_feed_forward_length": 1024,
            "rope.scaling.finetuned": False,
            "logit_scale": 6.0,
            "residual_scale": 0.22,
            "embedding_scale": 12.0,
            "attention.scale": 0.0078125,
        },
        block=_granite_hybrid,
    ),
    ZooModel(
        name="nemotron-h-8b",
        note="Mamba-2, feed-forward and attention as blocks of their own",
        architecture="nemotron_h",
        layers=len(NEMOTRON),
        width=4096,
        heads=32,
        kv_heads=[8 if kind == "*" else 0 for kind in NEMOTRON],
        head=128,
        feed_forward=[21504 if kind == "-" else 0 for kind in NEMOTRON],
        vocabulary=131072,
        context=8192,
        extra={
            **_ssm(inner=8192, state=128, rank=128, groups=8),
            "attention.layer_norm_epsilon": 1e-5,
        },
        block=_nemotron_h,
    ),
    ZooModel(
        name="jamba-52b",
        note="Mamba-1, attention in every eighth block, experts in every second",
        architecture="jamba",
        layers=32,
        width=4096,
        heads=32,
        kv_heads=_where(32, (4, 12, 20, 28), 8),
        head=128,
        feed_forward=14336,
        vocabulary=65536,
        context=262144,
        extra={**_ssm(inner=8192, state=16, rank=256, groups=None), **expert_numbers(16, 2)},
        block=_jamba,
    ),
    ZooModel(
        name="qwen3-next-80b",
        note="gated delta net with 512 experts",
        architecture="qwen3next",
        layers=48,
        width=2048,
        heads=16,
        kv_heads=2,
        head=256,
        feed_forward=5120,
        vocabulary=151936,
        context=262144,
        extra={
            **_ssm(inner=4096, state=128, rank=32, groups=16),
            **expert_numbers(512, 10, 512),
            "expert_shared_feed_forward_length": 512,
            "rope.dimension_count": 64,
            "full_attention_interval": 4,
        },
        block=_qwen3next,
    ),
)
