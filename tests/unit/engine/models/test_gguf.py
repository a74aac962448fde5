"""The header reader: what it reads, and that each kind of broken file is called by its name."""

import struct
from itertools import pairwise

import pytest

from engine.errors import (
    ModelCutOff,
    ModelDamaged,
    ModelFileError,
    ModelTooNew,
    NotAModel,
    WrongByteOrder,
)
from engine.models import gguf
from engine.models.gguf import GgufHeader, PrefixTooShort, Skipped, parse
from tests import ggufs
from tests.ggufs import Raw, Tensor, Typed

HUGE = (1 << 60, 1 << 63, (1 << 64) - 1)


def read(data: bytes) -> GgufHeader:
    return parse(data, len(data))


def refused(data: bytes, error: type[ModelFileError], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        read(data)
    assert type(caught.value) is error


# --- sound files ------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3])
def test_reads_both_versions(version: int) -> None:
    data = ggufs.header(ggufs.CHAT, version=version) + bytes(640)
    header = read(data)
    assert header.version == version
    assert header.metadata["general.name"] == "Tiny"
    assert header.metadata["llama.attention.head_count_kv"] == (3, 0)
    assert [tensor.name for tensor in header.tensors] == ["token_embd.weight", "output_norm.weight"]
    assert header.data_offset == len(data) - 640
    assert header.file_size == len(data)


@pytest.mark.parametrize(
    ("type_id", "value"),
    [
        (ggufs.U8, 255),
        (ggufs.I8, -128),
        (ggufs.U16, 65535),
        (ggufs.I16, -32768),
        (ggufs.U32, 2**32 - 1),
        (ggufs.I32, -(2**31)),
        (ggufs.U64, 2**64 - 1),
        (ggufs.I64, -(2**63)),
        (ggufs.F32, 0.5),
        (ggufs.F64, 1e300),
        (ggufs.BOOL, True),
        (ggufs.STRING, "héllo\n"),
    ],
)
def test_reads_every_type_alone_and_in_an_array(type_id: int, value: object) -> None:
    one = Typed(type_id, value)
    header = read(ggufs.whole({"one": one, "many": [one, one]}))
    assert header.metadata["one"] == value
    assert header.metadata["many"] == (value, value)


def test_bytes_that_are_not_text_are_replaced() -> None:
    assert read(ggufs.whole({"k": b"a\xff\0b"})).metadata["k"] == "a\ufffd\0b"


def test_long_arrays_and_strings_are_stepped_over() -> None:
    header = read(
        ggufs.whole(
            {
                "numbers": [1] * 1025,
                "kept": [1] * 1024,
                "words": ["w"] * 65,
                "text": "x" * (gguf.KEPT_STRING_BYTES + 1),
                "after": 7,
            }
        )
    )
    assert header.skipped == {
        "numbers": Skipped(type_id=ggufs.U32, count=1025),
        "words": Skipped(type_id=ggufs.STRING, count=65),
        "text": Skipped(type_id=ggufs.STRING, count=gguf.KEPT_STRING_BYTES + 1),
    }
    assert header.metadata["kept"] == (1,) * 1024
    assert header.metadata["after"] == 7


@pytest.mark.parametrize("lengths", [range(300), [0] * 1000, [127, 128] * 200, [5] * 500])
def test_steps_over_strings_of_any_length(lengths: list[int]) -> None:
    words = ggufs.string_array([b"\n" * length for length in lengths])
    header = read(ggufs.whole({"words": words, "after": 7}))
    assert header.skipped["words"].count == len(lengths)
    assert header.metadata["after"] == 7


def test_tensor_sizes() -> None:
    tensors = (Tensor("a", (256, 3), 12), Tensor("b", (), 0), Tensor("c", (32, 0), 8), Tensor("d"))
    header = read(ggufs.whole({}, tensors))
    assert [tensor.size_bytes for tensor in header.tensors] == [3 * 144, 4, 0, 512]
    assert [tensor.offset for tensor in header.tensors] == [0, 448, 480, 480]
    assert header.tensors[0].type.name == "Q4_K"


def test_alignment_is_the_files_own() -> None:
    tensors = (Tensor("a", (32,)), Tensor("b", (32,), offset=256))
    head = ggufs.header({"general.alignment": 256}, tensors)
    data = head + bytes(-len(head) % 256) + bytes(256 + 128)
    header = read(data)
    assert header.alignment == 256
    assert header.data_offset % 256 == 0


def test_the_last_tensors_padding_may_be_missing() -> None:
    assert read(ggufs.whole({}, (Tensor("a", (3,)),))).tensors[0].size_bytes == 12


def test_no_tensors_and_no_keys() -> None:
    header = read(ggufs.header({}, ()))
    assert (header.tensors, dict(header.metadata), header.data_offset) == ((), {}, 24)


# --- not a model ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"GGU", "begins with"),
        (bytes(4096), "zeros"),
        (b"tjgg" + bytes(60), "old GGML"),
        (b"PK\3\4" + bytes(60), "ZIP"),
        (b"<!DOCTYPE html>", "web page"),
        (b"version https://git-lfs", "LFS"),
        (b"\x89PNG\r\n", "PNG"),
    ],
)
def test_not_a_model(data: bytes, words: str) -> None:
    refused(data, NotAModel, words)


