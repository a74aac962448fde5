"""Any bytes at all: a header, or an error of ours, and soon."""

import struct
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ModelDamaged, ModelFileError
from engine.models import cursor, gguf
from engine.models.gguf import GgufHeader, parse
from tests import ggufs

SOUND = ggufs.chat({"tokenizer.ggml.tokens": ggufs.string_array([b"t"] * 300)})
HEADER_END = parse(SOUND, len(SOUND)).data_offset
SPECIAL = [struct.pack("<Q", n) for n in (0, 1, 2**31, 2**32 - 1, 2**53, 2**62, 2**63, 2**64 - 1)]


def outcome(data: bytes) -> GgufHeader | ModelFileError:
    """A header that holds what it promises, or one of our errors; anything else fails the test."""
    try:
        header = parse(data, len(data))
    except ModelFileError as error:
        return error
    assert header.data_offset <= len(data)
    for tensor in header.tensors:
        assert header.data_offset + tensor.offset + tensor.size_bytes <= len(data)
    return header


@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    assert isinstance(outcome(data), ModelFileError)


@given(st.integers(2, 3), st.binary(max_size=400))
def test_any_bytes_behind_a_good_beginning(version: int, data: bytes) -> None:
    outcome(b"GGUF" + struct.pack("<IQQ", version, 1, 1) + data)


@settings(max_examples=400)
@given(st.integers(0, HEADER_END - 1), st.integers(0, 255))
def test_any_byte_changed(place: int, byte: int) -> None:
    outcome(SOUND[:place] + bytes([byte]) + SOUND[place + 1 :])


@settings(max_examples=400)
@given(st.integers(0, HEADER_END - 8), st.sampled_from(SPECIAL), st.integers(1, 8))
def test_any_place_overwritten_with_a_special_number(place: int, number: bytes, size: int) -> None:
    outcome(SOUND[:place] + number[:size] + SOUND[place + size :])


@given(st.integers(0, len(SOUND) - 1))
def test_any_truncation(size: int) -> None:
    assert isinstance(outcome(SOUND[:size]), ModelFileError)


@given(st.lists(st.binary(max_size=140), min_size=65, max_size=600))
def test_stepping_over_strings_agrees_with_their_lengths(words: list[bytes]) -> None:
    header = outcome(ggufs.whole({"words": ggufs.string_array(words), "after": 7}))
    assert isinstance(header, GgufHeader)
    assert header.skipped["words"].count == len(words)
    assert header.metadata["after"] == 7


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=20),
        st.integers(0, 2**32 - 1) | st.booleans() | st.text() | st.lists(st.text(), max_size=5),
        max_size=8,
    )
)
def test_what_was_written_is_read(metadata: dict[str, object]) -> None:
    metadata.pop("general.alignment", None)
    header = outcome(ggufs.whole(metadata))
    assert isinstance(header, GgufHeader)
    expected = {k: tuple(v) if isinstance(v, list) else v for k, v in metadata.items()}
    assert header.metadata == expected


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(ggufs.header({}, (), key_count=gguf.KEYS_LIMIT) + bytes(1 << 20), id="keys"),
        pytest.param(
            ggufs.header({}, (), tensor_count=gguf.TENSORS_LIMIT) + bytes(1 << 20), id="tensors"
        ),
        pytest.param(
            ggufs.header({"k": ggufs.string_array([b"x" * 128] * 30_000)}, ())
            + struct.pack("<Q", 2**60),
            id="strings too long to be skipped in blocks",
        ),
        pytest.param(
            ggufs.header({"k": ggufs.string_array(([b"x"] * 127 + [b"y" * 128]) * 1000)}, ()),
            id="every block fails at its last string",
        ),
    ],
)
def test_work_grows_no_faster_than_the_file(data: bytes) -> None:
    """Under 10 s for a few megabytes: 50 times what is needed, yet far below a quadratic."""
    start = time.process_time()
    outcome(data)
    assert time.process_time() - start < 10


def test_a_vocabulary_of_262144_tokens_is_not_built() -> None:
    words = [b"token%d" % n for n in range(262_144)]
    data = ggufs.chat({"tokenizer.ggml.tokens": ggufs.string_array(words)})
    header = outcome(data)
    assert isinstance(header, GgufHeader)
    assert header.skipped["tokenizer.ggml.tokens"].count == 262_144
    assert "tokenizer.ggml.tokens" not in header.metadata
    place = data.index(b"token262143") - 8
    broken = data[:place] + struct.pack("<Q", 2**60) + data[place + 8 :]
    assert isinstance(outcome(broken), ModelDamaged)


def test_vocabularies_are_stepped_over_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the last few of 262,144 tokens may need a step of their own."""
    steps = []
    one_by_one = cursor.Cursor._skip_one_by_one

    def counted(self: cursor.Cursor, count: int, limit: int) -> None:
        steps.append(count)
        one_by_one(self, count, limit)

    monkeypatch.setattr(cursor.Cursor, "_skip_one_by_one", counted)
    outcome(ggufs.whole({"k": ggufs.string_array([b"token"] * 262_145)}))
    assert sum(steps) == 1
