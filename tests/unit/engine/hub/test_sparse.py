"""A header read in pieces is the header, whatever its bytes are; of what was not looked at, nothing
is believed that the rest of the file does not bear out."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, ModelFileError
from engine.hub import ends, sparse
from engine.hub.sparse import read_sparse
from engine.models.gguf import GgufHeader, parse
from tests.ggufs import F32, Tensor, header, string_array
from tests.vocabularies import merged, numbers, words

PATH = Path("m.gguf")
COUNT = 6000


class Held:
    """In the place of `Ranges`: the same promises, about bytes that are here."""

    def __init__(self, data: bytes, *, seekable: bool = True) -> None:
        self.data = data
        self.size_bytes: int | None = len(data)
        self.received_bytes = 0
        self.is_seekable = seekable
        self.address = "https://hub.example"
        self.at = 0

    def read(self, first: int, end: int) -> bytes:
        assert 0 <= first <= end
        if not self.is_seekable:
            assert first >= self.at, "a stream does not go back"
            self.at = end
        found = self.data[first:end]
        self.received_bytes += len(found)
        return found


@pytest.fixture(autouse=True)
def _small_steps() -> Iterator[None]:
    """So that small files are read in many pieces, and ends are looked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse, "_STEP_BYTES", 5000)
        patch.setattr(sparse, "_STEP_BEHIND_BYTES", 700)
        patch.setattr(ends, "_NEAR_BYTES", 16 << 10)
        patch.setattr(ends, "_WINDOW_BYTES", 6 << 10)
        yield


def model(tokens: list[bytes], pairs: list[bytes], *behind: str) -> bytes:
    tensors = tuple(Tensor(f"blk.{n}.weight", (32, 4)) for n in range(30))
    metadata = {
        "general.architecture": "llama",
        "tokenizer.ggml.tokens": string_array(tokens),
        "tokenizer.ggml.scores": numbers(F32, len(tokens)),
        "tokenizer.ggml.merges": string_array(pairs),
        **{f"tokenizer.{name}": 0 for name in behind},
        "tokenizer.chat_template": "{{ messages }}" * 90,
    }
    head = header(metadata, tensors)
    return head + bytes(512 * 30)


SOUND = model([*words(COUNT)], [*merged(COUNT)], "ggml.eos_token_id")


def read(data: bytes, budget: int, *, seekable: bool = True) -> tuple[GgufHeader, Held]:
    held = Held(data, seekable=seekable)
    return read_sparse(held, PATH, budget, 5000), held  # type: ignore[arg-type]


@pytest.mark.parametrize("budget", [0, 60_000, 150_000, 1 << 30])
@pytest.mark.parametrize("seekable", [True, False])
def test_equal_whatever_may_be_read(budget: int, seekable: bool) -> None:
    found, held = read(SOUND, budget, seekable=seekable)
    assert found == parse(SOUND, len(SOUND), PATH)
    if not seekable or budget == 1 << 30:
        assert held.received_bytes <= found.data_offset + 6000
    else:
        assert held.received_bytes < found.data_offset * 0.9


def test_an_end_that_leads_nowhere_is_not_believed() -> None:
    """The keys in the array are such that a search finds them first."""
    fake = [b"tokenizer.x", b"\x04\0\0\0"] * 40
    pairs = [*merged(COUNT)[:5000], *fake, b"\xff" * 5000, *merged(COUNT)[5000:]]
    data = model([*words(COUNT)], pairs)
    assert read(data, 0)[0] == parse(data, len(data), PATH)


def test_bytes_behind_the_weights_are_no_proof() -> None:
    """Then the array is read, as if nothing had been looked for."""
    data = SOUND + bytes(99)
    found, held = read(data, 0)
    assert found == parse(data, len(data), PATH)
    assert held.received_bytes > found.data_offset * 0.9


STRINGS = st.lists(st.binary(max_size=30) | st.sampled_from([b"a b", b"x.y", b""]), max_size=40)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32), STRINGS, st.integers(0, COUNT), st.sampled_from([0, 100_000]))
def test_any_strings(seed: int, odd: list[bytes], at: int, budget: int) -> None:
    pairs = [*merged(COUNT)]
    random.Random(seed).shuffle(pairs)
    pairs[at:at] = odd
    data = model([*words(COUNT)], pairs, "a", "b.c")
    assert read(data, budget)[0] == parse(data, len(data), PATH)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(SOUND) - 1), st.integers(0, 255)), min_size=1, max_size=3
    ),
    st.integers(0, len(SOUND)),
    st.sampled_from([0, 100_000, 1 << 30]),
)
def test_damage_is_an_error_or_makes_no_difference(
    changes: list[tuple[int, int]], length: int, budget: int
) -> None:
    data = bytearray(SOUND[: length if length % 3 == 0 else None])
    for at, value in changes:
        if at < len(data):
            data[at] = value
    try:
        expected = parse(bytes(data), len(data), PATH)
    except EngineError:
        expected = None
    try:
        found, _ = read(bytes(data), budget)
    except ModelFileError:
        assert expected is None
    else:
        assert expected in (None, found)  # None: what nobody looked at was damaged
        assert found.tensors
