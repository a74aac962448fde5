"""What the loopback hub serves: bytes, a file on disk, or a pattern that costs nothing at any size.

A content is read by offset, in pieces, from any thread; none is ever changed.
"""

import hashlib
import mmap
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol

MIB = 1 << 20


class Content(Protocol):
    @property
    def size_bytes(self) -> int: ...

    @property
    def sha256(self) -> str: ...

    def pieces(self, first: int, end: int) -> Iterator[bytes]:
        """The bytes from `first` up to, not with, `end`."""
        ...


def read(content: Content, first: int, end: int) -> bytes:
    return b"".join(content.pieces(first, end))


@dataclass(frozen=True)
class Held:
    """Bytes as they are."""

    data: bytes

    @property
    def size_bytes(self) -> int:
        return len(self.data)

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def pieces(self, first: int, end: int) -> Iterator[bytes]:
        for at in range(first, end, MIB):
            yield self.data[at : min(at + MIB, end)]


@dataclass(frozen=True)
class OnDisk:
    """A file that does not change, such as a sparse one with a true header."""

    path: Path

    @cached_property
    def size_bytes(self) -> int:
        return self.path.stat().st_size

    @cached_property
    def sha256(self) -> str:
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def pieces(self, first: int, end: int) -> Iterator[bytes]:
        if first >= end:
            return
        with (
            self.path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole,
        ):
            for at in range(first, end, MIB):
                yield whole[at : min(at + MIB, end)]


@dataclass(frozen=True)
class Pattern:
    """`size_bytes` of noise, of which every MiB is another one; its hash takes a second a GB."""

    size_bytes: int
    seed: int = 1

    @property
    def sha256(self) -> str:
        return _hash_of_pattern(self.size_bytes, self.seed)

    def pieces(self, first: int, end: int) -> Iterator[bytes]:
        noise = _noise(self.seed)
        for number in range(first // MIB, -(-end // MIB)):
            block = number.to_bytes(16, "big") + noise
            begin = number * MIB
            yield block[max(first - begin, 0) : min(end - begin, MIB)]


@lru_cache(maxsize=8)
def _noise(seed: int) -> bytes:
    return random.Random(seed).randbytes(MIB - 16)


@lru_cache(maxsize=32)
def _hash_of_pattern(size_bytes: int, seed: int) -> str:
    found = hashlib.sha256()
    for piece in Pattern(size_bytes, seed).pieces(0, size_bytes):
        found.update(piece)
    return found.hexdigest()


@dataclass(frozen=True)
class Flipped:
    """Another content with one bit turned in the byte at `at`."""

    of: Content
    at: int

    @property
    def size_bytes(self) -> int:
        return self.of.size_bytes

    @cached_property
    def sha256(self) -> str:
        found = hashlib.sha256()
        for piece in self.pieces(0, self.size_bytes):
            found.update(piece)
        return found.hexdigest()

    def pieces(self, first: int, end: int) -> Iterator[bytes]:
        for piece in self.of.pieces(first, end):
            if first <= self.at < first + len(piece):
                turned = bytearray(piece)
                turned[self.at - first] ^= 1
                yield bytes(turned)
            else:
                yield piece
            first += len(piece)
