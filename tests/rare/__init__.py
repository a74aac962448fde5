"""Small models of architectures with rules of their own, as sparse files, beside `tests.zoo`.

Never load one for real.
"""

from collections.abc import Callable
from pathlib import Path

from tests.rare import attention, mixers, plain, rwkv

RARE: dict[str, Callable[[Path], Path]] = {
    make.__name__: make
    for make in (
        attention.cohere2,
        attention.deci,
        attention.exaone4,
        attention.gemma3n,
        attention.gemma4,
        attention.glm4moe,
        attention.llama4,
        attention.mimo2,
        attention.nanbeige,
        attention.smallthinker,
        attention.step35,
        mixers.bailingmoe3,
        mixers.kimi_linear,
        mixers.minimax_01,
        mixers.nemotron_h_moe,
        mixers.qwen35,
        plain.afmoe,
        plain.apertus,
        plain.arctic,
        plain.cogvlm,
        plain.cohere2moe,
        plain.deepseek2_ocr,
        plain.laguna,
        plain.laguna_by_element,
        plain.olmo,
        plain.talkie,
        rwkv.arwkv7,
        rwkv.rwkv6,
        rwkv.rwkv6_before,
        rwkv.rwkv6qwen2,
        rwkv.rwkv7,
    )
}
"""By name: each writes its file to a path and returns it."""

__all__ = ["RARE"]
