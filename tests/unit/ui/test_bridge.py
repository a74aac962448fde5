"""The bridge: order, joining, pace, and what a publisher pays."""

import threading
import time

import pytest

from app.events import ConversationDeleted, EventBus, ReplyGrew
from app.jobs import Errands, SerialWorker
from ui.bridge import PAUSE_MS, Bridge, joined


def grew(text: str, turn: str = "t") -> ReplyGrew:
    return ReplyGrew(conversation_id="c", turn_id=turn, text=text)


@pytest.fixture
def worker():
    made = SerialWorker("test")
    yield made
    assert made.close(5)


@pytest.fixture
def bus():
    return EventBus()


@pytest.fixture
def bridge(qtbot, bus, worker):
    made = Bridge(bus, worker)
    yield made
    made.close()


@pytest.fixture
def heard(bridge):
    events = []
    bridge.listen(events.append)
    return events


def test_growth_of_one_turn_is_joined_and_order_is_kept():
    gone = ConversationDeleted(conversation_id="x")
    items = [grew("a"), grew("b"), gone, grew("c"), grew("d", "u"), grew("e", "u")]
    assert joined(items) == [grew("ab"), gone, grew("c"), grew("de", "u")]
    assert joined([]) == []


def test_nothing_is_delivered_on_the_publishing_call(bus, heard, qtbot):
    bus.publish(grew("a"))
    assert heard == []
    qtbot.waitUntil(lambda: heard == [grew("a")])


def test_the_first_growth_comes_at_once_and_later_ones_at_the_pace(bus, bridge, qtbot):
    times = []
    bridge.listen(lambda _: times.append(time.perf_counter()))
    stop = threading.Event()

    def publish():
        while not stop.wait(0.001):
            bus.publish(grew("x"))

    started = time.perf_counter()
    thread = threading.Thread(target=publish)
    thread.start()
    qtbot.waitUntil(lambda: len(times) >= 8)
    stop.set()
    thread.join()
    assert times[0] - started < 8 * PAUSE_MS / 1000
    assert times[7] - times[0] >= 7 * (PAUSE_MS - 2) / 1000


def test_no_text_is_lost_between_threads(bus, heard, qtbot):
    pieces = [f"{n} " for n in range(3000)]
    thread = threading.Thread(target=lambda: [bus.publish(grew(p)) for p in pieces])
    thread.start()
    whole = "".join(pieces)
    qtbot.waitUntil(lambda: "".join(e.text for e in heard) == whole)
    thread.join()


def test_a_result_comes_after_the_events_of_its_work(bus, bridge, heard, qtbot):
    def work():
        bus.publish(grew("a"))
        return 7

    bridge.run(work, heard.append, pytest.fail)
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert heard == [grew("a"), 7]


def test_work_runs_elsewhere_and_its_result_arrives_here(bridge, qtbot):
    names = []
    bridge.run(
        lambda: threading.current_thread().name,
        lambda name: names.extend([name, threading.current_thread().name]),
        pytest.fail,
    )
    qtbot.waitUntil(lambda: len(names) == 2)
    assert names[0].startswith("test")
    assert names[1] == threading.main_thread().name


def test_a_failure_arrives_as_the_error(bridge, qtbot):
    errors = []

    def work():
        raise OSError("disk full")

    bridge.run(work, pytest.fail, errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], OSError)


def test_a_broken_listener_is_reported_and_costs_nobody_else(bus, bridge, qtbot):
    def broken(event):
        if event.text == "a":
            raise ValueError("broken")

    heard = []
    bridge.listen(heard.append)
    bridge.listen(broken)
    with qtbot.capture_exceptions() as caught:
        bus.publish(grew("a"))
        bus.publish(grew("b", "u"))
        qtbot.waitUntil(lambda: len(heard) == 2)
    assert [kind for kind, _, _ in caught] == [ValueError]


def test_after_close_nothing_comes_and_nothing_starts(bus, bridge, heard, worker, qtbot):
    bus.publish(grew("a"))
    bridge.close()
    ran = []
    bridge.run(lambda: ran.append(1), heard.append, heard.append)
    bus.publish(grew("b"))
    qtbot.wait(2 * PAUSE_MS)
    assert heard == []
    assert ran == []


def test_a_piece_of_text_costs_its_publisher_a_few_microseconds(bus, bridge):
    """The GUI thread is busy here, so one wake-up is pending: the common case."""
    event = grew("word ")
    count = 20_000
    best = min(_seconds(bus, event, count) for _ in range(3))
    assert best / count < 20e-6


def _seconds(bus, event, count):
    started = time.perf_counter()
    for _ in range(count):
        bus.publish(event)
    return time.perf_counter() - started


def test_an_errand_comes_back_here_and_none_after_the_end(qtbot, bridge):
    errands = Errands("test-errand")
    heard = []

    def work(_cancel):
        return threading.current_thread().name

    token = bridge.errand(errands, work, heard.append, heard.append)
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == ["test-errand"]
    assert not token.cancelled
    bridge.close()
    assert bridge.errand(errands, work, heard.append, heard.append).cancelled
    assert len(heard) == 1
    assert errands.close(2.0)
