"""Programs over the real keeper and the real starter model that a test starts in a process of its
own: to count what stays behind, and to run short of memory for real."""

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import psutil

from app.container import build
from app.events import Event, MemoryRanLow, ModelFailed, ModelReady, ModelUnloaded
from app.fitting import fitting_keeper
from app.models import ModelService
from app.paths import Paths
from engine.errors import EngineError
from engine.keeper.keeper import ModelKeeper
from engine.types.cancel import CancelToken
from engine.types.models import Failed, Loaded
from engine.types.plans import LoadRequest, Wishes

WAIT_S = 60


def _paths(home: str) -> Paths:
    paths = Paths(data=Path(home), log=Path(home) / "log")
    paths.ensure()
    return paths


def _load(keeper: ModelKeeper, request: LoadRequest) -> EngineError | None:
    ended: Queue[Loaded | Failed] = Queue()

    def deliver(event: object) -> None:
        if isinstance(event, Loaded | Failed):
            ended.put(event)

    keeper.load(request, deliver, CancelToken())
    event = ended.get(timeout=WAIT_S)
    return event.error if isinstance(event, Failed) else None


def cycles(home: str, good: str, bad: str, count: str, where: str) -> None:
    """Load and unload, alternating with a failing file; print what is held after each time."""
    paths = _paths(home)
    keeper = fitting_keeper(paths, ModelService(paths))
    wishes = Wishes(context_length=512)
    extra_safe = where == "child"
    request = LoadRequest(path=Path(good), wishes=wishes, by_person=True, extra_safe=extra_safe)
    process = psutil.Process()
    seen = []
    for _ in range(int(count)):
        assert _load(keeper, request) is None
        assert _load(keeper, LoadRequest(path=Path(bad), by_person=True)) is not None
        keeper.unload()
        _settle(keeper, bad)
        children = len(process.children(recursive=True))
        seen.append((process.memory_info().rss, process.num_fds(), process.num_threads(), children))
    assert keeper.close(WAIT_S)
    print(json.dumps(seen))


def _settle(keeper: ModelKeeper, bad: str) -> None:
    """Wait until the unload is through: the host works in order."""
    _load(keeper, LoadRequest(path=Path(bad), by_person=True))
    deadline = time.monotonic() + WAIT_S
    while _holding(keeper) and time.monotonic() < deadline:
        time.sleep(0.01)


def _holding(keeper: ModelKeeper) -> bool:
    held = any(host.holds_model for host in keeper._hosts._made.values())
    return held or bool(psutil.Process().children())


def hog_until_let_go(home: str) -> None:
    """With the model in memory, take more and more of it until the guard lets the model go.
    Prints what was told, in order."""
    container = build(_paths(home))
    told: list[str] = []
    changed = threading.Event()

    def note(event: Event) -> None:
        if isinstance(event, ModelReady | ModelFailed | MemoryRanLow | ModelUnloaded):
            told.append(type(event).__name__)
            changed.set()

    container.events.subscribe(note)
    container.chat.prepare(by_person=True)
    _until(changed, lambda: bool(told))
    hog: list[bytearray] = []
    deadline = time.monotonic() + WAIT_S
    while "ModelUnloaded" not in told and time.monotonic() < deadline:
        if container.keeper._local._parts.read_memory().available_bytes > 16_000_000:  # type: ignore[attr-defined]
            hog.append(bytearray(4_000_000))
        time.sleep(0.05)
    hog.clear()
    closed = container.close(WAIT_S)
    print(json.dumps({"told": list(dict.fromkeys(told)), "closed": closed}))


def _until(changed: threading.Event, done: Callable[[], bool]) -> None:
    while not done():
        assert changed.wait(WAIT_S)
        changed.clear()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
