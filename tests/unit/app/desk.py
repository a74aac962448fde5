"""A container as a test sits before it: it asks, and reads the events that come."""

from collections.abc import Callable
from queue import Empty, Queue
from typing import TypeVar

from app.container import Container
from app.events import Event, ReplyEnded

WAIT_S = 10
E = TypeVar("E")


class Desk:
    """A container, and the events it publishes."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self.chat = container.chat
        self.events: Queue[Event] = Queue()
        container.events.subscribe(self.events.put)

    def until(self, kind: type[E]) -> E:
        while not isinstance(event := self.events.get(timeout=WAIT_S), kind):
            pass
        return event

    def until_then(
        self, kind: type[E], wanted: Callable[[E], bool] = lambda _: True
    ) -> list[Event]:
        """Everything up to the first wanted event, with it."""
        found: list[Event] = []
        while True:
            found.append(event := self.events.get(timeout=WAIT_S))
            if isinstance(event, kind) and wanted(event):
                return found

    def until_answered(self) -> ReplyEnded:
        return self.until(ReplyEnded)

    def seen(self) -> list[Event]:
        found: list[Event] = []
        while True:
            try:
                found.append(self.events.get_nowait())
            except Empty:
                return found
