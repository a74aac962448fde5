"""The verdict before a download: a header read from a hub in pieces says what the whole file says.

Every model of the zoo, with vocabularies of true size, behind the loopback hub; a few MB each.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from engine.models.gguf import read_header
from engine.models.inspect import facts_of
from engine.models.shape import shape_of
from engine.models.split import read_model
from engine.planner.place import plan
from engine.types.connections import Purpose
from engine.types.plans import Wishes
from tests.ggufs import Tensor, header, string_array, write_sparse
from tests.machines import RECORDED
from tests.remote_models import Reader, Serve, serve
from tests.vocabularies import merged, merges, tokens, with_true_vocabulary, words, write_true
from tests.zoo import ZOO

__all__ = ["serve"]

MIB = 1 << 20
BUDGET = 8 * MIB
LARGE = 240_000
"""Tokens: vocabularies of about 262k."""
MACHINES = ("rtx4060_laptop_win", "m1_8gb", "n100_16gb")
TOKENS, MERGES = "tokenizer.ggml.tokens", "tokenizer.ggml.merges"


def check_equal(reader: Reader, path: Path) -> None:
    facts, shape = reader.read(path)
    local = read_header(path)
    assert facts == facts_of(path, local)
    assert shape == shape_of(local, path)


@pytest.mark.parametrize("name", ZOO)
def test_verdict_is_that_of_the_local_file(name: str, tmp_path: Path, serve: Serve) -> None:
    path = write_true(name, tmp_path)
    reader = serve(path)
    facts, shape = reader.read(path)
    local = read_header(path)
    assert facts == facts_of(path, local)
    assert shape == shape_of(local, path)
    for machine, wishes in product(MACHINES, (Wishes(), Wishes(context_length=32768))):
        expected = plan(RECORDED[machine], shape_of(local, path), wishes)
        assert plan(RECORDED[machine], shape, wishes) == expected
    assert {each.purpose for each in reader.connections} == {Purpose.LOOK_AT_MODEL}
    assert reader.received_bytes <= BUDGET


def test_a_real_file(gemma_model: Path, serve: Serve) -> None:
    reader = serve(gemma_model)
    check_equal(reader, gemma_model)
    assert reader.received_bytes <= BUDGET


BASE = ZOO["qwen3.5-4b"]


def changed(changes: Mapping[str, object], folder: Path, last: str = "") -> Path:
    """A model of 262k tokens with other metadata, `last` behind all others."""
    metadata = {**with_true_vocabulary(BASE.metadata(), BASE.vocabulary), **changes}
    if last:
        metadata[last] = metadata.pop(last)
    path = folder / "changed.gguf"
    write_sparse(path, metadata, BASE.tensors())
    return path


def test_two_merges_for_each_token(tmp_path: Path, serve: Serve) -> None:
    """As of Gemma's newest: a header of 16 MB."""
    path = changed({TOKENS: tokens(262_144), MERGES: merges(262_144, 2)}, tmp_path)
    reader = serve(path)
    check_equal(reader, path)
    assert read_header(path).data_offset > 12 * MIB
    assert reader.received_bytes <= BUDGET


@pytest.mark.parametrize(
    "length", [3, 40, 200], ids=["short merges", "long merges", "very long merges"]
)
def test_merges_of_other_lengths_than_the_tokens(length: int, tmp_path: Path, serve: Serve) -> None:
    path = changed({MERGES: string_array([b"a" + b" " * (length - 2) + b"b"] * 250_000)}, tmp_path)
    reader = serve(path)
    check_equal(reader, path)
    assert reader.received_bytes <= BUDGET


@pytest.mark.parametrize("last", [TOKENS, MERGES])
def test_arrays_in_another_order(last: str, tmp_path: Path, serve: Serve) -> None:
    """Behind merges that are last come the tensors at once."""
    path = changed({}, tmp_path, last)
    reader = serve(path)
    check_equal(reader, path)
    assert reader.received_bytes <= BUDGET


@pytest.mark.parametrize(
    "items",
    [
        [*merged(262_144)[:240_000], *[b""] * 9, *merged(262_144)[240_000:]],
        [*merged(262_144)[:240_000], b"x" * 5000, *merged(262_144)[240_000:]],
        [*merged(262_144)[:-4], b"general.alignment", b"abcd", b"general.name", b"a"],
        [b"tokenizer.ggml.x", b"\x04\0\0\0"] * 130_000,
        [*words(262_144), *[bytes(40)] * 1000],
    ],
    ids=["empty ones", "a long one", "keys at the end", "keys all over", "zeros"],
)
def test_arrays_that_mislead_are_read_to_their_end(
    items: list[bytes], tmp_path: Path, serve: Serve
) -> None:
    path = changed({MERGES: string_array(items)}, tmp_path)
    reader = serve(path)
    check_equal(reader, path)
    assert reader.received_bytes <= read_header(path).data_offset + 3 * MIB


