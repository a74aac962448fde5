"""Whoever asked can leave at any time, and the switch closes the door at any time."""

import threading
import time
from collections.abc import Callable

import pytest

from engine.errors import Cancelled, OfflineOnly, ServerBusy
from engine.net.door import Door
from engine.net.requests import Patience
from engine.runtimes.remote.server import pause
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import Delta, FinishReason, GenerationRequest, TextDelta
from tests.servers.odd import Line, Odd, Script, answer, delta, good, models
from tests.unit.engine.runtimes.remote.world import World, ask

Serve = Callable[[Script], Odd]
AT_ONCE_S = 1.0


def hangs(line: Line) -> None:
    line.hang()


def hangs_in_the_head(line: Line) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nContent-")
    line.hang()


def hangs_in_the_answer(line: Line) -> None:
    line.head()
    line.send(delta(content="Par") + b"data: {")
    line.hang()


def trickles_for_ever(line: Line) -> None:
    line.head()
    while not line.closing.is_set():
        line.send(delta(content="a"))
        time.sleep(0.01)


def hangs_in_an_error(line: Line) -> None:
    line.head(500, "application/json", Content_Length="100")
    line.send(b'{"error"')
    line.hang()


STUCK = [hangs, hangs_in_the_head, hangs_in_the_answer, trickles_for_ever, hangs_in_an_error]


def later(act: Callable[[], None]) -> tuple[threading.Thread, list[float]]:
    """Do it in a moment; when it was done."""
    done: list[float] = []

    def run() -> None:
        time.sleep(0.3)
        done.append(time.monotonic())
        act()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, done


def wait_until_gone(odd: Odd, count: int = 1) -> None:
    deadline = time.monotonic() + 5
    while len(odd.gone) < count and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(odd.gone) >= count, "the connection was not closed"


@pytest.mark.parametrize("script", STUCK)
def test_a_cancel_ends_an_answer_at_once_and_closes_the_connection(
    world: World, serve: Serve, script: Script
) -> None:
    odd = serve(script)
    model = world.model(odd.address)
    cancel = CancelToken()
    thread, cancelled = later(cancel.cancel)
    told = ask(model, cancel)
    thread.join()
    assert time.monotonic() - cancelled[0] < AT_ONCE_S
    assert told.finished.reason is FinishReason.CANCELLED
    assert world.records[-1].outcome == "cancelled"
    wait_until_gone(odd)
    assert odd.gone[0] - cancelled[0] < AT_ONCE_S


@pytest.mark.parametrize("script", [hangs, hangs_in_the_head, hangs_in_an_error])
def test_a_cancel_ends_a_load_at_once(world: World, serve: Serve, script: Script) -> None:
    odd = serve(script)
    cancel = CancelToken()
    thread, cancelled = later(cancel.cancel)
    with pytest.raises(Cancelled):
        world.load(odd.address, cancel)
    thread.join()
    assert time.monotonic() - cancelled[0] < AT_ONCE_S


def test_a_cancel_ends_the_wait_for_another_try() -> None:
    cancel = CancelToken()
    thread, cancelled = later(cancel.cancel)
    with pytest.raises(Cancelled):
        pause(30.0, cancel)
    thread.join()
    assert time.monotonic() - cancelled[0] < AT_ONCE_S
    pause(0.0, CancelToken())


def test_what_is_cancelled_already_is_never_sent(world: World, serve: Serve) -> None:
    odd = serve(good())
    cancel = CancelToken()
    cancel.cancel()
    told = ask(world.model(odd.address), cancel)
    assert told.finished.reason is FinishReason.CANCELLED
    assert not odd.asked
    assert not world.records


def test_a_cancel_between_two_words_is_kept_although_more_has_come(
    world: World, serve: Serve
) -> None:
    cancel = CancelToken()

    def see(delta: Delta) -> None:
        if isinstance(delta, TextDelta):
            cancel.cancel()

    told = ask(world.model(serve(good(["a", "b", "c"])).address), cancel, see)
    assert (told.text, told.finished.reason) == ("a", FinishReason.CANCELLED)


def test_an_abandoned_answer_closes_its_connection_and_leaves_a_usable_model(
    world: World, serve: Serve
) -> None:
    def script(line: Line) -> None:
        if line.number == 0:
            trickles_for_ever(line)
        line.head()
        line.send(answer(["Paris"]))

    odd = serve(script)
    model = world.model(odd.address)
    request = GenerationRequest(messages=(Message(role=Role.USER, content="a"),))
    deltas = model.generate(request, CancelToken())
    next(iter(deltas))
    deltas.close()  # type: ignore[attr-defined]
    wait_until_gone(odd)
    assert ask(model).text == "Paris"


# --- the switch ---------------------------------------------------------------------------------


def test_while_offline_no_socket_is_opened(world: World, serve: Serve) -> None:
    odd = serve(good())
    model = world.model(odd.address)
    world.offline = True
    assert isinstance(ask(model).error, OfflineOnly)
    with pytest.raises(OfflineOnly):
        world.load(odd.address)
    assert not odd.asked
    assert not odd.gone
    assert not world.records


@pytest.mark.parametrize("script", STUCK)
def test_turning_it_on_ends_what_is_on_its_way(world: World, serve: Serve, script: Script) -> None:
    odd = serve(script)
    model = world.model(odd.address)

    def turn() -> None:
        world.offline = True
        world.door.end_all()

    thread, turned = later(turn)
    told = ask(model)
    thread.join()
    assert isinstance(told.error, OfflineOnly)
    assert time.monotonic() - turned[0] < AT_ONCE_S
    wait_until_gone(odd)
    assert world.records[-1].outcome == "offline_only"


def test_the_switch_alone_ends_an_answer_with_its_next_word(world: World, serve: Serve) -> None:
    def see(_: object) -> None:
        world.offline = True

    told = ask(world.model(serve(trickles_for_ever).address), see=see)
    assert isinstance(told.error, OfflineOnly)
    assert len(told.text) < 20


def test_turning_it_on_stops_the_tries(world: World, serve: Serve) -> None:
    def busy(line: Line) -> None:
        world.offline = True
        line.say(429, b"")

    odd = serve(busy)
    assert isinstance(ask(world.model(odd.address)).error, OfflineOnly | ServerBusy)
    assert len(odd.asked) == 1


def test_a_ledger_that_can_not_be_written_costs_no_answer(serve: Serve) -> None:
    def full(_: object) -> None:
        raise OSError("disk full")

    world = World(patience=Patience())
    world.door = Door(lambda: False, full)
    assert ask(world.model(serve(good()).address)).text == "Paris"


def test_the_record_tells_where_why_and_how_much_and_nothing_else(
    world: World, serve: Serve
) -> None:
    odd = serve(good())
    ask(world.load(odd.address))
    check, reply = world.records
    assert (check.host, check.port, check.scheme) == ("127.0.0.1", odd.port, "http")
    assert (check.purpose, reply.purpose) == ("check_model", "answer")
    assert (check.bytes_sent, check.bytes_received) == (0, len(models("m")))
    assert reply.bytes_sent == len(odd.asked[1].body)
    assert reply.outcome == "done"
    assert "France" not in repr(world.records)
