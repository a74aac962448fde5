"""One server: its list of models, and asking it with as many tries as make sense.

Tries are repeated only while nothing of an answer has come, so nothing is ever said twice.
"""

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from threading import Event

from engine.errors import Cancelled, EngineError, ServerIncomprehensible
from engine.net.door import Door
from engine.net.exchange import Exchange
from engine.net.requests import Request
from engine.runtimes.remote.bodies import complaint_in, models_in, parsed
from engine.runtimes.remote.refusals import (
    Refusal,
    Retrying,
    refusal_from,
    refusal_of,
    wait_before_retry,
)
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose

_LIST_S = 30.0
"""A list of models needs no thought."""
_ERROR_BYTES = 64 << 10
_NO_LIST = (404, 405, 501)


def pause(seconds: float, cancel: CancelToken) -> None:
    """Sleep, unless that is no longer wanted. Raises `Cancelled`."""
    cancelled = Event()
    cancel.on_cancel(cancelled.set)
    try:
        if cancelled.wait(seconds):
            raise Cancelled
    finally:
        cancel.forget(cancelled.set)


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How a server is asked again, and the clocks and the dice for it."""

    retrying: Retrying = field(default_factory=Retrying)
    pause: Callable[[float, CancelToken], None] = pause
    now: Callable[[], datetime] = _utc_now
    clock: Callable[[], float] = time.perf_counter
    random: Callable[[], float] = random.random


class Server:
    """`key` is looked up by the caller; what the server says of it is hidden in errors."""

    def __init__(self, door: Door, address: str, key: str | None, manners: Manners) -> None:
        self._door = door
        self._address = address
        self.key = key
        self._manners = manners

    def models(self, purpose: Purpose, cancel: CancelToken) -> tuple[str, ...] | None:
        """What it has; None if it does not say. Raises a `RemoteError` or `Cancelled`."""
        request = Request(
            purpose=purpose, address=self._address, path="/models", key=self.key, first_s=_LIST_S
        )
        with ExitStack() as stack:
            answer = self.ask(stack, request, cancel)
            if isinstance(answer, Refusal):
                if answer.status in _NO_LIST:
                    return None
                raise answer.error
            names = models_in(parsed(answer.short_body()))
            if names is None:
                raise ServerIncomprehensible(self._address, "no list of models")
            return names

    def ask(self, stack: ExitStack, request: Request, cancel: CancelToken) -> Exchange | Refusal:
        """An answer with status 200, open until `stack` ends, or why there is none after all
        tries."""
        for tried in count(1):
            answer = self._once(stack, request, cancel)
            if isinstance(answer, Exchange):
                return answer
            wait_s = wait_before_retry(
                tried, answer, self._manners.retrying, self._manners.random()
            )
            if wait_s is None:
                return answer
            self._manners.pause(wait_s, cancel)
        raise AssertionError  # counting has no end

    def _once(self, stack: ExitStack, request: Request, cancel: CancelToken) -> Exchange | Refusal:
        refusal: Refusal | None = None
        try:
            with ExitStack() as one:
                exchange = one.enter_context(self._door.ask(request, cancel))
                if exchange.status == 200:
                    stack.enter_context(one.pop_all())
                    return exchange
                refusal = self._refusal(exchange)
                raise refusal.error  # through the exchange, so that it is written down
        except EngineError as error:
            return refusal or refusal_from(error)

    def _refusal(self, exchange: Exchange) -> Refusal:
        headers = {name: self.hide_key(value) for name, value in exchange.headers.items()}
        body = parsed(exchange.what_can_be_read(_ERROR_BYTES))
        said = complaint_in(body, self.hide_key)
        return refusal_of(exchange.status, headers, said, self._address, self._manners.now())

    def hide_key(self, text: str) -> str:
        """Some servers repeat the key that they do not like."""
        return text.replace(self.key, "…") if self.key else text
