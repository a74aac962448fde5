"""Misbehaviours of the origin with the bytes: ranges, lengths, damage, and breaking off.

One that happens "once" or "twice" is over afterwards; one that is "always" so never ends.
"""

import gzip
import random
from collections.abc import Callable

from tests.servers.hub_cdn import Part, Visit, no_such_range, part_of, send_body, send_file
from tests.servers.hub_contents import Content, Flipped, read
from tests.servers.hub_modes import ALWAYS, OnFile, on_file
from tests.servers.hub_wire import Line

_DRIP_BYTES_PER_S = 20

# --- ranges ---------------------------------------------------------------------------------------


@on_file("200 for 206", "a cache that knows no ranges sends the whole file, whatever is asked")
def _whole(visit: Visit, content: Content) -> None:
    size = content.size_bytes
    visit.line.head(200, Part(first=0, end=size, total=size, ranged=False).headers(content))
    send_body(visit, content.pieces(0, size))


@on_file("206 from byte 0", "says 206 and begins at the beginning, in Content-Range too")
def _from_zero(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        moved = Part(first=0, end=part.end - part.first, total=part.total, ranged=part.ranged)
        visit.line.head(moved.status, moved.headers(content))
        send_body(visit, content.pieces(moved.first, moved.end))


@on_file("206 that lies", "says the right Content-Range and sends the file from its beginning")
def _lies(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        visit.line.head(part.status, part.headers(content))
        send_body(visit, content.pieces(0, part.end - part.first))


@on_file("206 with another total", "two servers behind one name, with files of different length")
def _other_total(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        headers = part.headers(content)
        if part.ranged:
            headers["Content-Range"] = f"bytes {part.first}-{part.end - 1}/{part.total + 1000}"
        visit.line.head(part.status, headers)
        send_body(visit, content.pieces(part.first, part.end))


@on_file("206 short", "sends at most a quarter of what is left, and says so")
def _short(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        end = part.first + max((part.end - part.first) // 4, min(4096, part.end - part.first))
        shorter = Part(first=part.first, end=end, total=part.total, ranged=True)
        visit.line.head(206, shorter.headers(content))
        send_body(visit, content.pieces(part.first, end))


@on_file("206 without Content-Range", "a proxy strips what it does not know")
def _bare(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        headers = part.headers(content)
        headers.pop("Content-Range", None)
        visit.line.head(part.status, headers)
        send_body(visit, content.pieces(part.first, part.end))


@on_file("206 in many parts", "wraps even one range into multipart/byteranges")
def _multipart(visit: Visit, content: Content) -> None:
    part = part_of(visit, content)
    if part is None:
        return
    before = (
        f"--x\r\nContent-Range: bytes {part.first}-{part.end - 1}/{part.total}\r\n\r\n".encode()
    )
    after = b"\r\n--x--\r\n"
    length = part.end - part.first + len(before) + len(after)
    kind = "multipart/byteranges; boundary=x"
    visit.line.head(206, {"Content-Type": kind, "Content-Length": length})
    visit.line.send(before)
    send_body(visit, content.pieces(part.first, part.end))
    visit.line.send(after)


@on_file("416 always", "a cache with a file of no bytes refuses every range")
def _no_range(visit: Visit, content: Content) -> None:
    no_such_range(visit, 0 if "range" in visit.line.asked.headers else content.size_bytes)


# --- lengths and encodings ------------------------------------------------------------------------


def _without_length(part: Part, content: Content) -> dict[str, str | int]:
    headers = part.headers(content)
    del headers["Content-Length"]
    return headers


@on_file("no length", "the body ends with the connection, as of old proxies")
def _no_length(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        visit.line.head(part.status, _without_length(part, content))
        send_body(visit, content.pieces(part.first, part.end))


@on_file("chunked", "chunks of all sizes and no length")
def _chunked(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        headers = _without_length(part, content) | {"Transfer-Encoding": "chunked"}
        visit.line.head(part.status, headers)
        for piece in content.pieces(part.first, part.end):
            visit.line.chunk(piece)
        visit.line.socket.sendall(b"0\r\n\r\n")


@on_file("no length, cut once", "the end of the connection looks like the end of the file")
def _no_length_cut(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        end = part.end if visit.shelf.count("cut") else part.first + (part.end - part.first) // 2
        visit.line.head(part.status, _without_length(part, content))
        send_body(visit, content.pieces(part.first, end))


@on_file("gzip", "packs although identity was asked for (G4A PR#2152)")
def _gzip(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        packed = gzip.compress(read(content, part.first, part.end), 1)
        headers = part.headers(content) | {
            "Content-Encoding": "gzip",
            "Content-Length": len(packed),
        }
        visit.line.head(part.status, headers)
        visit.line.send(packed)


@on_file("longer than announced", "more bytes than the range has, without a length")
def _longer(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        visit.line.head(part.status, _without_length(part, content))
        send_body(visit, content.pieces(part.first, part.end))
        visit.line.send(b"more" * 1000)


@on_file("longer length", "Content-Length and body are 4,000 bytes more than Content-Range says")
def _longer_length(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        length = part.end - part.first + 4000
        visit.line.head(part.status, part.headers(content) | {"Content-Length": length})
        send_body(visit, content.pieces(part.first, part.end))
        visit.line.send(b"more" * 1000)


@on_file("empty", "200 and not one byte")
def _empty(visit: Visit, _content: Content) -> None:
    visit.line.say(200, b"", "application/octet-stream")


# --- damage ---------------------------------------------------------------------------------------


def _flipped(times: int) -> OnFile:
    def answer(visit: Visit, content: Content) -> None:
        at = content.size_bytes // 3
        part = part_of(visit, content)
        if part is None:
            return
        bad = part.first <= at < part.end and visit.shelf.count("flipped") < times
        visit.line.head(part.status, part.headers(content))
        shown: Content = Flipped(content, at) if bad else content
        send_body(visit, shown.pieces(part.first, part.end))

    return answer


on_file("one bit once", "bad memory in a router: one byte is another one, once")(_flipped(1))
on_file("one bit always", "a damaged copy at the origin: the same byte, each time")(
    _flipped(ALWAYS)
)


@on_file("other content in the middle", "the file was replaced while it was fetched: new ETag")
def _replaced(visit: Visit, content: Content) -> None:
    half = content.size_bytes // 2
    other = Flipped(content, content.size_bytes - 1)
    if visit.shelf.counted("replaced") or not (part := part_of(visit, content)):
        send_file(visit, other)
        return
    visit.line.head(part.status, part.headers(content))
    send_body(visit, content.pieces(part.first, min(part.end, max(half, part.first))))
    if part.end > half:
        visit.shelf.count("replaced")
        visit.line.drop()


@on_file("another file at the hub", "a mirror without commits gets a new file in the middle")
def _replaced_at_hub(visit: Visit, content: Content) -> None:
    half = content.size_bytes // 2
    part = part_of(visit, content)
    if part is None:
        return
    visit.line.head(part.status, part.headers(content))
    if part.first <= half < part.end and not visit.shelf.count("replaced"):
        send_body(visit, content.pieces(part.first, half))
        visit.shelf.replace(content, Flipped(content, content.size_bytes - 1))
        visit.line.drop()
    send_body(visit, content.pieces(part.first, part.end))


# --- breaking off ---------------------------------------------------------------------------------

Ending = Callable[[Line], None]


def until(share: float, ending: Ending, times: int) -> OnFile:
    """Whoever passes that share of the file is treated so, the first `times` times."""

    def answer(visit: Visit, content: Content) -> None:
        at = int(content.size_bytes * share)
        part = part_of(visit, content)
        if part is None:
            return
        visit.line.head(part.status, part.headers(content))
        if part.first <= at < part.end and visit.shelf.count("broken") < times:
            send_body(visit, content.pieces(part.first, at))
            ending(visit.line)
        send_body(visit, content.pieces(part.first, part.end))

    return answer


on_file("drops at 99 %", "the connection ends just before the end, three times")(
    until(0.99, Line.drop, 3)
)
on_file("silent once", "N bytes, then an open and silent connection (XET#409)")(
    until(0.4, Line.hang, 1)
)
on_file("silent always", "as before, for whoever comes again")(until(0.4, Line.hang, ALWAYS))


def _trickle(times: int) -> OnFile:
    def answer(visit: Visit, content: Content) -> None:
        at = content.size_bytes * 2 // 5
        part = part_of(visit, content)
        if part is None:
            return
        visit.line.head(part.status, part.headers(content))
        at = min(max(at, part.first), part.end)
        if at == part.end or visit.shelf.count("trickled") >= times:
            at = part.end
        send_body(visit, content.pieces(part.first, at))
        send_body(visit, content.pieces(at, part.end), speed=_DRIP_BYTES_PER_S)

    return answer


on_file("trickle once", "a few bytes a second, so that no time-out of a read ever ends it")(
    _trickle(1)
)
on_file("trickle always", "as before, for whoever comes again")(_trickle(ALWAYS))


def _one_less(times: int) -> OnFile:
    def answer(visit: Visit, content: Content) -> None:
        part = part_of(visit, content)
        if part is None:
            return
        visit.line.head(part.status, part.headers(content))
        cut = part.end == content.size_bytes and visit.shelf.count("less") < times
        send_body(visit, content.pieces(part.first, part.end - cut))
        if cut:
            visit.line.drop()

    return answer


on_file("one byte less once", "the right length, and the last byte is missing")(_one_less(1))
on_file("one byte less always", "as before, each time")(_one_less(ALWAYS))


@on_file("resets at random", "a bad wireless network: 12 connections end anywhere")
def _resets(visit: Visit, content: Content) -> None:
    part = part_of(visit, content)
    if part is None:
        return
    number = visit.shelf.count("resets")
    visit.line.head(part.status, part.headers(content))
    if number < 12:
        end = random.Random(number).randint(part.first, part.end)
        send_body(visit, content.pieces(part.first, end))
        visit.line.reset()
    send_body(visit, content.pieces(part.first, part.end))


@on_file("gone for 3 s", "the server's machine starts again in the middle")
def _gone(visit: Visit, content: Content) -> None:
    part = part_of(visit, content)
    if part is None:
        return
    visit.line.head(part.status, part.headers(content))
    half = content.size_bytes // 2
    if part.first <= half < part.end and not visit.shelf.count("gone"):
        send_body(visit, content.pieces(part.first, half))
        visit.shelf.vanish(3)
        visit.line.drop()
    send_body(visit, content.pieces(part.first, part.end))


@on_file("slow per connection", "1 MB/s each, however many there are")
def _slow(visit: Visit, content: Content) -> None:
    if part := part_of(visit, content):
        visit.line.head(part.status, part.headers(content))
        send_body(visit, content.pieces(part.first, part.end), speed=1_000_000)
