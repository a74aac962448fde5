"""Models in parts: found by name, read as one, and never taken for whole when they are not."""

import os
import shutil
from pathlib import Path

import pytest

from engine.errors import ModelDamaged, PartsMissing, SplitPart
from engine.guard.record import key_of
from engine.models.gguf import read_header
from engine.models.inspect import check_chat, inspect
from engine.models.reading import read_chat_model
from engine.models.shape import read_shape
from engine.models.split import find_parts, first_part, merge_headers, split_of
from engine.types.models import Problem
from engine.types.parts import part_name
from engine.types.shapes import Unsure
from tests import ggufs
from tests.ggufs import Tensor
from tests.split_gguf import split

_METADATA = ggufs.CHAT | {
    "llama.embedding_length": 64,
    "llama.feed_forward_length": 128,
    "llama.attention.head_count": 2,
    "llama.attention.head_count_kv": 2,
    "general.file_type": 0,
}
_BLOCK = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_up", "ffn_down", "ffn_gate")
_TENSORS = (
    Tensor("token_embd.weight", (64, 3)),
    *(Tensor(f"blk.{n}.{name}.weight", (64, 64)) for n in range(2) for name in _BLOCK),
    Tensor("output_norm.weight", (64,)),
)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.gguf"
    path.write_bytes(ggufs.whole(_METADATA, _TENSORS))
    return path


@pytest.fixture
def parts(whole: Path, tmp_path: Path) -> tuple[Path, ...]:
    folder = tmp_path / "Žofie’s 模型"
    folder.mkdir()
    return split(whole, folder, 3, "tiny-Q4_0")


@pytest.mark.parametrize(
    "name",
    [
        "model.gguf",
        "model-00000-of-00003.gguf",
        "model-00004-of-00003.gguf",
        "model-00001-of-00003.GGUF",  # llama.cpp would look for .gguf and find nothing
        "model-1-of-3.gguf",
        "-00001-of-00003.gguf",
        "model-00001-of-04097.gguf",
        "model-00001-of-00003.gguf.part",
    ],
)
def test_names_that_stand_alone(name: str, tmp_path: Path) -> None:
    assert part_name(name) is None
    assert find_parts(tmp_path / name) == ((tmp_path / name,), ())
    assert first_part(tmp_path / name) == tmp_path / name


def test_parts_are_found_from_any_of_them(parts: tuple[Path, ...]) -> None:
    for part in parts:
        assert find_parts(part) == (parts, ())
        assert first_part(part) == parts[0]


def test_missing_parts_are_named(parts: tuple[Path, ...]) -> None:
    parts[1].unlink()
    assert find_parts(parts[0]) == ((parts[0], parts[2]), (parts[1].name,))
    parts[0].unlink()
    assert find_parts(parts[2]) == ((parts[2],), (parts[0].name, parts[1].name))
    assert first_part(parts[2]) == parts[2]


@pytest.mark.parametrize("named", [0, 1, 2])
def test_any_part_stands_for_the_whole(parts: tuple[Path, ...], whole: Path, named: int) -> None:
    facts, shape = read_chat_model(parts[named])
    assert (facts.path, facts.part, facts.parts, facts.problems) == (parts[0], 1, 3, ())
    assert facts.size_bytes == sum(part.stat().st_size for part in parts)
    expected = read_shape(whole)
    assert Unsure.SIZES_MISSING not in expected.unsure
    assert facts.parameters == expected.parameters
    fields = set(expected.__dataclass_fields__) - {"file_bytes"}
    assert not [name for name in fields if getattr(shape, name) != getattr(expected, name)]


def test_a_set_that_is_not_all_there_is_refused_with_names(parts: tuple[Path, ...]) -> None:
    parts[2].unlink()
    facts = inspect(parts[1])
    assert (facts.path, facts.problems) == (parts[0], (Problem.SPLIT_PART,))
    for path in parts[:2]:
        with pytest.raises(PartsMissing) as caught:
            read_chat_model(path)
        assert caught.value.names == (parts[2].name,)
    assert Unsure.SIZES_MISSING in read_shape(parts[0]).unsure


def test_a_first_part_that_is_missing(parts: tuple[Path, ...]) -> None:
    parts[0].unlink()
    with pytest.raises(PartsMissing) as caught:
        read_chat_model(parts[1])
    assert caught.value.names == (parts[0].name,)


def test_a_part_under_another_name_is_one_part(parts: tuple[Path, ...], tmp_path: Path) -> None:
    lonely = tmp_path / "renamed.gguf"
    shutil.copyfile(parts[0], lonely)
    with pytest.raises(SplitPart):
        check_chat(inspect(lonely))


def test_parts_that_say_something_else_than_their_names(parts: tuple[Path, ...]) -> None:
    shutil.copyfile(parts[2], parts[1])
    with pytest.raises(ModelDamaged):
        inspect(parts[0])


def test_the_same_tensor_in_two_parts(parts: tuple[Path, ...]) -> None:
    headers = [read_header(part) for part in parts]
    twice = read_header(parts[1])
    shutil.copyfile(parts[1], parts[2])
    data = bytearray(parts[2].read_bytes())
    at = data.index(b"split.no") + len(b"split.no") + 4
    data[at : at + 2] = (2).to_bytes(2, "little")
    parts[2].write_bytes(data)
    with pytest.raises(ModelDamaged, match="two parts"):
        merge_headers([headers[0], twice, read_header(parts[2])])


def test_merged_headers_hold_all_tensors(parts: tuple[Path, ...], whole: Path) -> None:
    merged = merge_headers([read_header(part) for part in parts])
    names = [tensor.name for tensor in read_header(whole).tensors]
    assert [tensor.name for tensor in merged.tensors] == names
    assert (merged.files, split_of(merged)) == (3, (1, 3))


def test_a_whole_file_may_have_the_name_of_a_part(whole: Path, tmp_path: Path) -> None:
    """Who renames files may do so; the file says that it is whole."""
    odd = tmp_path / "odd-00001-of-00002.gguf"
    shutil.copyfile(whole, odd)
    facts, _ = read_chat_model(odd)
    assert (facts.parts, facts.problems) == (1, ())


def test_every_part_is_in_the_key(parts: tuple[Path, ...]) -> None:
    before = key_of(parts[0])
    state = parts[2].stat()
    os.utime(parts[2], ns=(state.st_atime_ns, state.st_mtime_ns + 10**9))
    changed = key_of(parts[0])
    assert changed != before
    parts[1].unlink()
    assert key_of(parts[0]) not in (before, changed)
