"""Which chunks of a file are still what was written down of them. Only reads."""

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from engine.errors import Cancelled
from engine.models.download.ranges import Span
from engine.models.download.records import Check
from engine.models.download.storage import PositionalFile
from engine.types.cancel import CancelToken

_BUFFER_BYTES = 1 << 20


class Digest(Protocol):
    def digest(self) -> bytes: ...


def check_so_far(digest: Digest) -> Check:
    """Of all bytes that the SHA-256 has seen; it goes on after that."""
    return Check(value=int.from_bytes(digest.digest()[:4], "little"), from_start=True)


def crc_of(file: PositionalFile, span: Span) -> int | None:
    """The CRC-32 of what the disk has now; None if it has less. Raises `OSError`."""
    crc, at = 0, span[0]
    for view in _read(file, span):
        crc, at = zlib.crc32(view, crc), at + len(view)
    return crc if at == span[1] else None


def compare(
    file: PositionalFile,
    checks: Mapping[int, Check],
    span_of: Callable[[int], Span],
    cancel: CancelToken,
) -> tuple[set[int], set[int]]:
    """The chunks that are right, and some that are wrong. Behind the first wrong one that was
    checked from the start nothing is known of others of its kind. Raises `OSError`."""
    right, wrong = set[int](), set[int]()
    for number in sorted(number for number, check in checks.items() if not check.from_start):
        _require_wanted(cancel)
        same = crc_of(file, span_of(number)) == checks[number].value
        (right if same else wrong).add(number)
    so_far = {number: check for number, check in checks.items() if check.from_start}
    first_wrong = _compare_so_far(file, so_far, span_of, cancel)
    right |= {number for number in so_far if first_wrong is None or number < first_wrong}
    if first_wrong is not None and not any(number < first_wrong for number in wrong):
        wrong.add(first_wrong)
    return right, wrong


def _compare_so_far(
    file: PositionalFile,
    checks: Mapping[int, Check],
    span_of: Callable[[int], Span],
    cancel: CancelToken,
) -> int | None:
    """The first that is wrong."""
    digest, at = hashlib.sha256(), 0
    for number in sorted(checks):
        end = span_of(number)[1]
        for view in _read(file, (at, end)):
            _require_wanted(cancel)
            digest.update(view)
        if check_so_far(digest) != checks[number]:
            return number
        at = end
    return None


def _read(file: PositionalFile, span: Span) -> Iterator[memoryview]:
    """As much of it as is there."""
    at = span[0]
    buffer = memoryview(bytearray(min(span[1] - at, _BUFFER_BYTES)))
    while at < span[1]:
        count = file.read(at, buffer[: span[1] - at])
        if not count:
            return
        yield buffer[:count]
        at += count


def _require_wanted(cancel: CancelToken) -> None:
    if cancel.cancelled:
        raise Cancelled
