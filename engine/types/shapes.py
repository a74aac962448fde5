"""The sizes inside a model, layer by layer, as its header gives them: what memory depends on."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class LayerKind(StrEnum):
    ATTENTION = "attention"
    WINDOW = "window"
    """Attention that sees a sliding window only."""
    RECURRENT = "recurrent"
    BOTH = "both"
    """Attention and recurrent state side by side."""
    NONE = "none"
    """Nothing to remember: feed-forward only, or shares another layer's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One block. Widths are in elements a token; `state_elements` are F32 a sequence."""

    kind: LayerKind
    heads: int
    kv_heads: int
    key_width: int
    """Elements of K a token over all heads, 0 without attention."""
    value_width: int
    """The same of V; 0 with MLA, which keeps K only."""
    state_elements: int
    feed_forward: int
    """Width of the dense (or shared) feed-forward part."""
    experts: int
    experts_used: int
    expert_feed_forward: int
    weights_bytes: int
    """All of its tensors, as llama.cpp stores them."""
    expert_bytes: int
    """The part of them in routed experts."""
    type_bytes: tuple[tuple[str, int], ...]
    """(tensor type, bytes) of what one token reads: of routed experts only the used share."""
    repack_bytes: tuple[tuple[str, int], ...]
    """(tensor type, bytes) that the processor may copy into an order of its own."""
    expert_repack_bytes: tuple[tuple[str, int], ...] = ()
    """The part of them in routed experts."""
    matrices: tuple[tuple[int, int, int], ...] = ()
    """(columns, rows, bytes) of its matrices, with the rows of all experts; of equal ones the
    largest."""


class Unsure(StrEnum):
    """What the formulas do not know of a model."""

    ARCHITECTURE = "architecture"
    """One that keeps caches beyond the formula, or that is not known at all."""
    SIZES_MISSING = "sizes_missing"
    """Head counts or widths are absent or make no sense: no number can be given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateSpace:
    """Sizes of a recurrent mixer (Mamba, gated delta net, RWKV …), in elements."""

    kernel: int
    """Tokens that the convolution sees."""
    inner: int = 0
    state: int = 0
    heads: int = 0
    """`ssm.time_step_rank`: heads of V, or of Mamba-1 the rank of its time step."""
    groups: int = 0
    ranks: tuple[int, ...] = ()
    """Of the small projections of RWKV 7 (decay, rate, value, gate) or 6 (mix, decay)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Latent:
    """Sizes of latent attention (MLA), a head."""

    rank: int
    """Elements of the compressed K and V."""
    rope: int
    """Elements that are rotated, behind them."""
    key: int
    value: int
    query_rank: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelShape:
    """What the planner knows of a model. Bytes and elements; see `Layer`."""

    architecture: str
    name: str
    file_bytes: int
    parameters: int
    weights_bytes: int
    """All tensors that llama.cpp loads for a plain context."""
    layers: tuple[Layer, ...]
    embedding_bytes: int
    """The token table. It always stays in main memory."""
    output_bytes: int
    """The output head and norm; with tied embeddings what a device needs a copy of."""
    tied: bool
    output_type_bytes: tuple[tuple[str, int], ...]
    width: int
    """Elements of one token's embedding."""
    vocabulary: int
    context_length: int | None
    """Trained for."""
    window: int
    """Tokens of the sliding window, 0 without."""
    head_width: int
    """Largest size of one attention head, for what quantised caches and kernels need."""
    mla: bool
    unsure: frozenset[Unsure]
    output_repack_bytes: tuple[tuple[str, int], ...] = ()
    """Like `Layer.repack_bytes`; with tied embeddings it is the table that may be copied."""
    kv_quantizable: bool = True
    """Whether every head is a multiple of 32 wide: llama.cpp refuses q8_0 otherwise."""
    merges: int = 0
    """Entries of a byte-pair vocabulary's merge table, which lies in memory beside the tokens."""
    parts: frozenset[str] = frozenset()
    """Names of the tensors in the blocks, without number and `.weight`: "attn_q_norm", "ffn_gate",
    "attn_norm.bias" …, which tell what the graph does."""
    state_space: StateSpace | None = None
    latent: Latent | None = None
    per_layer_width: int = 0
    """Elements that each layer gets of a token beside the stream (gemma3n, gemma4)."""
    deepstack: int = 0
    """Further embeddings that come with each token, for the first layers (models that see)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxShape:
    """What the planner knows of a model folder of ONNX Runtime GenAI."""

    architecture: str
    name: str
    weights_bytes: int
    """All .onnx and data files."""
    layers: int
    kv_heads: int
    head_width: int
    """Elements of K, and of V, a token and head."""
    kv_element_bytes: int
    width: int
    """Elements of one token's embedding; 0 where the folder does not say."""
    vocabulary: int
    context_length: int | None
    """Trained for; a longer one is refused."""
    unsure: frozenset[Unsure]


AnyShape = ModelShape | OnnxShape


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another known model, for an offer when one is too big."""

    name: str
    path: Path
    shape: AnyShape
