"""The doctor's deeper half: does what was installed really work? Nothing here is only looked at.

The model answers in a child, so that an engine that dies is a finding, not the doctor's own end.
"""

import json
import sys
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TypeVar

from app import fitting
from app.health import Check, bad, good
from app.models import ModelChoice, choose
from app.paths import RESOURCES, Paths
from engine.backends import plugins
from engine.errors import EngineError, EngineTimedOut
from engine.ports import GenerationEvent, Host
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import Finished, GenerationRequest, TextDelta
from engine.types.models import Failed, Loaded, LoadEvent, LoadSpec
from engine.types.plans import Layout

T = TypeVar("T")

_QUESTION = "Tell me something about the sea."
_TOKENS = 8
_LAYOUT = Layout(context_length=512, ubatch=64, threads=2)
_PATIENCE_S = 40.0
_CLOSE_S = 3.0
_NAMED = ("catalogue.json", "starter.json", "tokens.json", "translations/snug_zh_CN.qm")
_LOCAL = 1
"""AF_UNIX: within the system."""
_DRAWN = ("icons", "logo")


def check_processor(paths: Paths) -> Check:
    """The best part of the engine for this processor that has answered in a child. Before the
    engine is loaded in this process: then it is this part here too."""
    from engine.keeper.processor import prove_processor  # noqa: PLC0415 - not for `snug --help`

    try:
        prove_processor(fitting.record(paths), CancelToken())
    except (EngineError, OSError) as error:
        return bad("processor", str(error))
    return good("processor", plugins.chosen_variant() or "the best part has answered")


def check_answer(paths: Paths) -> Check:
    """The starter model is loaded and writes a few tokens, in a child."""
    try:
        choice = choose(paths)
        host = fitting.make_host(in_child=True)
        try:
            return _answer(host, choice)
        finally:
            host.close(_CLOSE_S)
    except (EngineError, OSError) as error:
        return bad("answer", f"{type(error).__name__}: {error}")


def _answer(host: Host, choice: ModelChoice) -> Check:
    loads: SimpleQueue[LoadEvent] = SimpleQueue()
    cancel, deadline = CancelToken(), monotonic() + _PATIENCE_S
    host.load(LoadSpec(path=choice.request.path, layout=_LAYOUT), loads.put, cancel)
    info = _last(loads, Loaded, deadline).info
    if info.notices:
        return bad("answer", f"the chat template: {', '.join(info.notices)}")
    events: SimpleQueue[GenerationEvent] = SimpleQueue()
    pieces: list[str] = []

    def deliver(event: GenerationEvent) -> None:
        if isinstance(event, TextDelta):
            pieces.append(event.text)
        events.put(event)

    host.generate(_request(choice), deliver, cancel)
    written = _last(events, Finished, deadline).stats.generated_tokens
    text = "".join(pieces).strip()
    if not text:
        return bad("answer", f"{written} tokens without a word")
    return good("answer", f"{written} tokens from a child process: {text!r}")


def _request(choice: ModelChoice) -> GenerationRequest:
    messages = (
        Message(role=Role.SYSTEM, content=choice.system),
        Message(role=Role.USER, content=_QUESTION),
    )
    return GenerationRequest(messages=messages, sampling=choice.sampling, max_tokens=_TOKENS)


def _last(
    events: "SimpleQueue[LoadEvent] | SimpleQueue[GenerationEvent]", kind: type[T], deadline: float
) -> T:
    """The event of this kind; raises the error that came instead, or `EngineTimedOut`."""
    while True:
        try:
            event = events.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise EngineTimedOut("selftest", _PATIENCE_S) from None
        if isinstance(event, Failed):
            raise event.error
        if isinstance(event, kind):
            return event


def check_resources() -> Check:
    """What lies beside the program: pictures, colours, the catalogue, translations."""
    try:
        for name in _NAMED:
            data = (RESOURCES / name).read_bytes()
            if name.endswith(".json"):
                json.loads(data)
        drawn = sum(len(list((RESOURCES / name).glob("*.svg"))) for name in _DRAWN)
    except (OSError, ValueError) as error:
        return bad("resources", str(error))
    if not drawn:
        return bad("resources", "there are no icons")
    return good("resources", f"{len(_NAMED)} files and {drawn} pictures")


def check_downloads() -> Check:
    """What a download needs, without one: the hub's client, and whom this computer trusts."""
    from engine.hub.huggingface import client_version  # noqa: PLC0415 - not for `snug --help`
    from engine.net.trust import usable_trust  # noqa: PLC0415 - as above

    try:
        return good("downloads", f"huggingface-hub {client_version()}; {usable_trust()}")
    except (ImportError, OSError) as error:
        return bad("downloads", str(error))


@dataclass(slots=True)
class SocketWatch:
    """Hears of every socket that this process opens, by Python's own audit events. Those within
    the computer's own system (a person's keychain is asked through one) do not count."""

    opened: list[str] = field(default_factory=list)
    _listening: bool = True

    def begin(self) -> "SocketWatch":
        """For the life of the process: hooks can not be taken away, only told to be quiet."""
        sys.addaudithook(self._hear)
        return self

    def end(self) -> Check:
        self._listening = False
        if self.opened:
            return bad("network", f"sockets were opened: {', '.join(self.opened)}")
        return good("network", "no socket was opened")

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self._listening or not event.startswith("socket."):
            return
        if event == "socket.__new__" and arguments[1] != _LOCAL:
            self.opened.append(f"one of family {arguments[1]:d}")
        elif event == "socket.getaddrinfo":
            self.opened.append(str(arguments[0]))