@pytest.mark.parametrize("version", [4, 5, 0xFFFF])
def test_too_new(version: int) -> None:
    refused(ggufs.header({}, version=version), ModelTooNew, f"version {version}")


@pytest.mark.parametrize(("version", "words"), [(1, "too old"), (0, "exist"), (0x12345, "exist")])
def test_versions_that_are_damaged(version: int, words: str) -> None:
    refused(ggufs.header({}, version=version), ModelDamaged, words)


@pytest.mark.parametrize("data", [b"GGUF\0\0\0\3" + bytes(64), b"FUGG\0\0\0\3" + bytes(64)])
def test_wrong_byte_order(data: bytes) -> None:
    refused(data, WrongByteOrder, "big-endian")


# --- cut off ----------------------------------------------------------------------------------


def test_a_header_cut_anywhere_is_cut_off() -> None:
    data = ggufs.chat()
    end = read(data).data_offset
    for size in range(4, end - 32):
        refused(data[:size], ModelCutOff, "the header goes on")


def test_weights_cut_off() -> None:
    data = ggufs.chat()
    refused(data[:-1], ModelCutOff, "the weights need")
    refused(data[: read(data).data_offset], ModelCutOff, "the weights need")


# --- damaged ----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [gguf.KEYS_LIMIT + 1, *HUGE])
def test_hostile_counts_fail_at_once(count: int) -> None:
    refused(ggufs.header({}, key_count=count), ModelDamaged, f"number of keys is {count}")
    refused(ggufs.header({}, tensor_count=count * 3 % 2**64), ModelDamaged, "number of tensors is")


@pytest.mark.parametrize("length", HUGE)
def test_hostile_lengths(length: int) -> None:
    number = struct.pack("<Q", length)
    keys = b"GGUF" + struct.pack("<IQQ", 3, 0, 1)
    refused(keys + number + bytes(64), ModelDamaged, "key's length")
    refused(ggufs.whole({"k": Raw(b"\x08\0\0\0" + number)}), ModelDamaged, "string's length")
    for item in (ggufs.U8, ggufs.STRING, ggufs.F64):
        array = Raw(struct.pack("<II", ggufs.ARRAY, item) + number)
        refused(ggufs.whole({"k": array}), ModelDamaged, "the length of 'k'")
    words = ggufs.string_array([b"w"] * 70).data
    refused(ggufs.whole({"k": Raw(words[:-9] + number)}), ModelDamaged, "string's length")
    tensor = ggufs.header({}, (), tensor_count=1) + number + bytes(64)
    refused(tensor, ModelDamaged, "tensor's name")


def test_a_large_count_that_the_file_does_not_hold_is_cut_off() -> None:
    many = Raw(struct.pack("<IIQ", ggufs.ARRAY, ggufs.STRING, gguf.ITEMS_LIMIT))
    refused(ggufs.header({"k": many}, ()) + bytes(4096), ModelCutOff, "the header goes on")
    keys = ggufs.header({}, (), key_count=gguf.KEYS_LIMIT)
    refused(keys, ModelCutOff, "the header goes on")
    refused(keys + bytes(64), ModelDamaged, "without a name")


