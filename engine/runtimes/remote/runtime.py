"""See `Runtime`: a model that a server elsewhere runs. Nothing of it is in this computer's memory.

Runs on the inference thread; the connection is closed as soon as a reply ends or is not wanted.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from engine.errors import (
    AddressUnusable,
    Cancelled,
    RemoteError,
    RemoteModelMissing,
    ServerFailed,
    ServerIncomprehensible,
    ServerSilent,
)
from engine.net.door import Door
from engine.net.exchange import Exchange
from engine.net.requests import Request
from engine.runtimes.remote.bodies import has_model, parsed
from engine.runtimes.remote.question import Terms, body_of, other_terms
from engine.runtimes.remote.refusals import Refusal
from engine.runtimes.remote.reply import Reply, is_whole
from engine.runtimes.remote.server import Manners, Server
from engine.runtimes.remote.sse import EventStream, EventTooLong, ServerEvent
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from engine.types.generation import (
    ContextTrimmed,
    Delta,
    Finished,
    FinishReason,
    GenerationRequest,
)
from engine.types.models import LoadedInfo, LoadSpec
from engine.types.remote import RemoteModel

BACKEND = "remote"
_ANSWER_BYTES = 64 << 20
"""More than any model writes; a server without an end must not fill the memory."""
_LAST_WORDS_S = 2.0
"""After the end of the text only numbers may follow."""

KeyOf = Callable[[str], str | None]
"""The key for a server's address."""


def _no_key(_address: str) -> None:
    return None


class RemoteRuntime:
    """`key_of` may have to wait for the system's store of secrets."""

    def __init__(self, door: Door, key_of: KeyOf = _no_key, manners: Manners | None = None) -> None:
        self._door = door
        self._key_of = key_of
        self._manners = manners or Manners()

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> "AskedModel":
        """Ask whether the server has the model. One that does not tell may have it."""
        started_s = self._manners.clock()
        remote = spec.remote
        if remote is None:
            raise AddressUnusable("", "no server is named")
        progress(0.0)
        names = self._server(remote).models(Purpose.CHECK_MODEL, cancel)
        if names is not None and not has_model(names, remote.model):
            raise RemoteModelMissing(remote.address, remote.model)
        info = LoadedInfo(
            spec=spec,
            name=remote.model,
            backend=BACKEND,
            load_ms=(self._manners.clock() - started_s) * 1000,
            notices=(),
        )
        return AskedModel(info, remote, lambda: self._server(remote), self._manners)

    def _server(self, remote: RemoteModel) -> Server:
        return Server(self._door, remote.address, self._key_of(remote.address), self._manners)


class AskedModel:
    """See `LoadedModel`. `make_server` is called for every reply: the key may have changed."""

    def __init__(
        self,
        info: LoadedInfo,
        remote: RemoteModel,
        make_server: Callable[[], Server],
        manners: Manners,
    ) -> None:
        self._info = info
        self._remote = remote
        self._make_server = make_server
        self._manners = manners
        self._without: frozenset[str] = frozenset()

    @property
    def info(self) -> LoadedInfo:
        return self._info

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        server = self._make_server()
        reply = Reply(self._remote.address, self._manners.clock, server.hide_key)
        try:
            with ExitStack() as stack:
                exchange, terms = self._asked(stack, server, request, cancel)
                reply.fills_context = terms.max_tokens is not None
                if terms.dropped:
                    yield ContextTrimmed(dropped_messages=terms.dropped)
                yield from _while_wanted(self._read(exchange, reply), cancel)
        except Cancelled:
            reply.reason = FinishReason.CANCELLED
        yield Finished(reason=reply.reason or FinishReason.STOP, stats=reply.stats())

    def close(self) -> None:
        """Nothing stays connected between replies."""

    def _asked(
        self, stack: ExitStack, server: Server, request: GenerationRequest, cancel: CancelToken
    ) -> tuple[Exchange, Terms]:
        """Raises why there is no answer on any terms."""
        terms = Terms(without=self._without)
        while True:
            answer = server.ask(stack, self._request(request, server, terms), cancel)
            if not isinstance(answer, Refusal):
                return answer, terms
            other = other_terms(answer, terms, request)
            if other is None:
                raise answer.error
            terms, self._without = other, other.without

    def _request(self, request: GenerationRequest, server: Server, terms: Terms) -> Request:
        return Request(
            purpose=Purpose.ANSWER,
            address=self._remote.address,
            path="/chat/completions",
            key=server.key,
            body=body_of(request, self._remote.model, terms),
            limit_bytes=_ANSWER_BYTES,
        )

    def _read(self, exchange: Exchange, reply: Reply) -> Iterator[Delta]:
        """The deltas of an answer. Raises unless it came to its end."""
        kind = exchange.headers.get("content-type", "").lower()
        if "html" in kind:
            raise ServerIncomprehensible(self._remote.address, "a page for people")
        if "application/json" in kind:
            yield from self._read_whole(exchange, reply)
        else:
            yield from self._read_stream(exchange, reply)

    def _read_whole(self, exchange: Exchange, reply: Reply) -> Iterator[Delta]:
        """From a server that does not stream."""
        value = parsed(exchange.body())
        if isinstance(value, dict):
            yield from reply.take_value(value, "message")
        if not reply.seen:
            raise ServerIncomprehensible(self._remote.address, "an answer that is none")

    def _read_stream(self, exchange: Exchange, reply: Reply) -> Iterator[Delta]:
        try:
            for event in self._events(exchange):
                yield from reply.take(event)
                if reply.done:
                    return
                if reply.reason is not None:
                    exchange.silence_s = _LAST_WORDS_S
        except ServerSilent:
            if reply.reason is None:
                raise
        if reply.reason is None:
            raise self._unended(exchange, reply)

    def _events(self, exchange: Exchange) -> Iterator[ServerEvent]:
        """Also the last one of a stream that broke off, if it is all there."""
        stream = EventStream()
        try:
            for chunk in exchange.chunks():
                yield from stream.push(chunk)
        except EventTooLong as error:
            raise ServerIncomprehensible(self._remote.address, "an event without end") from error
        except ServerSilent:
            yield from filter(is_whole, stream.flush())
            raise
        yield from filter(is_whole, stream.flush())

    def _unended(self, exchange: Exchange, reply: Reply) -> RemoteError:
        """Why a stream that nobody broke has no end."""
        address = self._remote.address
        if reply.seen:
            return ServerSilent(address, "the answer was cut off")
        if "event-stream" in exchange.headers.get("content-type", ""):
            return ServerFailed(address, "an answer without a word")
        return ServerIncomprehensible(address, "not the events of an answer")


def _while_wanted(deltas: Iterator[Delta], cancel: CancelToken) -> Iterator[Delta]:
    """Many may have come at once; none is said after a cancel."""
    for delta in deltas:
        if cancel.cancelled:
            raise Cancelled
        yield delta
