"""Transformers of the zoo whose layers partly see a sliding window only."""

from tests.zoo.blocks import attention, feed_forward, gated
from tests.zoo.model import Row, ZooModel


def _post_norms(model: ZooModel) -> list[Row]:
    names = ("post_attention_norm.weight", "post_ffw_norm.weight")
    return [(name, (model.width,)) for name in names]


def _gemma2(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block) + feed_forward(model, block) + _post_norms(model)


def _gemma3(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block, norms=True) + feed_forward(model, block) + _post_norms(model)


def _cohere2(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block) + gated(model.width, model.ff_of(block))


MODELS = (
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
        name="command-r7b",
        note="three of four layers slide over 4096 and have positions, side by side",
        architecture="cohere2",
        layers=32,
        width=4096,
        heads=32,
        kv_heads=8,
        head=128,
        feed_forward=14336,
        vocabulary=256000,
        context=132096,
        tied=True,
        extra={
            "attention.layer_norm_epsilon": 1e-5,
            "attention.sliding_window": 4096,
            "logit_scale": 0.25,
        },
        block=_cohere2,
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
)
