"""Snug without a window, over engines that die where a script says. Run as
`python -m tests.system.faulty HOME SCRIPTS` with `SCRIPTS` as JSON: "rehearsal", "here" and
"child" each hold a script. Loads a model as a start does, asks one question, and prints as one
JSON line what a person would see. If it dies, it prints nothing.
"""

import json
import sys
from pathlib import Path
from queue import Queue
from typing import Any

from app import models
from app.container import build
from app.events import Event, ModelFailed, ModelReady, ReplyEnded
from app.models import ModelChoice
from app.paths import Paths
from app.settings import EXTRA_SAFE
from engine.child.host import ChildHost
from engine.child.spawn import run_role
from engine.child.wire import decode, encode
from engine.guard.marker import CrashMarker
from engine.guard.record import Record
from engine.host import InProcessHost
from engine.keeper.keeper import KeeperParts, ModelKeeper
from engine.ports import Host
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.cancel import CancelToken
from engine.types.models import LoadedInfo, LoadSpec
from engine.types.plans import LoadRequest, Measured, Rehearsal
from tests.unit.engine.keeper.parts import PLENTY, REHEARSAL, ScriptedPlanning
from ui import messages

WAIT_S = 30
Scripts = dict[str, Script]


class FaultyProver:
    """Rehearses a script in a child."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def measure(self, spec: LoadSpec, cancel: CancelToken) -> Measured:
        return Measured()

    def rehearse(self, spec: LoadSpec, cancel: CancelToken, **_: float | None) -> Rehearsal:
        argument = {"script": encode(self._script), "answer": {"rehearsal": encode(REHEARSAL)}}
        answer = run_role("fake_rehearse", argument, timeout_s=WAIT_S, cancel=cancel)
        return decode(Rehearsal, answer["rehearsal"])


def choose(paths: Paths, *_: object) -> ModelChoice:
    """Always the file in the home."""
    file = paths.data / "model.gguf"
    if not file.exists():  # its time is part of what it is known by
        file.touch()
    return ModelChoice(name="Model", request=LoadRequest(path=file))


def make_keeper(paths: Paths, scripts: Scripts) -> ModelKeeper:
    def host(in_child: bool) -> Host:
        if in_child:
            return ChildHost("fake", script=encode(scripts["child"]))
        return InProcessHost(lambda: FakeRuntime(scripts["here"]))

    return ModelKeeper(
        KeeperParts(
            planning=ScriptedPlanning(),  # type: ignore[arg-type]
            prover=FaultyProver(scripts["rehearsal"]),
            record=Record(paths.lessons, "build"),
            marker=CrashMarker(paths.running),
            make_host=host,
            read_memory=lambda: PLENTY,
            watch_period_s=None,
        )
    )


def install(scripts: Scripts) -> None:
    """From now on this program knows one model and runs it by `scripts`."""
    models.choose = choose
    build.__kwdefaults__["make_keeper"] = lambda paths, _: make_keeper(paths, scripts)


def seen(error: Exception | None) -> dict[str, Any]:
    """What a person sees of an error."""
    if error is None:
        return {}
    message = messages.of_error(error)
    return {
        "code": error.code,  # type: ignore[attr-defined]
        "title": message.title,
        "sentence": message.sentence,
        "action": message.action,
    }


def ready(info: LoadedInfo | None) -> dict[str, Any]:
    if info is None:
        return {}
    return {"in_child": info.in_child, "ubatch": info.spec.layout.ubatch}


def session(home: Path, scripts: Scripts, *, extra_safe: bool = False) -> dict[str, Any]:
    """One start with one question."""
    install(scripts)
    paths = Paths(data=home, log=home / "log")
    paths.ensure()
    container = build(paths)
    container.settings.set(EXTRA_SAFE, extra_safe)
    events: Queue[Event] = Queue()
    container.events.subscribe(events.put)
    container.conversations.tidy()
    container.chat.prepare()
    started = _until(events, ModelReady | ModelFailed)
    container.chat.send(None, "Hello?")
    last = started if isinstance(started, ModelReady) else None
    while not isinstance(event := events.get(timeout=WAIT_S), ReplyEnded):
        last = event if isinstance(event, ModelReady) else last
    chats = container.conversations
    turns = [turn for chat in chats.recent(10) for turn in chats.turns(chat.id)]
    container.close(WAIT_S)
    return {
        "start": ready(started.info) if isinstance(started, ModelReady) else seen(started.error),
        "answered_by": ready(last.info) if last else {},
        "reply": {"text": event.turn.text, "state": event.turn.state} | seen(event.error),
        "texts": [turn.text for turn in turns],
        "states": [turn.state for turn in turns],
    }


def _until(events: "Queue[Event]", kinds: Any) -> Any:
    while not isinstance(event := events.get(timeout=WAIT_S), kinds):
        pass
    return event


def parse(scripts: str) -> Scripts:
    return {name: decode(Script, script) for name, script in json.loads(scripts).items()}


def main(home: str, scripts: str, extra_safe: str) -> None:
    print(json.dumps(session(Path(home), parse(scripts), extra_safe=extra_safe == "yes")))


if __name__ == "__main__":
    main(*sys.argv[1:])
