"""Vocabularies as long as real ones, for headers whose size matters: tokens, scores, merges."""

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.ggufs import ARRAY, F32, I32, Raw, string_array, write_sparse
from tests.zoo import ZOO

_LETTERS = "abcdefghijklmnopqrstuvwxyz\u0120.\u4e2d_".encode()
TEMPLATE = "{% for m in messages %}{{ m.content }}" * 150


@cache
def words(count: int) -> tuple[bytes, ...]:
    """Tokens as long as real ones: Qwen's and Gemma's have 6.5 bytes on average, up to 96."""
    chance = random.Random(7)
    lengths = chance.choices(
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 96],
        [1, 3, 8, 13, 15, 15, 13, 10, 8, 6, 5, 2, 0.6, 0.05],
        k=count,
    )
    return tuple(bytes(chance.choices(_LETTERS, k=length)) for length in lengths)


@cache
def merged(count: int, times: int = 1) -> tuple[bytes, ...]:
    """Each word as two pieces of it, cut so many times in another place."""
    chance = random.Random(8)
    long = [word for word in words(count) if len(word) > 1] * times
    return tuple(word[: (at := chance.randrange(1, len(word)))] + b" " + word[at:] for word in long)


@cache
def tokens(count: int) -> Raw:
    return string_array(words(count))


@cache
def merges(count: int, times: int = 1) -> Raw:
    return string_array(merged(count, times))


def numbers(type_id: int, count: int) -> Raw:
    """Any, of four bytes each."""
    head = ARRAY.to_bytes(4, "little") + type_id.to_bytes(4, "little") + count.to_bytes(8, "little")
    return Raw(head + random.Random(count).randbytes(4 * count))


def with_true_vocabulary(metadata: Mapping[str, object], count: int) -> dict[str, object]:
    """As converters write it: tokens, scores or merges, types, and what is short behind them."""
    is_bpe = metadata["tokenizer.ggml.model"] == "gpt2"
    long: dict[str, object] = {"tokenizer.ggml.tokens": tokens(count)}
    if not is_bpe:
        long["tokenizer.ggml.scores"] = numbers(F32, count)
    long["tokenizer.ggml.token_type"] = numbers(I32, count)
    if is_bpe:
        long["tokenizer.ggml.merges"] = merges(count)
    behind = {key: metadata[key] for key in metadata if key.startswith("tokenizer.")}
    first = {key: behind.pop(key) for key in ("tokenizer.ggml.model", "tokenizer.ggml.pre")}
    before = {key: metadata[key] for key in metadata if not key.startswith("tokenizer.")}
    behind = {key: value for key, value in behind.items() if key not in long}
    return {**before, **first, **long, **behind, "tokenizer.chat_template": TEMPLATE}


def write_true(name: str, folder: Path) -> Path:
    """One of the zoo with a vocabulary of true size; a sparse file."""
    model, path = ZOO[name], folder / f"{name}.gguf"
    write_sparse(path, with_true_vocabulary(model.metadata(), model.vocabulary), model.tensors())
    return path
