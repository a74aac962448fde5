"""Headers that are kept: few, small, and never believed when something is wrong with them."""

import json
import os
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hub.header_cache import HeaderCache
from engine.hub.header_json import NoHeaderError, packed, unpacked
from engine.models.gguf import GgufHeader, parse
from tests.ggufs import Tensor, chat, whole

DATA = chat({"a.list": [1, 2], "a.words": ["x", "模"], "a.number": 0.1, "a.big": [1.5] * 2000})
HEADER = parse(DATA, len(DATA))
KEY = ("https://hub.example", "maker/model", "c0ffee", "m.gguf")


def test_what_is_unpacked_is_what_was_packed() -> None:
    again = unpacked(packed(HEADER))
    assert again == HEADER
    assert list(again.metadata) == list(HEADER.metadata)


def test_odd_values_survive() -> None:
    data = whole({"general.architecture": b"\xff\xfe", "x": float("inf"), "y": -1.0, "z": True})
    header = parse(data, len(data))
    assert unpacked(packed(header)) == header


@given(st.binary(max_size=300))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(NoHeaderError):
        unpacked(data)


@given(st.integers(0, len(packed(HEADER)) - 1), st.integers(1, 255))
def test_a_changed_byte_is_noticed(at: int, change: int) -> None:
    data = bytearray(packed(HEADER))
    data[at] ^= change
    with suppress(NoHeaderError):
        assert unpacked(bytes(data)) == HEADER  # bits of zlib's head that mean nothing


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(NoHeaderError):
        unpacked(zlib.compress(bytes(100 << 20)))


def test_a_well_packed_lie_is_refused() -> None:
    value = json.loads(zlib.decompress(packed(HEADER)))
    lies: tuple[dict[str, object], ...] = (
        {"kept": 2},
        {"tensors": [["t", [1], 9999, 0]]},
        {"tensors": [["t", [-1], 0, 0]]},
        {"tensors": [[1, [1], 0, 0]]},
        {"tensors": 3},
        {"skipped": {"x": [8]}},
        {"skipped": {"x": [8, True]}},
        {"metadata": {"x": {"y": 1}}},
        {"metadata": {"x": None}},
        {"metadata": []},
        {"file_size": "1"},
        {"alignment": 1 << 40},
    )
    for lie in lies:
        with pytest.raises(NoHeaderError):
            unpacked(zlib.compress(json.dumps(value | lie).encode()))


def test_kept_and_found(tmp_path: Path) -> None:
    cache = HeaderCache(tmp_path / "kept")
    assert cache.get(KEY, None) is None
    cache.put(KEY, HEADER)
    assert HeaderCache(tmp_path / "kept").get(KEY, len(DATA)) == HEADER
    assert cache.get((*KEY[:-1], "other.gguf"), None) is None
    (file,) = (tmp_path / "kept").iterdir()
    assert file.stat().st_size < 4096


def test_of_a_file_of_another_size_it_is_forgotten(tmp_path: Path) -> None:
    cache = HeaderCache(tmp_path)
    cache.put(KEY, HEADER)
    assert cache.get(KEY, len(DATA) + 1) is None
    assert not list(tmp_path.iterdir())


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = HeaderCache(tmp_path, most_entries=3)
    for number in range(3):
        cache.put((str(number),), HEADER)
    for at, file in enumerate(sorted(tmp_path.iterdir())):
        os.utime(file, (at + 1, at + 1))
    oldest = min(range(3), key=lambda number: used_s(cache, number))
    assert cache.get((str(oldest),), None) == HEADER
    cache.put(("new",), HEADER)
    assert len(list(tmp_path.iterdir())) == 3
    assert cache.get((str(oldest),), None) == HEADER


def used_s(cache: HeaderCache, number: int) -> float:
    return cache._path((str(number),)).stat().st_mtime


@pytest.mark.parametrize("kept", [HEADER])
def test_a_folder_that_can_not_be_written_is_no_trouble(kept: GgufHeader, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    cache = HeaderCache(tmp_path / "kept")
    cache.put(KEY, kept)
    assert cache.get(KEY, None) is None


def test_a_tensor_without_dimensions(tmp_path: Path) -> None:
    data = whole({"general.architecture": "x"}, (Tensor("t", (), 0),))
    header = parse(data, len(data))
    assert unpacked(packed(header)) == header
