"""One connection of a download: asks for its segment, looks hard at the answer, and writes what
comes to its place. Runs on a thread of its own; `stop` ends it from any thread.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from threading import Event, Thread

from engine.errors import Cancelled
from engine.models.download.answers import Answer, Heard, RangeRefused, judge, passing_failure
from engine.models.download.drip import Drip
from engine.models.download.partial import Partial
from engine.models.download.plan import ENDLESS, Segment
from engine.models.download.surroundings import Refusal, Surroundings
from engine.models.download.throttle import Throttle
from engine.net.address import origin_of
from engine.net.exchange import Exchange
from engine.net.lost import ConnectionLost
from engine.net.requests import Request
from engine.types.cancel import CancelToken

Ask = Callable[[Request, CancelToken], AbstractContextManager[Exchange]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What the connections of a file share. `accept` is told each answer before its bytes are
    used, with the place that was asked for, and raises if they must not be; `ended` is called last,
    on the connection's thread."""

    ask: Ask
    request: Callable[[], Request]
    refusal: Refusal
    partial: Partial
    throttle: Throttle
    around: Surroundings
    accept: Callable[[Answer, int], None]
    ended: Callable[["Connection"], None]


class Connection:
    """`whole`: the server gives no parts, so all of the file is read and only holes are filled.
    `fetched_bytes` of the file came over it; `error` is why it ended, None if it did its work."""

    def __init__(self, site: Site, segment: Segment, *, whole: bool = False) -> None:
        self._site = site
        self._segment: Segment | None = segment
        self._whole = whole
        self._token = CancelToken()
        self._stopped = Event()
        self._watch = Drip(site.around.clock, site.around.stall_s)
        self._thread = Thread(target=self._run, args=(segment,), name="snug-fetch", daemon=True)
        self.fetched_bytes = 0
        self.error: Exception | None = None

    def start(self) -> None:
        self._token.on_cancel(self._stopped.set)
        self._thread.start()

    def stop(self) -> None:
        """Does not wait."""
        self._token.cancel()

    def join(self, within_s: float) -> bool:
        """Whether it has ended."""
        self._thread.join(within_s)
        return not self._thread.is_alive()

    # --- on the thread ----------------------------------------------------------------------------

    def _run(self, segment: Segment) -> None:
        try:
            self._fetch(segment)
        except Exception as error:  # noqa: BLE001 - told to the one who waits for the end
            self.error = error
        finally:
            if self._segment is not None:
                self._site.partial.give_back(self._segment)
            self._site.ended(self)

    def _fetch(self, segment: Segment) -> None:
        first, end = segment.at, segment.end
        last = None if end >= ENDLESS else end - 1
        request = replace(
            self._site.request(),
            first_byte=None if self._whole else first,
            last_byte=None if self._whole else last,
            first_s=self._site.around.stall_s,
            limit_bytes=ENDLESS,
        )
        try:
            self._exchange(request, segment)
        except RangeRefused:
            if self._whole:
                raise
            self._exchange(replace(request, first_byte=None, last_byte=None), segment)

    def _exchange(self, request: Request, segment: Segment) -> None:
        asked = segment.at
        with self._site.ask(request, self._token) as exchange:
            exchange.silence_s = self._site.around.stall_s
            answer = self._answer(exchange, request)
            self._site.accept(answer, asked)
            self._watch.begin()
            self._read(exchange.chunks(), answer, request.address)

    def _answer(self, exchange: Exchange, request: Request) -> Answer:
        heard = Heard(
            address=request.address,
            status=exchange.status,
            headers=exchange.headers,
            hops=tuple(hop.headers for hop in exchange.hops),
            moved=exchange.origin != origin_of(request.address),
        )
        if heard.status in (200, 206):
            return judge(heard, request.first_byte or 0, request.last_byte)
        raise passing_failure(heard) or self._site.refusal(
            heard.status, heard.headers, request.address
        )

    def _read(self, chunks: Iterator[bytes], answer: Answer, address: str) -> None:
        position = answer.start
        for chunk in chunks:
            position = self._place(chunk, position)
            self._watch.saw(len(chunk), address)
            if self._segment is None:
                return
        if answer.end is not None and position < answer.end:
            raise ConnectionLost(address, f"ended {answer.end - position} bytes early")
        self._ended_at(position, address)

    def _ended_at(self, position: int, address: str) -> None:
        """All has come that the server has."""
        plan = self._site.partial.plan
        if plan.size_bytes is None:
            plan.settle(position)
        elif self._whole and position < plan.size_bytes:
            raise ConnectionLost(address, f"ended {plan.size_bytes - position} bytes early")

    def _place(self, chunk: bytes, position: int) -> int:
        """Write what is wanted of these bytes, which begin at `position`; where they end."""
        end = position + len(chunk)
        while (segment := self._segment) is not None and position < end:
            skipped = segment.at - position
            if skipped >= end - position:
                break
            self._write(segment, chunk[len(chunk) - (end - position) + skipped :])
            if segment.left_bytes > 0:
                break
            position = segment.at
            self._segment = self._next_after(segment)
        return end

    def _write(self, segment: Segment, data: bytes) -> None:
        portion = self._site.throttle.portion_bytes(len(data))
        for at in range(0, len(data), portion):
            written = self._site.partial.write(segment, data[at : at + portion])
            self.fetched_bytes += written
            self._wait_for_leave(written)
            if segment.left_bytes <= 0:
                return

    def _wait_for_leave(self, count_bytes: int) -> None:
        wait_s = self._site.throttle.spend(count_bytes)
        while wait_s > 0:
            self._site.around.wait(self._stopped, wait_s)
            self._watch.begin()
            if self._token.cancelled:
                raise Cancelled
            wait_s = self._site.throttle.spend(0)

    def _next_after(self, segment: Segment) -> Segment | None:
        """It is full. Of a whole file the next hole is filled too, if it is still to come."""
        partial = self._site.partial
        partial.give_back(segment)
        self._segment = None  # from here on it is not ours
        following = partial.plan.take() if self._whole else None
        if following is not None and following.at < segment.at:
            partial.give_back(following)
            return None
        return following
