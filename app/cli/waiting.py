"""Waits for long work in a way that Ctrl+C can end: the work hears of it through its token, cleans
up, and only then the command ends."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from app.cli.ending import undisturbed
from engine.types.cancel import CancelToken

T = TypeVar("T")
_END_S = 5.0
_LOOK_S = 0.2
"""Windows hears of Ctrl+C only between two waits."""


def wait_for(work: Callable[[CancelToken], T]) -> T:
    """What `work` returns or raises; `Cancelled` after Ctrl+C."""
    future: Future[T] = Future()
    cancel = CancelToken()
    thread = Thread(target=_settle, args=(future, work, cancel), name="snug-work", daemon=True)
    try:
        thread.start()
        while not wait([future], _LOOK_S).done:
            pass
        return future.result()
    except BaseException:
        if not future.done():
            with undisturbed():
                cancel.cancel()
                with suppress(RuntimeError):  # it had not begun
                    thread.join(_END_S)
        raise


def _settle(future: "Future[T]", work: Callable[[CancelToken], T], cancel: CancelToken) -> None:
    try:
        future.set_result(work(cancel))
    except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
        future.set_exception(error)
