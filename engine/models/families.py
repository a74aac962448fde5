"""What differs between architectures in what they remember of a conversation, as data.

Source: `load_arch_hparams` in src/models/*.cpp, `create_memory` in src/llama-model.cpp and
src/llama-hparams.cpp of the llama.cpp inside llama-cpp-python 0.3.36; to be looked at again
with every new version of it.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum

from engine.models.architectures import EMBEDDERS, GENERATORS


class Pattern(Enum):
    """Where the sliding window applies when the file has no list of layers."""

    LAST_DENSE = "last_dense"
    """The last layer of each period sees everything."""
    FIRST_DENSE = "first_dense"
    LISTED = "listed"
    """The file must have the list."""
    ALL = "all"
    """Every layer with attention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """`tokens` if the file does not say (None: it has to, or there is no window if `optional`);
    `fixed` counts in place of what it says. `only_layers`: for this number of layers alone."""

    period: int = 4
    pattern: Pattern = Pattern.LAST_DENSE
    tokens: int | None = None
    fixed: int | None = None
    optional: bool = False
    only_layers: int | None = None


_LISTED = Window(pattern=Pattern.LISTED)
_OPTIONAL = Window(optional=True)

WINDOWS: dict[str, Window] = {
    "afmoe": _OPTIONAL,
    "cohere2": Window(),
    "cohere2moe": Window(pattern=Pattern.FIRST_DENSE),
    "exaone-moe": Window(),
    "exaone4": Window(tokens=4096, only_layers=64),
    "gemma2": Window(period=2, tokens=4096),
    "gemma3": Window(period=6, optional=True),
    "gemma3n": Window(period=5),
    "gemma4": _LISTED,
    "gpt-oss": Window(period=2),
    "granite_swa": _LISTED,
    "laguna": Window(pattern=Pattern.FIRST_DENSE, optional=True),
    "lfm2": Window(pattern=Pattern.ALL, optional=True),
    "llama4": Window(tokens=8192, fixed=8192, optional=True),
    "maple": _LISTED,
    "mellum": _OPTIONAL,
    "mimo2": _LISTED,
    "muse-glimmer": Window(),
    "olmo2": _OPTIONAL,
    "plamo3": Window(period=8, optional=True),
    "smallthinker": Window(pattern=Pattern.FIRST_DENSE, fixed=4096, optional=True),
    "spark2_5": _LISTED,
    "step35": _LISTED,
}
"""phi3 is missing on purpose: llama.cpp switches its window off."""

KV_LAYERS_FROM_START = {"gemma3n": 20}
"""Layers after these share the cache of an earlier one."""
SHARES_KV_AS_LISTED = frozenset({"gemma4"})
"""The file says how many of the last layers share: `attention.shared_kv_layers`."""

READS_MLA = frozenset({"bailingmoe3", "deepseek2", "kimi-linear", "mistral4"})
"""With `attention.key_length_mla` in the file these keep one compressed K and no V."""


class State(StrEnum):
    """How much a recurrent layer remembers."""

    MAMBA = "mamba"
    MAMBA_GROUPS = "mamba_groups"
    """The same with groups: Mamba 2, and gated delta nets."""
    RWKV = "rwkv"
    SHORT_CONVOLUTION = "short_convolution"
    KDA = "kda"
    LIGHTNING = "lightning"


class Recurrent(StrEnum):
    """Which layers are recurrent, and whether they have attention too."""

    ALL = "all"
    ALL_AND_ATTENTION = "all_and_attention"
    WITHOUT_KV_HEADS = "without_kv_heads"
    WITHOUT_KV_HEADS_AND_FEED_FORWARD = "without_kv_heads_and_feed_forward"
    INTERVAL = "interval"
    """All but each n-th, or those in `attention.recurrent_layers`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    layers: Recurrent
    state: State
    interval: int = 4


_DELTA = Recurrence(layers=Recurrent.INTERVAL, state=State.MAMBA_GROUPS)
_RWKV = Recurrence(layers=Recurrent.ALL, state=State.RWKV)
_LFM = Recurrence(layers=Recurrent.WITHOUT_KV_HEADS, state=State.SHORT_CONVOLUTION)
_KDA = Recurrence(layers=Recurrent.WITHOUT_KV_HEADS, state=State.KDA)
_NEMOTRON = Recurrence(layers=Recurrent.WITHOUT_KV_HEADS_AND_FEED_FORWARD, state=State.MAMBA_GROUPS)

RECURRENCES: dict[str, Recurrence] = {
    "arwkv7": _RWKV,
    "bailingmoe3": _KDA,
    "falcon-h1": Recurrence(layers=Recurrent.ALL_AND_ATTENTION, state=State.MAMBA_GROUPS),
    "granitehybrid": Recurrence(layers=Recurrent.WITHOUT_KV_HEADS, state=State.MAMBA_GROUPS),
    "jamba": Recurrence(layers=Recurrent.WITHOUT_KV_HEADS, state=State.MAMBA),
    "kimi-linear": _KDA,
    "lfm2": _LFM,
    "lfm2moe": _LFM,
    "mamba": Recurrence(layers=Recurrent.ALL, state=State.MAMBA),
    "mamba2": Recurrence(layers=Recurrent.ALL, state=State.MAMBA_GROUPS),
    "minimax-01": Recurrence(layers=Recurrent.INTERVAL, state=State.LIGHTNING, interval=8),
    "nemotron_h": _NEMOTRON,
    "nemotron_h_moe": _NEMOTRON,
    "plamo2": Recurrence(layers=Recurrent.WITHOUT_KV_HEADS, state=State.MAMBA_GROUPS),
    "qwen35": _DELTA,
    "qwen35moe": _DELTA,
    "qwen3next": _DELTA,
    "rwkv6": _RWKV,
    "rwkv6qwen2": _RWKV,
    "rwkv7": _RWKV,
}

WITHOUT_CACHE = EMBEDDERS - {"llama-embed", "t5encoder"}
"""They read a text in one go and remember nothing."""

EXTRA_CACHES = frozenset(
    {
        "deepseek32",
        "deepseek4",
        "dots3note",
        "glm-dsa",
        "glm5-next",
        "graniteswitch",
        "hy_v4",
        "kimi-k3",
        "minimax-m3",
        "qwen4exp",
    }
)
"""They keep caches (indexers, latents, routers) that our formula does not have."""

LOOPED = frozenset({"nanbeige"})
"""Their blocks run several times, each time with a cache of its own: `num_loops`."""

SKIPPED_AHEAD: dict[str, frozenset[str]] = {
    "step35": frozenset(
        {
            "attn_norm",
            "attn_q",
            "attn_k",
            "attn_v",
            "attn_qkv",
            "attn_output",
            "ffn_norm",
            "nextn.eh_proj",
            "nextn.enorm",
            "nextn.hnorm",
        }
    )
}
"""Of the blocks that guess ahead nothing is loaded by default, but here only these are left out."""

COUNTS_DEEPSTACK = frozenset({"qwen3vl", "qwen3vlmoe"})
"""The header says how many further embeddings a token has: `n_deepstack_layers`."""
MAPS_DEEPSTACK = frozenset({"granite", "granite_swa"})
"""It says which of them a layer gets: `deepstack_mapping`, -1 for none."""

WITHOUT_FLASH_ATTENTION = frozenset({"grok"})
"""llama.cpp forces it off."""


def known(architecture: str) -> bool:
    """Whether our formulas hold for this architecture."""
    return architecture in (GENERATORS | EMBEDDERS) and architecture not in EXTRA_CACHES
