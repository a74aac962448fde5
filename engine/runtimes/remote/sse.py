"""Server-sent events, from bytes cut anywhere. Pure.

https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream, of which
only the data and the event's name matter here.
"""

import re
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"
LIMIT_BYTES = 1 << 20
"""Of one event; a line that does not end would fill the memory."""


class EventTooLong(ValueError):
    """More than `LIMIT_BYTES` without the end of an event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEvent:
    data: str
    name: str = ""


class EventStream:
    """Push what arrives, get the events that are complete. The cuts make no difference."""

    __slots__ = ("_begun", "_data", "_line", "_name", "_size")

    def __init__(self) -> None:
        self._line = bytearray()
        """What came of a line that has not ended."""
        self._data: list[bytes] = []
        self._name = b""
        self._size = 0
        self._begun = False

    def push(self, chunk: bytes) -> list[ServerEvent]:
        """Raises `EventTooLong`."""
        searched = max(len(self._line) - 1, 0)  # a carriage return may have waited for its feed
        self._line += chunk
        events = self._take(searched, final=False)
        if len(self._line) + self._size > LIMIT_BYTES:
            raise EventTooLong
        return events

    def flush(self) -> list[ServerEvent]:
        """The stream has ended. What is complete but for its empty line counts too: some servers
        leave that out at the end; a line that was cut is a part of the data."""
        events = self._take(0, final=True)
        if self._line:
            self._field(bytes(self._line))
            self._line.clear()
        return events + self._dispatch()

    def _take(self, searched: int, *, final: bool) -> list[ServerEvent]:
        events: list[ServerEvent] = []
        start = 0
        while end := _LINE_END.search(self._line, max(start, searched)):
            if end.end() == len(self._line) and end[0] == b"\r" and not final:
                break  # its line feed may follow
            events += self._take_line(bytes(self._line[start : end.start()]))
            start = end.end()
        del self._line[:start]
        return events

    def _take_line(self, line: bytes) -> list[ServerEvent]:
        if not self._begun:
            self._begun, line = True, line.removeprefix(_BOM)
        if not line:
            return self._dispatch()
        self._field(line)
        return []

    def _field(self, line: bytes) -> None:
        """A line that begins with a colon is a comment: its field has no name."""
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
            self._size += len(value) + 1
        elif name == b"event":
            self._name = value

    def _dispatch(self) -> list[ServerEvent]:
        data, name = self._data, self._name
        self._data, self._name, self._size = [], b"", 0
        if not data:
            return []
        text = b"\n".join(data).decode("utf-8", "replace")
        return [ServerEvent(data=text, name=name.decode("utf-8", "replace"))]
