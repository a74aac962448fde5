"""Where the bytes of a model's weights go: to its blocks, the token table, the output head.

From names and types of tensors alone, by llama.cpp's rules: `LLM_TENSOR_INFOS` in
src/llama-arch.cpp (which part a tensor belongs to), `create_tensor` in
src/llama-model-loader.cpp (which are not loaded), `ggml_repack_get_optimal_repack_type` in
ggml/src/ggml-cpu/repack.cpp (which the processor may keep a second copy of).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import prod

from engine.models.numbers import NumbersMissing
from engine.models.tensors import TensorInfo

_BLOCK = re.compile(r"blk\.(\d{1,4})\.(.+?)(\.weight)?$")
_EXPERTS = re.compile(r"\.ffn_(up|down|gate|gate_up)_(ch)?exps\.")
_INPUT = ("token_embd.", "position_embd.", "token_types.", "per_layer_token_embd.")
_FIRST_BLOCK = ("token_embd_norm.", "per_layer_model_proj.", "per_layer_proj_norm.", "hrm.")
"""Not named after a block, yet they go where the first one goes."""
_ROPE = ("rope_freqs.", "rope_factors_")
ROPE_FACTORS = "rope_factors"
"""Stands among the names of tensors in blocks for what all blocks use to rotate."""
TABLE = "token_embd.weight"
_OUTPUT = "output.weight"
_REPACKED_TYPES = frozenset(
    ("Q1_0", "Q2_K", "Q4_0", "Q4_K", "Q5_K", "Q6_K", "Q8_0", "IQ4_NL", "MXFP4")
)
"""Those that some processor repacks; which one repacks which is for those who know it."""
_REPACKED_ROWS = 8

TypeBytes = tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Part:
    """Tensors that stay together. `routed`: of experts that not every token uses."""

    dense: Counter[str] = field(default_factory=Counter)
    routed: Counter[str] = field(default_factory=Counter)
    dense_repack: Counter[str] = field(default_factory=Counter)
    routed_repack: Counter[str] = field(default_factory=Counter)
    matrices: dict[tuple[int, int], int] = field(default_factory=dict)
    """(columns, rows) to bytes; of equal ones the largest."""

    def add(self, tensor: TensorInfo) -> None:
        routed = _EXPERTS.search(tensor.name) is not None
        (self.routed if routed else self.dense)[tensor.type.name] += tensor.size_bytes
        if len(tensor.dims) > 1:
            size = (tensor.dims[0], prod(tensor.dims[1:]))
            self.matrices[size] = max(self.matrices.get(size, 0), tensor.size_bytes)
        if repackable(tensor, routed=routed):
            repack = self.routed_repack if routed else self.dense_repack
            repack[tensor.type.name] += tensor.size_bytes

    @property
    def size_bytes(self) -> int:
        return self.dense.total() + self.routed.total()

    def read_by_a_token(self, used: int, of: int) -> TypeBytes:
        """Of the routed experts only the used share."""
        read = self.dense.copy()
        for name, size in self.routed.items():
            read[name] += size * used // of if of else size
        return type_bytes(read)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """`table` is the token table alone; `head` everything after the last block that the file
    has, without it where it has none (tied). `names`: the kinds of tensors in blocks, without
    number and `.weight` (a bias keeps its ending), and `ROPE_FACTORS`."""

    blocks: tuple[Part, ...]
    embedding: Part
    head: Part
    table: TensorInfo
    tied: bool
    names: frozenset[str]
    by_name: Mapping[str, TensorInfo]

    @property
    def size_bytes(self) -> int:
        parts = (*self.blocks, self.embedding, self.head)
        return sum(part.size_bytes for part in parts)


def sort_weights(
    tensors: Iterable[TensorInfo], blocks: int, trunk: int, skipped: frozenset[str] | None = None
) -> Weights:
    """Raises `NumbersMissing` for weights that are no whole model.

    Of blocks from `trunk` on (`load_mtp` is off by default) llama.cpp skips the tensors named in
    `skipped`; None: all of them.
    """
    by_name = {tensor.name: tensor for tensor in tensors}
    parts = [Part() for _ in range(blocks)]
    embedding, head = Part(), Part()
    names = set()
    for tensor in by_name.values():
        number, name = _block(tensor.name, blocks)
        if number is None:
            (embedding if name.startswith(_INPUT) else head).add(tensor)
            names |= {ROPE_FACTORS} if name.startswith(_ROPE) else set()
        elif number < trunk or (skipped is not None and name not in skipped):
            parts[number].add(tensor)
            names.add(name)
    table = by_name.get(TABLE)
    if table is None or not table.size_bytes or not any(part.size_bytes for part in parts):
        raise NumbersMissing("tensors")
    return Weights(
        blocks=tuple(parts),
        embedding=embedding,
        head=head,
        table=table,
        tied=_OUTPUT not in by_name,
        names=frozenset(names),
        by_name=by_name,
    )


def _block(name: str, blocks: int) -> tuple[int | None, str]:
    """The number of a tensor's block, and its name in there; None for one outside of blocks."""
    if name.startswith(_FIRST_BLOCK):
        return 0, name.partition(".")[0]
    found = _BLOCK.match(name)
    if found is None:
        return None, name
    if int(found[1]) >= blocks:
        raise NumbersMissing(name)
    return int(found[1]), found[2]


def repackable(tensor: TensorInfo, *, routed: bool = False) -> bool:
    """Multiplied with as a matrix (experts: a stack of them), of a type some processor repacks."""
    dimensions = len(_without_ones(tensor.dims))
    return (
        tensor.type.name in _REPACKED_TYPES
        and dimensions == (3 if routed else 2)
        and tensor.dims[1] % _REPACKED_ROWS == 0
        and (tensor.name == TABLE or not tensor.name.startswith(_INPUT))
        and tensor.name.endswith(".weight")
    )


def _without_ones(dims: tuple[int, ...]) -> tuple[int, ...]:
    """Without trailing ones, as `ggml_n_dims` counts."""
    end = len(dims)
    while end > 1 and dims[end - 1] == 1:
        end -= 1
    return dims[:end]


def type_bytes(counter: Mapping[str, int]) -> TypeBytes:
    return tuple(sorted((name, size) for name, size in counter.items() if size > 0))
