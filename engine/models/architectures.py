"""The architectures llama.cpp knows, sorted by what they can be used for.

Source: src/llama-arch.cpp and src/models of the llama.cpp inside llama-cpp-python 0.3.36;
to be looked at again with every new version of it.
"""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PROJECTORS = frozenset({"clip"})
"""Eyes and ears for another model."""

EMBEDDERS = _names(
    """
    bert eurobert gemma-embedding jina-bert-v2 jina-bert-v3 llama-embed modern-bert neo-bert
    nomic-bert nomic-bert-moe t5encoder
    """
)
"""They turn text into vectors."""

ADAPTERS = frozenset({"controlvector"})
"""They change another model."""

OTHERS = _names(
    """
    dflash dream eagle3 gemma4-assistant llada llada-moe pockettts qwen3tts rnd1 t5
    wavtokenizer-dec
    """
)
"""Diffusion, speech, translation (encoder and decoder) and draft models: no next-token chat."""

GENERATORS = _names(
    """
    afmoe apertus arcee arctic arwkv7 baichuan bailingmoe bailingmoe2 bailingmoe3 bitnet bloom
    chameleon chatglm codeshell cogvlm cohere2 cohere2moe command-r dbrx deci deepseek deepseek2
    deepseek2-ocr deepseek32 deepseek4 dots1 dots3note ernie4_5 ernie4_5-moe exaone exaone-moe
    exaone4 falcon falcon-h1 gemma gemma2 gemma3 gemma3n gemma4 glm-dsa glm4 glm4moe glm5-next
    gpt-oss gpt2 gptj gptneox granite granite_swa granitehybrid granitemoe graniteswitch grok
    grovemoe hrm_text hunyuan-dense hunyuan-moe hunyuan_vl hy_v3 hy_v4 internlm2 jais jais2
    jamba kimi-k3 kimi-linear laguna lfm2 lfm2moe llama llama4 maincoder mamba mamba2 maple
    mellum mimo2 minicpm minicpm3 minimax-01 minimax-m2 minimax-m3 mistral3 mistral4 mpt
    muse-glimmer nanbeige nemotron nemotron_h nemotron_h_moe olmo olmo2 olmoe openelm orion
    paddleocr pangu-embedded phi2 phi3 phimoe plamo plamo2 plamo3 plm qwen qwen2 qwen2moe
    qwen2vl qwen3 qwen35 qwen35moe qwen3moe qwen3next qwen3vl qwen3vlmoe qwen4exp refact rwkv6
    rwkv6qwen2 rwkv7 seed_oss smallthinker smollm3 spark2_5 stablelm starcoder starcoder2 step35
    talkie xverse
    """
)
"""They continue text."""

KNOWN = PROJECTORS | EMBEDDERS | ADAPTERS | OTHERS | GENERATORS
