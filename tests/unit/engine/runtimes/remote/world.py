"""A remote model over a door that keeps its records, and talks with servers on this machine."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import EngineError
from engine.net.door import Door
from engine.net.requests import Patience
from engine.runtimes.remote.runtime import AskedModel, RemoteRuntime
from engine.runtimes.remote.server import Manners
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.connections import Connection
from engine.types.generation import Delta, Finished, GenerationRequest, TextDelta
from engine.types.models import LoadSpec
from engine.types.plans import Layout
from engine.types.remote import RemoteModel
from tests.servers.odd import odd_server

KEY = "sk-0123456789abcdef"
QUESTION = (Message(role=Role.USER, content="Capital of France?"),)
PATIENCE = Patience(connect_s=10.0, first_s=20.0, silence_s=20.0)


@dataclass(slots=True, kw_only=True)
class Told:
    """What came of one question."""

    deltas: list[Delta] = field(default_factory=list)
    error: EngineError | None = None

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))

    @property
    def finished(self) -> Finished:
        assert isinstance(self.deltas[-1], Finished), self.error
        return self.deltas[-1]


@dataclass(slots=True, kw_only=True)
class World:
    """`waits` are the pauses before other tries; nobody really waits them."""

    patience: Patience = PATIENCE
    key: str | None = KEY
    offline: bool = False
    records: list[Connection] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    door: Door = field(init=False)

    def __post_init__(self) -> None:
        self.door = Door(lambda: self.offline, self.records.append, patience=self.patience)

    def runtime(self) -> RemoteRuntime:
        def pause(seconds: float, _cancel: CancelToken) -> None:
            self.waits.append(seconds)

        return RemoteRuntime(self.door, lambda _: self.key, Manners(pause=pause))

    def load(self, address: str, cancel: CancelToken | None = None) -> AskedModel:
        remote = RemoteModel(address=address, model="m")
        spec = LoadSpec(path=Path(), layout=Layout(context_length=0), remote=remote)
        return self.runtime().load(spec, lambda _: None, cancel or CancelToken())

    def model(self, address: str) -> AskedModel:
        """Without asking the server first."""
        with odd_server(lambda line: line.say(404, b"")) as silent:
            info = self.load(silent.address).info
        self.records.clear()
        remote = RemoteModel(address=address, model="m")
        runtime = self.runtime()
        return AskedModel(info, remote, lambda: runtime._server(remote), runtime._manners)


def ask(
    model: AskedModel,
    cancel: CancelToken | None = None,
    see: Callable[[Delta], None] = lambda _: None,
    messages: tuple[Message, ...] = QUESTION,
    **more: object,
) -> Told:
    told = Told()
    request = GenerationRequest(messages=messages, **more)  # type: ignore[arg-type]
    try:
        for delta in model.generate(request, cancel or CancelToken()):
            told.deltas.append(delta)
            see(delta)
    except EngineError as error:
        told.error = error
    return told