def test_a_size_that_nobody_told(tmp_path: Path, serve: Serve) -> None:
    path = write_true("smollm2-135m", tmp_path)
    reader = serve(path)
    assert reader.read(path, size_known=False) == reader.read(path)


def split(folder: Path) -> tuple[Path, ...]:
    """A model in three parts, as llama-gguf-split writes it."""
    model = ZOO["qwen3-4b"]
    rows = model.tensors()
    cuts = (rows[:100], rows[100:250], rows[250:])
    common = {"split.count": 3, "split.tensors.count": len(rows)}
    paths = []
    for number, tensors in enumerate(cuts):
        whole = with_true_vocabulary(model.metadata(), model.vocabulary) if number == 0 else {}
        path = folder / f"qwen3-4b-{number + 1:05}-of-00003.gguf"
        write_sparse(path, {**whole, "split.no": number, **common}, placed(tensors))
        paths.append(path)
    return tuple(paths)


def placed(tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    return tuple(Tensor(each.name, each.dims, each.type_id) for each in tensors)


def test_parts_together_say_what_they_say_here(tmp_path: Path, serve: Serve) -> None:
    paths = split(tmp_path)
    reader = serve(*paths)
    facts, shape = reader.look()
    path, local = read_model(paths[0])
    expected = facts_of(path, local)
    assert (facts.parameters, facts.size_bytes, facts.problems) == (
        expected.parameters,
        expected.size_bytes,
        (),
    )
    assert shape == shape_of(local, path)
    assert reader.received_bytes <= BUDGET


def test_a_second_look_asks_nobody(tmp_path: Path, serve: Serve) -> None:
    reader = serve(*split(tmp_path))
    first = reader.look()
    asked = len(reader.connections)
    assert reader.look() == first
    assert len(reader.connections) == asked


def test_more_parts_than_any_model_has_are_not_looked_at(tmp_path: Path, serve: Serve) -> None:
    reader = serve(write_true("smollm2-135m", tmp_path))
    reader.offering = replace(reader.offering, files=reader.offering.files * 101)
    assert reader.headers.look(reader.repo, reader.offering, reader.cancel) is None
    assert not reader.connections


def test_what_may_become_another_file_is_not_kept(tmp_path: Path, serve: Serve) -> None:
    reader = serve(write_true("smollm2-135m", tmp_path))
    reader.repo = replace(reader.repo, revision="main")
    reader.look()
    assert not reader.kept.exists()
    (file,) = reader.offering.files
    reader.offering = replace(reader.offering, files=(replace(file, sha256="ab" * 32),))
    reader.look()
    assert list(reader.kept.iterdir())


def test_a_header_that_can_not_be_kept_is_read_each_time(tmp_path: Path, serve: Serve) -> None:
    reader = serve(write_true("smollm2-135m", tmp_path))
    reader.kept.write_text("a file where the folder should be")
    first = reader.look()
    asked = len(reader.connections)
    assert reader.look() == first
    assert len(reader.connections) == 2 * asked


def test_a_kept_header_that_was_damaged_is_read_anew(tmp_path: Path, serve: Serve) -> None:
    reader = serve(write_true("smollm2-135m", tmp_path))
    first = reader.look()
    (kept,) = reader.kept.iterdir()
    good = kept.read_bytes()
    for bad in (b"", good[:-1], good[:50] + bytes([good[50] ^ 1]) + good[51:], b"{}", good + b"x"):
        kept.write_bytes(bad)
        assert reader.look() == first
        assert kept.read_bytes() == good


def test_damage_is_named_as_it_is_here(tmp_path: Path, serve: Serve) -> None:
    sound = header({"general.architecture": "llama"}, (Tensor("a"),))
    bad = (b"", b"GGUF", b"<!DOCTYPE html>", sound[:-30], b"GGUF" + b"\xff" * 99, sound + b"x")
    for number, data in enumerate(bad):
        path = tmp_path / f"{number}.gguf"
        path.write_bytes(data)
        with pytest.raises(Exception) as here:  # noqa: PT011 - whatever it is
            read_header(path)
        with pytest.raises(type(here.value)):
            serve(path).read(path)
