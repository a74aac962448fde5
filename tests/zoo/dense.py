"""Dense transformers of the zoo: grouped-query, fused and biased attention, sliding windows."""

from tests.zoo.blocks import attention, feed_forward
from tests.zoo.model import Row, ZooModel


def _llama(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block) + feed_forward(model, block)


def _qwen2(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block, bias=True) + feed_forward(model, block)


def _qwen3(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block, norms=True) + feed_forward(model, block)


def _post_norms(model: ZooModel) -> list[Row]:
    names = ("post_attention_norm.weight", "post_ffw_norm.weight")
    return [(name, (model.width,)) for name in names]


def _gemma2(model: ZooModel, block: int) -> list[Row]:
    return _llama(model, block) + _post_norms(model)


def _gemma3(model: ZooModel, block: int) -> list[Row]:
    return _qwen3(model, block) + _post_norms(model)


def _phi3(model: ZooModel, block: int) -> list[Row]:
    width, inner = model.width, model.ff_of(block)
    return [
        ("attn_norm.weight", (width,)),
        ("attn_qkv.weight", (width, 3 * width)),
        ("attn_output.weight", (width, width)),
        ("ffn_norm.weight", (width,)),
        ("ffn_up.weight", (width, 2 * inner)),
        ("ffn_down.weight", (inner, width)),
    ]


MODELS = (
    ZooModel(
        name="smollm2-135m",
        note="the starter's shape: rows that are no multiple of 256",
        architecture="llama",
        layers=30,
        width=576,
        heads=9,
        kv_heads=3,
        head=64,
        feed_forward=1536,
        vocabulary=49152,
        context=8192,
        tied=True,
        block=_llama,
    ),
    ZooModel(
        name="gemma3-270m",
        note="sliding window of 512, a vocabulary larger than the rest",
        architecture="gemma3",
        layers=18,
        width=640,
        heads=4,
        kv_heads=1,
        head=256,
        feed_forward=2048,
        vocabulary=262144,
        context=32768,
        quant="Q8_0",
        tied=True,
        tokenizer="llama",
        extra={"attention.sliding_window": 512},
        block=_gemma3,
    ),
    ZooModel(
        name="llama-3.2-1b",
        note="grouped-query, tied, long context",
        architecture="llama",
        layers=16,
        width=2048,
        heads=32,
        kv_heads=8,
        head=64,
        feed_forward=8192,
        vocabulary=128256,
        context=131072,
        tied=True,
        top=(("rope_freqs.weight", (32,)),),
        block=_llama,
    ),
    ZooModel(
        name="gemma2-2b",
        note="every second layer slides over 4096, soft caps",
        architecture="gemma2",
        layers=26,
        width=2304,
        heads=8,
        kv_heads=4,
        head=256,
        feed_forward=9216,
        vocabulary=256000,
        context=8192,
        tied=True,
        tokenizer="llama",
        extra={
            "attention.sliding_window": 4096,
            "attn_logit_softcapping": 50.0,
            "final_logit_softcapping": 30.0,
        },
        block=_gemma2,
    ),
    ZooModel(
        name="phi-3-mini",
        note="no grouping, fused weights, heads of 96, long rope factors",
        architecture="phi3",
        layers=32,
        width=3072,
        heads=32,
        kv_heads=32,
        head=96,
        feed_forward=8192,
        vocabulary=32064,
        context=131072,
        tokenizer="llama",
        top=(("rope_factors_long.weight", (48,)), ("rope_factors_short.weight", (48,))),
        extra={"rope.scaling.original_context_length": 4096},
        block=_phi3,
    ),
    ZooModel(
        name="qwen3-4b",
        note="heads wider than the residual stream, tied",
        architecture="qwen3",
        layers=36,
        width=2560,
        heads=32,
        kv_heads=8,
        head=128,
        feed_forward=9728,
        vocabulary=151936,
        context=40960,
        tied=True,
        block=_qwen3,
    ),
    ZooModel(
        name="gemma3-4b",
        note="five of six layers slide over 1024",
        architecture="gemma3",
        layers=34,
        width=2560,
        heads=8,
        kv_heads=4,
        head=256,
        feed_forward=10240,
        vocabulary=262208,
        context=131072,
        tied=True,
        tokenizer="llama",
        extra={"attention.sliding_window": 1024},
        block=_gemma3,
    ),
    ZooModel(
        name="qwen2.5-7b",
        note="biases, a rope of its own for neox",
        architecture="qwen2",
        layers=28,
        width=3584,
        heads=28,
        kv_heads=4,
        head=128,
        feed_forward=18944,
        vocabulary=152064,
        context=32768,
        block=_qwen2,
    ),
    ZooModel(
        name="llama-3-8b",
        note="the shape most people have",
        architecture="llama",
        layers=32,
        width=4096,
        heads=32,
        kv_heads=8,
        head=128,
        feed_forward=14336,
        vocabulary=128256,
        context=131072,
        top=(("rope_freqs.weight", (64,)),),
        block=_llama,
    ),
    ZooModel(
        name="gemma2-9b",
        note="sliding window of 4096, wide heads",
        architecture="gemma2",
        layers=42,
        width=3584,
        heads=16,
        kv_heads=8,
        head=256,
        feed_forward=14336,
        vocabulary=256000,
        context=8192,
        quant="Q8_0",
        tied=True,
        tokenizer="llama",
        extra={
            "attention.sliding_window": 4096,
            "attn_logit_softcapping": 50.0,
            "final_logit_softcapping": 30.0,
        },
        block=_gemma2,
    ),
    ZooModel(
        name="gemma3-27b",
        note="sliding window, 62 layers",
        architecture="gemma3",
        layers=62,
        width=5376,
        heads=32,
        kv_heads=16,
        head=128,
        feed_forward=21504,
        vocabulary=262208,
        context=131072,
        tied=True,
        tokenizer="llama",
        extra={"attention.sliding_window": 1024},
        block=_gemma3,
    ),
    ZooModel(
        name="llama-3-70b",
        note="the largest dense one",
        architecture="llama",
        layers=80,
        width=8192,
        heads=64,
        kv_heads=8,
        head=128,
        feed_forward=28672,
        vocabulary=128256,
        context=131072,
        top=(("rope_freqs.weight", (64,)),),
        block=_llama,
    ),
)
