"""Where a long array of strings ends in a file elsewhere, without fetching all of it.

Such an array has no table of contents: each string is its length and its bytes. But a chain of
lengths that fit each other can be found from any place, and so can the key behind the last one. A
few small looks find it. Whoever uses the answer has to check it: it is a well-founded guess.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

LONGEST_BYTES = 4096
"""Of a string in the array; a longer one ends the chain."""
_WINDOW_BYTES = 32 << 10
_NEAR_BYTES = 160 << 10
"""Between a place within and one behind: as little as is read in one go."""
_CHAIN = 8
_KEY_NEAR = 5
_MOST_LOOKS = 40
_KEY = re.compile(rb"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+")
_LONGEST_KEY_BYTES = 256
_TYPES = 12

Look = Callable[[int, int], bytes]
"""The bytes of the file from the first up to the second place."""


@dataclass(slots=True, kw_only=True)
class _Between:
    """The end is between `within`, where a string begins, and `behind`."""

    within: int
    behind: int
    within_found: bool = False
    behind_found: bool = False

    @property
    def known(self) -> bool:
        return self.behind - self.within <= _NEAR_BYTES


def find_end(look: Look, start: int, guess: int, most: int) -> int | None:
    """Where the key behind an array begins, whose first string is at `start`; None where that can
    not be told. It is looked for around `guess` first, and never behind `most`."""
    between = _Between(within=start, behind=most)
    stride = _NEAR_BYTES // 2
    for _ in range(_MOST_LOOKS):
        if between.known:
            break
        place = _next_place(between, guess, stride)
        if between.within_found != between.behind_found:
            stride *= 2
        _look_at(look, place, between)
    if not between.known:
        return None
    end = min(between.behind + _WINDOW_BYTES, most)
    offset = _key_behind(look(between.within, end))
    return None if offset is None else between.within + offset


def _next_place(between: _Between, guess: int, stride: int) -> int:
    if not between.within_found and not between.behind_found:
        place = guess - stride // 2
    elif not between.behind_found:
        place = between.within + stride
    elif not between.within_found:
        place = between.behind - stride
    else:
        place = (between.within + between.behind) // 2
    return max(min(place, between.behind - 1), between.within + 1)


def _look_at(look: Look, place: int, between: _Between) -> None:
    """Bring the two bounds nearer to each other."""
    window = look(place, min(place + _WINDOW_BYTES, between.behind + _WINDOW_BYTES))
    first = _first_string(window)
    if first is None:
        between.behind, between.behind_found = place, True
        return
    last, broken = _follow(window, first)
    between.within, between.within_found = place + last, True
    if broken:
        between.behind, between.behind_found = place + last + LONGEST_BYTES, True


def _first_string(window: bytes) -> int | None:
    """The first place from where strings follow each other."""
    for offset in range(min(LONGEST_BYTES + 8, len(window))):
        if window[offset + 2 : offset + 8] == bytes(6) and _is_chain(window, offset):
            return offset
    return None


def _is_chain(window: bytes, offset: int) -> bool:
    for _ in range(_CHAIN):
        following = _behind(window, offset)
        if following is None:
            return False
        offset = following
    return True


def _behind(window: bytes, offset: int) -> int | None:
    """Where the string at `offset` ends; None if there is none, or not all of it. Empty ones do not
    count: any run of zeros would be many."""
    length = int.from_bytes(window[offset : offset + 8], "little")
    end = offset + 8 + length
    return end if 0 < length <= LONGEST_BYTES and end <= len(window) else None


def _follow(window: bytes, offset: int) -> tuple[int, bool]:
    """Where a string near the end of the chain begins, a few before its last, since a key looks
    like one; and whether the chain ends before the window does."""
    starts = _starts(window, offset)
    return starts[-min(_CHAIN, len(starts))], not _is_cut_off(window, starts[-1])


def _starts(data: bytes, offset: int) -> list[int]:
    """Where the strings of a chain begin; the last is where it ends, or is cut off."""
    starts = [offset]
    while (following := _behind(data, starts[-1])) is not None:
        starts.append(following)
    return starts


def _is_cut_off(data: bytes, offset: int) -> bool:
    """Whether the string at `offset` may go on behind the end of `data`."""
    length = int.from_bytes(data[offset : offset + 8], "little")
    return offset + 8 > len(data) or 0 < length <= LONGEST_BYTES


def _key_behind(data: bytes) -> int | None:
    """A key looks like one string more; what follows it seldom does, and never for long."""
    starts = _starts(data, 0)
    if _is_cut_off(data, starts[-1]):
        return None
    return next((start for start in starts[-_KEY_NEAR:] if _is_key(data, start)), None)


def _is_key(data: bytes, offset: int) -> bool:
    """A key and the number of its type; a tensor's name and its dimensions look the same."""
    end = offset + 8 + int.from_bytes(data[offset : offset + 8], "little")
    name = data[offset + 8 : end]
    kind = data[end : end + 4]
    return (
        len(name) <= _LONGEST_KEY_BYTES
        and len(kind) == 4
        and int.from_bytes(kind, "little") <= _TYPES
        and _KEY.fullmatch(name) is not None
    )
