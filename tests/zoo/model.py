"""One animal of the zoo: from a few published numbers to the metadata and tensors of its file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import prod

from engine.models.ggml_types import TENSOR_TYPES
from tests.ggufs import Raw, Tensor, string_array

Row = tuple[str, tuple[int, ...]]
"""A tensor's name within its block (with .weight or .bias where it has one), and its dimensions."""

TYPE_IDS = {known.name: type_id for type_id, known in TENSOR_TYPES.items()}
FALLBACK = {"Q4_K": "Q5_0", "Q6_K": "Q8_0"}
"""What rows that are no multiple of 256 are stored as instead (src/llama-quant.cpp)."""
FILE_TYPES = {"Q4_K": 15, "Q8_0": 7, "MXFP4": 38, "F16": 1}
PLAIN = ("gate_inp", "conv", "ssm_a", "ssm_d", "ssm_norm", "ssm_dt", "ssm_x")
"""Small tensors that are never quantised."""
PROMOTED = ("attn_v.", "ffn_down", "attn_qkv.")
"""What a Q4_K_M mix stores as Q6_K in the first and last eighth and every third block."""


@dataclass(frozen=True, kw_only=True)
class ZooModel:
    """`block` gives the tensors of one block; `extra` metadata without the architecture's prefix,
    where a list has one entry a block."""

    name: str
    note: str
    architecture: str
    layers: int
    width: int
    vocabulary: int
    context: int
    block: Callable[["ZooModel", int], list[Row]]
    heads: int = 0
    kv_heads: int | list[int] = 0
    head: int = 0
    feed_forward: int | list[int] = 0
    quant: str = "Q4_K"
    tied: bool = False
    tokenizer: str = "gpt2"
    top: tuple[Row, ...] = ()
    """Tensors beside the blocks, the token table and the output."""
    output_norm: str = "output_norm.weight"
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def parameters(self) -> int:
        return sum(prod(tensor.dims) for tensor in self.tensors())

    def kv_of(self, block: int) -> int:
        return self.kv_heads[block] if isinstance(self.kv_heads, list) else self.kv_heads

    def ff_of(self, block: int) -> int:
        return (
            self.feed_forward[block] if isinstance(self.feed_forward, list) else (self.feed_forward)
        )

    def number(self, key: str) -> int:
        value = self.extra[key]
        assert isinstance(value, int)
        return value

    def metadata(self) -> dict[str, object]:
        own = {
            "block_count": self.layers,
            "context_length": self.context,
            "embedding_length": self.width,
            "feed_forward_length": self.feed_forward,
            "attention.head_count": self.heads,
            "attention.head_count_kv": self.kv_heads,
            "attention.layer_norm_rms_epsilon": 1e-5,
            **self._head_sizes(),
            **self.extra,
        }
        prefixed = {f"{self.architecture}.{key}": value for key, value in own.items()}
        return {**self._general(), **prefixed, **self._tokenizer()}

    def _head_sizes(self) -> dict[str, object]:
        if not self.head:
            return {}
        return {
            "attention.key_length": self.head,
            "attention.value_length": self.head,
            "rope.dimension_count": self.head,
        }

    def _general(self) -> dict[str, object]:
        return {
            "general.architecture": self.architecture,
            "general.type": "model",
            "general.name": self.name,
            "general.file_type": FILE_TYPES[self.quant],
            "general.quantization_version": 2,
        }

    def _tokenizer(self) -> dict[str, object]:
        return {
            "tokenizer.ggml.model": self.tokenizer,
            "tokenizer.ggml.pre": "default" if self.tokenizer == "llama" else "llama-bpe",
            "tokenizer.ggml.tokens": _tokens(self.vocabulary),
            "tokenizer.ggml.merges": string_array([b"a b"]),
            "tokenizer.ggml.bos_token_id": 1,
            "tokenizer.ggml.eos_token_id": 2,
            "tokenizer.chat_template": "{% for m in messages %}{{ m['content'] }}{% endfor %}",
        }

    def tensors(self) -> tuple[Tensor, ...]:
        table = (self.width, self.vocabulary)
        embedding = "Q6_K" if self.tied and self.quant == "Q4_K" else self.quant
        rows = [self._tensor("token_embd.weight", table, embedding)]
        rows.append(self._tensor(self.output_norm, (self.width,), "F32"))
        if not self.tied:
            head = "Q6_K" if self.quant == "Q4_K" else self.quant
            rows.append(self._tensor("output.weight", table, head))
        rows += [self._tensor(name, dims, "F32") for name, dims in self.top]
        for block in range(self.layers):
            for name, dims in self.block(self, block):
                rows.append(
                    self._tensor(f"blk.{block}.{name}", dims, self._kind(name, dims, block))
                )
        return tuple(rows)

    def _kind(self, name: str, dims: tuple[int, ...], block: int) -> str:
        if len(dims) == 1 or "bias" in name or name.startswith(PLAIN) or "conv" in name:
            return "F32"
        if "gate_inp" in name:
            return "F32"
        if self.quant == "Q4_K" and name.startswith(PROMOTED) and self._more_bits(block):
            return "Q6_K"
        return self.quant

    def _more_bits(self, block: int) -> bool:
        eighth = self.layers // 8
        return block < eighth or block >= 7 * eighth or (block - eighth) % 3 == 2

    def _tensor(self, name: str, dims: tuple[int, ...], kind: str) -> Tensor:
        if kind == "MXFP4" and "exps" not in name:
            kind = "Q8_0"
        if dims[0] % TENSOR_TYPES[TYPE_IDS[kind]].block:
            kind = FALLBACK.get(kind, "F16")
        if dims[0] % TENSOR_TYPES[TYPE_IDS[kind]].block:
            kind = "F16"
        return Tensor(name, dims, TYPE_IDS[kind])


@cache
def _tokens(count: int) -> Raw:
    """Dummies behind the few that llama.cpp looks up by name in some models."""
    named = [b"<unk>", b"<s>", b"</s>", b"<|endoftext|>", b"<0x0A>"]
    return string_array(named + [b"t%d" % number for number in range(count - len(named))])
