"""One keeper over two: only one of them has a model, and the right one answers."""

import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from engine.errors import LoadFailed, NotLoaded, ServerUnreachable
from engine.host import InProcessHost
from engine.keeper.plain import PlainKeeper
from engine.keeper.routed import RoutedKeeper
from engine.ports import DeliverKeeper
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import Finished, FinishReason, GenerationRequest, TextDelta
from engine.types.models import Failed, Loaded, UnloadReason
from engine.types.plans import LoadRequest
from engine.types.remote import RemoteModel

WAIT_S = 10
HERE = LoadRequest(path=Path("here.gguf"))
THERE = LoadRequest(path=Path(), remote=RemoteModel(address="http://nas/v1", model="there"))
QUESTION = GenerationRequest(messages=(Message(role=Role.USER, content="Hello"),))


class Side(PlainKeeper):
    """A keeper of scripted models, of which one can see whether it holds one."""

    def __init__(self, script: Script) -> None:
        super().__init__(lambda: FakeRuntime(script))
        self.listeners: list[DeliverKeeper] = []

    @property
    def host(self) -> InProcessHost:
        return self._host

    def until_free(self) -> None:
        """Its host frees the model on its own thread, a moment later."""
        deadline = time.monotonic() + WAIT_S
        while self._host.holds_model:
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def listen(self, deliver: DeliverKeeper) -> None:
        self.listeners.append(deliver)


class Desk:
    def __init__(self, local: Script, remote: Script) -> None:
        self.local, self.remote = Side(local), Side(remote)
        self.made = 0
        self.keeper = RoutedKeeper(self.local, self._make)

    def _make(self) -> Side:
        self.made += 1
        return self.remote

    def load(self, request: LoadRequest) -> Loaded | Failed:
        events: Queue[object] = Queue()
        self.keeper.load(request, events.put, CancelToken())
        while not isinstance(event := events.get(timeout=WAIT_S), Loaded | Failed):
            pass
        return event

    def ask(self) -> str:
        events: Queue[object] = Queue()
        self.keeper.generate(QUESTION, events.put, CancelToken())
        text = ""
        while not isinstance(event := events.get(timeout=WAIT_S), Finished | Failed):
            assert isinstance(event, TextDelta)
            text += event.text
        if isinstance(event, Failed):
            raise event.error
        return text

    def close(self) -> None:
        assert self.keeper.close(WAIT_S)
        assert self.remote.close(WAIT_S)


@pytest.fixture
def desk() -> Iterator[Desk]:
    it = Desk(Script(pieces=("here",)), Script(pieces=("there",)))
    yield it
    it.close()


def test_the_one_that_was_loaded_last_answers_and_the_other_is_freed(desk: Desk) -> None:
    assert isinstance(desk.load(HERE), Loaded)
    assert desk.ask() == "here"
    loaded = desk.load(THERE)
    assert isinstance(loaded, Loaded)
    assert loaded.info.spec.remote == THERE.remote
    assert desk.ask() == "there"
    desk.local.until_free()
    desk.load(HERE)
    assert desk.ask() == "here"
    desk.remote.until_free()


def test_a_question_that_is_asked_with_the_load_goes_the_same_way(desk: Desk) -> None:
    desk.load(HERE)
    desk.keeper.load(THERE, lambda _: None, CancelToken())
    assert desk.ask() == "there"
    desk.keeper.load(HERE, lambda _: None, CancelToken())
    assert desk.ask() == "here"


def test_nothing_is_made_for_elsewhere_before_it_is_wanted(desk: Desk) -> None:
    desk.load(HERE)
    desk.keeper.unload()
    assert desk.made == 0
    desk.load(THERE)
    desk.load(THERE)
    assert desk.made == 1


def test_a_server_out_of_reach_does_not_cost_the_model_that_is_here() -> None:
    desk = Desk(Script(pieces=("here",)), Script(load_error=ServerUnreachable("http://nas/v1")))
    desk.load(HERE)
    failed = desk.load(THERE)
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, ServerUnreachable)
    assert desk.local.host.holds_model
    with pytest.raises(NotLoaded):  # it is not asked in the other's place
        desk.ask()
    desk.load(HERE)
    assert desk.ask() == "here"
    desk.close()


def test_a_failed_load_here_answers_nothing_from_elsewhere() -> None:
    desk = Desk(Script(load_error=LoadFailed(HERE.path, "no")), Script(pieces=("there",)))
    desk.load(THERE)
    assert isinstance(desk.load(HERE), Failed)
    with pytest.raises(NotLoaded):
        desk.ask()
    desk.close()


def test_many_changes_in_a_row_end_with_the_last_one(desk: Desk) -> None:
    for _ in range(20):
        desk.keeper.load(THERE, lambda _: None, CancelToken())
        desk.keeper.load(HERE, lambda _: None, CancelToken())
    assert desk.ask() == "here"


def test_unloading_frees_both_and_a_sleep_stops_a_reply() -> None:
    desk = Desk(Script(), Script(pieces=("word ",) * 10_000, pause_s=0.005))
    desk.load(THERE)
    events: Queue[object] = Queue()
    desk.keeper.generate(QUESTION, events.put, CancelToken())
    events.get(timeout=WAIT_S)
    desk.keeper.unload(UnloadReason.SUSPEND)
    while not isinstance(event := events.get(timeout=WAIT_S), Finished):
        pass
    assert event.reason is FinishReason.CANCELLED
    with pytest.raises(NotLoaded):
        desk.ask()
    desk.close()


def test_who_listens_hears_both(desk: Desk) -> None:
    heard = print
    desk.keeper.listen(heard)
    desk.load(THERE)
    assert desk.local.listeners == desk.remote.listeners == [heard]


def test_what_is_asked_after_the_end_is_answered_with_a_value(desk: Desk) -> None:
    desk.load(THERE)
    assert desk.keeper.close(WAIT_S)
    assert isinstance(desk.load(THERE), Failed)
    assert isinstance(desk.load(HERE), Failed)
