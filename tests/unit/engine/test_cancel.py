"""The cancel token: what is registered is called once, and never after it was taken back."""

from threading import Event, Thread

from engine.types.cancel import CancelToken


def test_forget_waits_for_a_callback_that_is_running() -> None:
    """A callback that came later would stop the next reply instead of this one."""
    token, entered, go_on, forgotten = CancelToken(), Event(), Event(), Event()

    def callback() -> None:
        entered.set()
        assert go_on.wait(5)

    def forget() -> None:
        token.forget(callback)
        forgotten.set()

    token.on_cancel(callback)
    threads = [Thread(target=token.cancel), Thread(target=forget)]
    threads[0].start()
    assert entered.wait(5)
    threads[1].start()
    assert not forgotten.wait(0.1)
    go_on.set()
    assert forgotten.wait(5)
    for thread in threads:
        thread.join(5)


def test_a_callback_is_called_once_at_once_or_not_at_all() -> None:
    token = CancelToken()
    called: list[str] = []

    def early() -> None:
        called.append("early")

    def dropped() -> None:
        called.append("dropped")

    token.on_cancel(early)
    token.on_cancel(dropped)
    token.forget(dropped)
    token.cancel()
    token.cancel()
    token.on_cancel(lambda: called.append("late"))
    assert token.cancelled
    assert called == ["early", "late"]
