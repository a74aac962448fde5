"""Where an array of strings ends, found in a few looks, or not claimed at all."""

import struct

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.hub.ends import find_end

KEY = struct.pack("<Q", 12) + b"general.name" + struct.pack("<IQ", 8, 1) + b"x"


def packed(strings: list[bytes]) -> bytes:
    return b"".join(struct.pack("<Q", len(each)) + each for each in strings)


class File:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.looks: list[tuple[int, int]] = []

    def look(self, first: int, end: int) -> bytes:
        assert 0 <= first < end <= len(self.data)
        self.looks.append((first, end))
        return self.data[first:end]

    @property
    def looked_bytes(self) -> int:
        return sum(end - first for first, end in self.looks)


def found(before: bytes, strings: list[bytes], behind: bytes, guess: int) -> tuple[File, bool]:
    array = packed(strings)
    file = File(before + array + behind)
    end = find_end(file.look, len(before), len(before) + guess, len(file.data))
    return file, end == len(before) + len(array)


MERGES = [b"token %d" % number for number in range(300_000)]
SIZE = len(packed(MERGES))


def test_a_good_guess_takes_three_looks() -> None:
    file, right = found(b"GGUF", MERGES, KEY + bytes(1 << 20), SIZE + 3000)
    assert right
    assert len(file.looks) <= 4
    assert file.looked_bytes < 400_000


def test_any_guess_takes_few() -> None:
    for guess in (1, SIZE // 3, SIZE * 2, SIZE * 40):
        file, right = found(b"GGUF", MERGES, KEY + bytes(SIZE * 2), min(guess, SIZE * 3))
        assert right
        assert len(file.looks) <= 20
        assert file.looked_bytes < 1_000_000


def test_a_chain_without_a_key_behind_it_has_no_end() -> None:
    for behind in (b"", bytes(100_000), b"\xff" * 100_000, KEY.replace(b"general.name", b"x" * 12)):
        array = packed(MERGES) + behind
        file = File(array)
        assert find_end(file.look, 0, SIZE, len(array)) is None


def test_the_file_may_end_soon_behind_the_key() -> None:
    _, right = found(b"", MERGES, KEY, SIZE)
    assert right


STRINGS = st.lists(st.binary(max_size=40) | st.just(b"a b"), min_size=0, max_size=60)


@settings(max_examples=300)
@given(STRINGS, st.binary(max_size=200), st.integers(0, 5000))
def test_any_bytes_give_an_answer(strings: list[bytes], behind: bytes, guess: int) -> None:
    data = packed(strings) + behind
    if data:
        end = find_end(File(data + b"\0").look, 0, guess, len(data))
        assert end is None or 0 <= end < len(data)
