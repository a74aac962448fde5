"""A door whose patience, switch and cancel a test holds, and servers for it to ask."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from engine.net.door import Door
from engine.net.exchange import Exchange
from engine.net.requests import Patience, Request
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from tests.servers.odd import Line, Odd, Script

MIB = 1 << 20
SHORT = Patience(connect_s=0.4, first_s=0.4, silence_s=0.4)
Serve = Callable[[Script], Odd]


@dataclass(slots=True, kw_only=True)
class World:
    """`records` is the ledger."""

    records: list[Connection] = field(default_factory=list)
    cancel: CancelToken = field(default_factory=CancelToken)
    offline: threading.Event = field(default_factory=threading.Event)
    patience: Patience | None = None
    door: Door | None = None

    def ask(self, address: str, **more: object) -> Exchange:
        self.door = Door(self.offline.is_set, self.records.append, patience=self.patience)
        given = {"purpose": Purpose.DOWNLOAD, "address": address, "path": "/x", **more}
        return self.door.ask(Request(**given), self.cancel)  # type: ignore[arg-type]

    def turn_the_switch(self) -> None:
        self.offline.set()
        if self.door is not None:
            self.door.end_all()

    @property
    def record(self) -> Connection:
        """The only one."""
        [record] = self.records
        return record


def sends(*parts: bytes, length: int | None = None, **headers: str) -> Script:
    def script(line: Line) -> None:
        if length is not None:
            headers["Content_Length"] = str(length)
        line.head(200, "application/octet-stream", **headers)
        for part in parts:
            line.send(part)

    return script


def floods(line: Line) -> None:
    line.head(200, Content_Length=str(1 << 40))
    with suppress(OSError):
        while not line.closing.is_set():
            line.send(b"x" * MIB)


def drips(data: bytes, every_s: float) -> Script:
    def script(line: Line) -> None:
        with suppress(OSError):
            for at in range(len(data)):
                line.send(data[at : at + 1])
                if line.closing.wait(every_s):
                    return

    return script


def wait_for_quiet() -> None:
    """Until no request has a thread any more."""
    deadline_s = time.monotonic() + 5
    while any(thread.name == "snug-net" for thread in threading.enumerate()):
        assert time.monotonic() < deadline_s
        time.sleep(0.005)
