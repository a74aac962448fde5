"""Dense transformers of the zoo: grouped-query, fused, biased and side-by-side attention."""

from tests.zoo.blocks import attention, feed_forward
from tests.zoo.model import Row, ZooModel


def _llama(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block) + feed_forward(model, block)


def _qwen2(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block, bias=True) + feed_forward(model, block)


def _qwen3(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block, norms=True) + feed_forward(model, block)


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


def _biased(model: ZooModel, *names: tuple[str, int]) -> list[Row]:
    return [(f"{name}.bias", (size,)) for name, size in names]


def _plain_up_and_down(model: ZooModel, block: int) -> list[Row]:
    width, inner = model.width, model.ff_of(block)
    return [("ffn_up.weight", (width, inner)), ("ffn_down.weight", (inner, width))]


def _fused(model: ZooModel, block: int) -> list[Row]:
    width, kv = model.width, model.kv_of(block) * model.head
    return [
        ("attn_norm.weight", (width,)),
        ("attn_norm.bias", (width,)),
        ("attn_qkv.weight", (width, width + 2 * kv)),
        ("attn_output.weight", (width, width)),
        *_plain_up_and_down(model, block),
    ]


def _phi2(model: ZooModel, block: int) -> list[Row]:
    width = model.width
    sizes = (("attn_qkv", 3 * width), ("attn_output", width), ("ffn_down", width))
    return [*_fused(model, block), *_biased(model, *sizes, ("ffn_up", model.ff_of(block)))]


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
        name="phi-2",
        note="attention and feed-forward side by side, biases, heads of 80 that no q8_0 cache fits",
        architecture="phi2",
        layers=32,
        width=2560,
        heads=32,
        kv_heads=32,
        head=80,
        feed_forward=10240,
        vocabulary=51200,
        context=2048,
        top=(("output_norm.bias", (2560,)), ("output.bias", (51200,))),
        extra={"attention.layer_norm_epsilon": 1e-5, "rope.dimension_count": 32},
        block=_phi2,
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
        name="falcon-7b",
        note="one head of K and V for 71, fused weights, side by side",
        architecture="falcon",
        layers=32,
        width=4544,
        heads=71,
        kv_heads=1,
        head=64,
        feed_forward=18176,
        vocabulary=65024,
        context=2048,
        top=(("output_norm.bias", (4544,)),),
        extra={"attention.layer_norm_epsilon": 1e-5},
        block=_fused,
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
