"""The zoo's mixtures of experts, and latent attention."""

from tests.zoo.blocks import attention, expert_numbers, experts, feed_forward, gated, norm
from tests.zoo.model import Row, ZooModel


def _qwen3moe(model: ZooModel, block: int) -> list[Row]:
    inner = model.number("expert_feed_forward_length")
    return [*attention(model, block, norms=True), norm(model), *experts(model, inner)]


def _gpt_oss(model: ZooModel, block: int) -> list[Row]:
    count, inner = model.number("expert_count"), model.number("expert_feed_forward_length")
    rows = attention(model, block, bias=True) + experts(model, inner)
    return [
        *rows,
        norm(model, "post_attention_norm.weight"),
        norm(model, "attn_output.bias"),
        ("attn_sinks.weight", (model.heads,)),
        ("ffn_gate_inp.bias", (count,)),
        ("ffn_gate_exps.bias", (inner, count)),
        ("ffn_up_exps.bias", (inner, count)),
        ("ffn_down_exps.bias", (model.width, count)),
    ]


def _deepseek2(model: ZooModel, block: int) -> list[Row]:
    latent, rope = model.number("attention.kv_lora_rank"), model.number("rope.dimension_count")
    key, value = (model.number(f"attention.{part}_length_mla") for part in ("key", "value"))
    inner = model.number("expert_feed_forward_length")
    rows: list[Row] = [
        norm(model, "attn_norm.weight"),
        *_latent_query(model, model.heads * key),
        ("attn_kv_a_mqa.weight", (model.width, latent + rope)),
        ("attn_kv_a_norm.weight", (latent,)),
        ("attn_k_b.weight", (key - rope, latent, model.heads)),
        ("attn_v_b.weight", (latent, value, model.heads)),
        ("attn_output.weight", (model.heads * value, model.width)),
    ]
    if block < model.number("leading_dense_block_count"):
        return rows + feed_forward(model, block)
    shared = gated(model.width, inner * model.number("expert_shared_count"), "_shexp")
    return [*rows, norm(model), *experts(model, inner), *shared]


def _latent_query(model: ZooModel, width: int) -> list[Row]:
    if "attention.q_lora_rank" not in model.extra:
        return [("attn_q.weight", (model.width, width))]
    rank = model.number("attention.q_lora_rank")
    return [
        ("attn_q_a.weight", (model.width, rank)),
        ("attn_q_a_norm.weight", (rank,)),
        ("attn_q_b.weight", (rank, width)),
    ]


def _mixtral(model: ZooModel, block: int) -> list[Row]:
    return [*attention(model, block), norm(model), *experts(model, model.ff_of(block))]


def _gpt_oss_of(name: str, layers: int, count: int) -> ZooModel:
    return ZooModel(
        name=name,
        note="experts in MXFP4, attention sinks, every second layer slides over 128",
        architecture="gpt-oss",
        layers=layers,
        width=2880,
        heads=64,
        kv_heads=8,
        head=64,
        feed_forward=2880,
        vocabulary=201088,
        context=131072,
        quant="MXFP4",
        extra={**expert_numbers(count, 4, 2880), "attention.sliding_window": 128},
        block=_gpt_oss,
    )


MODELS = (
    ZooModel(
        name="deepseek-v2-lite",
        note="latent attention, shared experts, one dense block first",
        architecture="deepseek2",
        layers=27,
        width=2048,
        heads=16,
        kv_heads=1,
        feed_forward=10944,
        vocabulary=102400,
        context=163840,
        extra={
            **expert_numbers(64, 6, 1408),
            "expert_shared_count": 2,
            "expert_weights_scale": 1.0,
            "leading_dense_block_count": 1,
            "attention.kv_lora_rank": 512,
            "attention.key_length": 576,
            "attention.value_length": 512,
            "attention.key_length_mla": 192,
            "attention.value_length_mla": 128,
            "rope.dimension_count": 64,
            "rope.scaling.type": "yarn",
            "rope.scaling.factor": 40.0,
            "rope.scaling.original_context_length": 4096,
            "rope.scaling.yarn_log_multiplier": 0.0707,
        },
        block=_deepseek2,
    ),
    _gpt_oss_of("gpt-oss-20b", 24, 32),
    ZooModel(
        name="qwen3-30b-a3b",
        note="128 small experts, 8 used",
        architecture="qwen3moe",
        layers=48,
        width=2048,
        heads=32,
        kv_heads=4,
        head=128,
        feed_forward=6144,
        vocabulary=151936,
        context=40960,
        extra=expert_numbers(128, 8, 768),
        block=_qwen3moe,
    ),
    ZooModel(
        name="glm-4.7-flash",
        note="latent attention with a compressed query, 64 experts, 4 used",
        architecture="deepseek2",
        layers=47,
        width=2048,
        heads=20,
        kv_heads=1,
        feed_forward=10240,
        vocabulary=154880,
        context=202752,
        extra={
            **expert_numbers(64, 4, 1536),
            "expert_shared_count": 1,
            "expert_weights_scale": 1.8,
            "expert_weights_norm": True,
            "expert_gating_func": 2,
            "leading_dense_block_count": 1,
            "attention.q_lora_rank": 768,
            "attention.kv_lora_rank": 512,
            "attention.key_length": 576,
            "attention.value_length": 512,
            "attention.key_length_mla": 256,
            "attention.value_length_mla": 256,
            "rope.dimension_count": 64,
        },
        block=_deepseek2,
    ),
    ZooModel(
        name="mixtral-8x7b",
        note="eight large experts, two used",
        architecture="llama",
        layers=32,
        width=4096,
        heads=32,
        kv_heads=8,
        head=128,
        feed_forward=14336,
        vocabulary=32000,
        context=32768,
        tokenizer="llama",
        extra=expert_numbers(8, 2),
        block=_mixtral,
    ),
    _gpt_oss_of("gpt-oss-120b", 36, 128),
)
