"""Errands: long work on threads of its own, which closing ends."""

from concurrent.futures import Future
from queue import Queue
from threading import Event

from app.jobs import Errands
from engine.errors import Cancelled
from engine.types.cancel import CancelToken

WAIT_S = 10


def wait_for_cancel(cancel: CancelToken) -> None:
    ended = Event()
    cancel.on_cancel(ended.set)
    assert ended.wait(WAIT_S)
    raise Cancelled


def test_each_is_told_how_it_ended() -> None:
    done: Queue[Future[int]] = Queue()
    errands = Errands("errand")
    errands.start(lambda _: 7, done.put)
    assert done.get(timeout=WAIT_S).result() == 7
    errands.start(lambda _: 1 // 0, done.put)
    assert isinstance(done.get(timeout=WAIT_S).exception(), ZeroDivisionError)
    assert errands.close(WAIT_S)


def test_one_does_not_wait_for_another_and_each_can_be_ended() -> None:
    done: Queue[Future[None] | Future[int]] = Queue()
    errands = Errands("errand")
    cancel = errands.start(wait_for_cancel, done.put)
    errands.start(lambda _: 7, done.put)
    assert done.get(timeout=WAIT_S).result() == 7
    cancel.cancel()
    assert isinstance(done.get(timeout=WAIT_S).exception(), Cancelled)
    assert errands.close(WAIT_S)


def test_closing_ends_what_runs_and_what_comes_later() -> None:
    done: Queue[Future[None]] = Queue()
    errands = Errands("errand")
    errands.start(wait_for_cancel, done.put)
    assert errands.close(WAIT_S)
    assert isinstance(done.get(timeout=WAIT_S).exception(), Cancelled)
    assert errands.start(wait_for_cancel, done.put).cancelled
    assert isinstance(done.get(timeout=WAIT_S).exception(), Cancelled)
    assert errands.close(WAIT_S)


def test_closing_does_not_wait_for_ever() -> None:
    go_on = Event()
    errands = Errands("errand")
    errands.start(lambda _: go_on.wait(WAIT_S), lambda _: None)
    assert not errands.close(0.0)
    go_on.set()
    assert errands.close(WAIT_S)
