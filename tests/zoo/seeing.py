"""Models of the zoo that see: their input is wider, for what an image tells the first layers."""

from tests.ggufs import Typed
from tests.zoo.blocks import attention, feed_forward
from tests.zoo.model import Row, ZooModel

_I32 = 5


def _qwen3(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block, norms=True) + feed_forward(model, block)


def _granite(model: ZooModel, block: int) -> list[Row]:
    return attention(model, block) + feed_forward(model, block)


def _mapping(layers: int, *at: int) -> list[Typed]:
    """Which further embedding each layer gets, -1 for none."""
    return [Typed(_I32, at.index(layer) if layer in at else -1) for layer in range(layers)]


MODELS = (
    ZooModel(
        name="granite-vision-3b",
        note="an image's embeddings go to layers that are listed",
        architecture="granite",
        layers=40,
        width=2560,
        heads=40,
        kv_heads=8,
        head=64,
        feed_forward=8192,
        vocabulary=100352,
        context=131072,
        tied=True,
        extra={
            "attention.scale": 0.015625,
            "embedding_scale": 12.0,
            "residual_scale": 0.22,
            "logit_scale": 10.0,
            "deepstack_mapping": _mapping(40, 0, 9, 19),
        },
        block=_granite,
    ),
    ZooModel(
        name="qwen3-vl-8b",
        note="an image's embeddings go to the first three layers, too",
        architecture="qwen3vl",
        layers=36,
        width=4096,
        heads=32,
        kv_heads=8,
        head=128,
        feed_forward=12288,
        vocabulary=151936,
        context=262144,
        extra={"rope.dimension_sections": [24, 20, 20, 0], "n_deepstack_layers": 3},
        block=_qwen3,
    ),
)
