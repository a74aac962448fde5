"""Under limits from outside a model that can not fit ends as a sentence and an offer, and one that
fits with a shorter memory is loaded with it. Never as a killed process."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import ggufs
from tests.system import limits

MB = 1_000_000
FITS_SHORTER = 250 * MB
"""Enough for SmolLM2 (98 MB) with a short memory, not for its whole 8192 tokens (188 MB more)."""
FITS_NOT = 120 * MB
ROOM_FOR_SHORTER = (1400 + 100 * (os.cpu_count() or 1)) * MB
"""Addresses for the program, its threads and 8192 tokens of SmolLM2, not for 65,536."""

pytestmark = pytest.mark.model
ASK = ("ask", "What is the capital of France?", "--max-tokens", "8", "--json")


@pytest.fixture(scope="module", autouse=True)
def _placed(starter_model: Path) -> Path:
    return starter_model


@pytest.fixture(params=[FITS_SHORTER, FITS_NOT])
def group(request: pytest.FixtureRequest) -> Iterator[tuple[int, Any]]:
    with limits.memory_group(request.param) as enter:
        if enter is None:
            pytest.skip("no memory cgroup can be made here; unit tests read a made-up tree")
        yield request.param, enter


def answer_of(done: Any) -> tuple[int, dict[str, Any]]:
    lines = done.stdout.splitlines()
    assert lines, (done.returncode, done.stderr)
    return done.returncode, json.loads(lines[-1])


def assert_sentence_and_offer(code: int, answer: dict[str, Any]) -> None:
    assert (code, answer["error"]["code"]) == (4, "does_not_fit")
    sentence = answer["error"]["message"]
    assert "needs about" in sentence
    assert "fit" in sentence.partition(").")[2]


def test_in_a_memory_cgroup(group: tuple[int, Any]) -> None:
    limit_bytes, enter = group
    code, answer = answer_of(limits.snug(*ASK, "--context", "8192", before=enter))
    if limit_bytes == FITS_NOT:
        assert_sentence_and_offer(code, answer)
    else:
        assert (code, answer["text"]) == (0, "The capital of France is Paris.")
        assert 1024 <= answer["context"] < 8192


def test_in_a_memory_cgroup_a_large_model_is_not_even_begun(
    tmp_path: Path, snug_home: Path
) -> None:
    large = tmp_path / "large.gguf"
    metadata = ggufs.CHAT | {
        "llama.embedding_length": 4096,
        "llama.attention.head_count": 32,
        "llama.attention.head_count_kv": 8,
        "llama.feed_forward_length": 14336,
        "llama.block_count": 1,
    }
    tensors = (
        ggufs.Tensor("token_embd.weight", (4096, 128_000), 1),
        ggufs.Tensor("output_norm.weight", (4096,)),
        ggufs.Tensor("blk.0.ffn_up.weight", (4096, 14336), 1),
    )
    ggufs.write_sparse(large, metadata, tensors)
    with limits.memory_group(600 * MB) as enter:
        done = limits.snug(*ASK, "--model", str(large), before=enter)
        fit = limits.snug("fit", str(large), "--json", before=enter)
    if enter is not None:
        assert_sentence_and_offer(*answer_of(done))
        assert (fit.returncode, json.loads(fit.stdout)["verdict"]) == (4, "too-big")
        assert json.loads(fit.stdout)["offer"] is not None


@pytest.mark.parametrize("limit_mb", [250, 500, 800])
def test_under_ulimit_v_what_can_not_fit_is_a_sentence(limit_mb: int, snug_home: Path) -> None:
    done = limits.snug(*ASK, before=limits.address_space(limit_mb * MB))
    assert_sentence_and_offer(*answer_of(done))


def test_under_ulimit_v_a_shorter_memory_is_taken(snug_home: Path) -> None:
    done = limits.snug(*ASK, "--context", "65536", before=limits.address_space(ROOM_FOR_SHORTER))
    code, answer = answer_of(done)
    assert (code, answer["text"]) == (0, "The capital of France is Paris.")
    assert 1024 <= answer["context"] < 65536
    assert "not free" in done.stderr
