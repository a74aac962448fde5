"""How the tests talk to a host in a child: one request at a time, every event kept."""

import time
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import psutil

from engine.child.host import ChildHost
from engine.child.wire import encode
from engine.ports import Host
from engine.runtimes.fake import Script
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import Finished, GenerationRequest, TextDelta
from engine.types.models import Failed, Loaded, LoadSpec
from engine.types.plans import Layout

SPEC = LoadSpec(path=Path("a.gguf"), layout=Layout(context_length=512, threads=1))
QUESTION = GenerationRequest(messages=(Message(role=Role.USER, content="Capital of France?"),))
WAIT_S = 60


def fake_host(script: Script) -> ChildHost:
    return ChildHost("fake", script=encode(script))


def load(host: Host, spec: LoadSpec = SPEC) -> Loaded | Failed:
    events: Queue[object] = Queue()
    host.load(spec, events.put, CancelToken())
    while not isinstance(event := events.get(timeout=WAIT_S), Loaded | Failed):
        pass
    return event


def ask(host: Host, request: GenerationRequest = QUESTION) -> tuple[str, Finished | Failed]:
    """The text that arrived, and how it ended."""
    events: Queue[object] = Queue()
    host.generate(request, events.put, CancelToken())
    return collect(events)


def collect(events: "Queue[object]") -> tuple[str, Finished | Failed]:
    text = ""
    while not isinstance(event := events.get(timeout=WAIT_S), Finished | Failed):
        text += event.text if isinstance(event, TextDelta) else ""
    return text, event


def until(condition: Callable[[], object], timeout_s: float = WAIT_S) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """A zombie that its new parent has not buried yet runs no more."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)