@pytest.mark.parametrize("type_id", [13, 99, 2**32 - 1])
def test_unknown_value_types(type_id: int) -> None:
    code = struct.pack("<I", type_id)
    refused(ggufs.whole({"k": Raw(code)}), ModelDamaged, "unknown type")
    array = Raw(struct.pack("<I", ggufs.ARRAY) + code + bytes(8))
    refused(ggufs.whole({"k": array}), ModelDamaged, "unknown type")


def test_arrays_of_arrays_are_refused() -> None:
    nested = Raw(struct.pack("<II", ggufs.ARRAY, ggufs.ARRAY) + bytes(8))
    refused(ggufs.whole({"k": nested}), ModelDamaged, "unknown type 9")


def test_keys_without_a_name_or_there_twice() -> None:
    refused(ggufs.whole({"": 1}), ModelDamaged, "without a name")
    once = ggufs.header({"k": 1}, ())[24:]
    refused(ggufs.header({}, (), key_count=2) + once + once, ModelDamaged, "there twice")


@pytest.mark.parametrize("value", [0, 3, 48, 1 << 21, -32, "32", 32.0, True, [32]])
def test_alignments_that_make_no_sense(value: object) -> None:
    typed = Typed(ggufs.I32, value) if value == -32 else value
    refused(ggufs.whole({"general.alignment": typed}), ModelDamaged, "alignment is")


@pytest.mark.parametrize(
    ("tensor", "words"),
    [
        (Tensor("t", (1,) * 5), "5 dimensions"),
        (Tensor("t", (1 << 63,)), "impossible dimensions"),
        (Tensor("t", (0, (1 << 64) - 1)), "impossible dimensions"),
        (Tensor("t", (1 << 32, 1 << 31)), "impossible dimensions"),
        (Tensor("t", (1 << 40, 1 << 40, 0)), "impossible dimensions"),
        (Tensor("t", (1 << 62, 1 << 62, 1 << 62, 1 << 62)), "impossible dimensions"),
        (Tensor("t", (33, 2), 8), "not a multiple of 32"),
        (Tensor("t", (), 12), "not a multiple of 256"),
        (Tensor("t", (32, 2), 31), "retired type Q4_0_4_4"),
        (Tensor("t", (32, 2), 2**32 - 1), "does not exist"),
        (Tensor("t", offset=32), "starts at 32, 0 expected"),
        (Tensor("t", offset=(1 << 64) - 32), "0 expected"),
    ],
)
def test_damaged_tensors(tensor: Tensor, words: str) -> None:
    refused(ggufs.header({}, (tensor,)), ModelDamaged, words)


def test_tensors_may_not_overlap_leave_gaps_or_share_a_name() -> None:
    for offset in (0, 480, 513, 544):
        pair = (Tensor("a"), Tensor("b", offset=offset))
        refused(ggufs.whole({}, pair), ModelDamaged, "512 expected")
    refused(ggufs.whole({}, (Tensor("a"), Tensor("a"))), ModelDamaged, "there twice")


def test_a_tensor_type_from_the_future() -> None:
    refused(ggufs.header({}, (Tensor("t", type_id=77),)), ModelTooNew, "type 77")


def test_names_in_messages_are_short_and_harmless() -> None:
    with pytest.raises(ModelDamaged) as caught:
        read(ggufs.whole({"\x1b[2J" + "k" * 60_000: Raw(b"\xff" * 4)}))
    assert len(caught.value.detail) < 200
    assert caught.value.detail.isprintable()


# --- from a prefix ----------------------------------------------------------------------------


def test_a_prefix_says_how_much_it_wants_until_it_is_enough() -> None:
    data = ggufs.chat({"tokenizer.ggml.tokens": ggufs.string_array([b"token"] * 1000)})
    wanted = [0]
    while wanted[-1] < len(data):
        try:
            header = parse(data[: wanted[-1]], len(data))
            break
        except PrefixTooShort as short:
            wanted.append(short.needed_bytes)
    assert header == read(data)
    assert all(small < large for small, large in pairwise(wanted))
    assert wanted[-1] <= header.data_offset


def test_bytes_behind_the_end_of_the_file_do_not_count() -> None:
    data = ggufs.chat()
    with pytest.raises(ModelCutOff):
        parse(data, 100)
