"""Pieces of small models: metadata, tensors of a block, and the sparse file around them."""

from collections.abc import Callable, Iterable
from pathlib import Path

from tests.ggufs import Tensor, string_array, write_sparse

WIDTH, VOCABULARY, HEADS, KV, HEAD, INNER, EXPERTS = 256, 320, 8, 2, 64, 512, 8
Row = tuple[str, tuple[int, ...]]
_Q4_K, _F32 = 12, 0


def metadata_of(architecture: str, blocks: int, **own: object) -> dict[str, object]:
    usual = {
        "block_count": blocks,
        "context_length": 32768,
        "embedding_length": WIDTH,
        "feed_forward_length": INNER,
        "attention.head_count": HEADS,
        "attention.head_count_kv": KV,
        "attention.key_length": HEAD,
        "attention.value_length": HEAD,
        "rope.dimension_count": HEAD,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "attention.layer_norm_epsilon": 1e-5,
    }
    usual.update({key.replace("__", "."): value for key, value in own.items()})
    chosen = {key: value for key, value in usual.items() if value is not None}
    return {
        "general.architecture": architecture,
        "general.name": architecture,
        **{f"{architecture}.{key}": value for key, value in chosen.items()},
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.tokens": string_array([b"t%d" % n for n in range(VOCABULARY)]),
        "tokenizer.ggml.merges": string_array([b"a b"]),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }


def attention_rows(head: int = HEAD, kv: int = KV, value: int | None = None) -> list[Row]:
    value = head if value is None else value
    return [
        ("attn_norm.weight", (WIDTH,)),
        ("attn_q.weight", (WIDTH, HEADS * head)),
        ("attn_k.weight", (WIDTH, kv * head)),
        ("attn_v.weight", (WIDTH, kv * value)),
        ("attn_output.weight", (HEADS * value, WIDTH)),
    ]


def gated_rows(suffix: str = "", inner: int = INNER) -> list[Row]:
    return [
        (f"ffn_gate{suffix}.weight", (WIDTH, inner)),
        (f"ffn_up{suffix}.weight", (WIDTH, inner)),
        (f"ffn_down{suffix}.weight", (inner, WIDTH)),
    ]


def routed_rows() -> list[Row]:
    return [
        ("ffn_gate_inp.weight", (WIDTH, EXPERTS)),
        ("ffn_gate_exps.weight", (WIDTH, INNER, EXPERTS)),
        ("ffn_up_exps.weight", (WIDTH, INNER, EXPERTS)),
        ("ffn_down_exps.weight", (INNER, WIDTH, EXPERTS)),
    ]


def norm_rows(*names: str, width: int = WIDTH) -> list[Row]:
    return [(f"{name}.weight", (width,)) for name in names]


def ahead_rows() -> list[Row]:
    return [("nextn.eh_proj.weight", (2 * WIDTH, WIDTH)), *norm_rows("nextn.enorm", "nextn.hnorm")]


MOE = {
    "expert_count": EXPERTS,
    "expert_used_count": 2,
    "expert_feed_forward_length": INNER,
}


def block_rows(count: int, block: Callable[[int], Iterable[Row]]) -> list[Row]:
    return [
        (f"blk.{number}.{name}", dims) for number in range(count) for name, dims in block(number)
    ]


def write_model(
    path: Path,
    metadata: dict[str, object],
    rows: list[Row],
    *,
    tied: bool = True,
    norm: bool = True,
) -> Path:
    rows = [
        ("token_embd.weight", (WIDTH, VOCABULARY)),
        *([("output_norm.weight", (WIDTH,))] if norm else []),
        *([] if tied else [("output.weight", (WIDTH, VOCABULARY))]),
        *rows,
    ]
    write_sparse(path, metadata, [Tensor(name, dims, _type(name, dims)) for name, dims in rows])
    return path


def _type(name: str, dims: tuple[int, ...]) -> int:
    plain = any(word in name for word in ("norm", "lerp", "conv", "gate_inp", "ssm_a", "bias"))
    return _F32 if plain or len(dims) == 1 or dims[0] % 256 else _Q4_K
