"""A reply out of the events of its stream: text, thoughts, the reason of its end, and numbers."""

from collections.abc import Callable, Iterator
from typing import Any

from engine.errors import ServerIncomprehensible
from engine.runtimes.remote.bodies import HALVES, complaint_in, parsed
from engine.runtimes.remote.refusals import failure_in_stream
from engine.runtimes.remote.sse import ServerEvent
from engine.types.generation import (
    Delta,
    FinishReason,
    GenerationStats,
    ReasoningDelta,
    TextDelta,
)

_DONE = "[DONE]"
_THOUGHTS = ("reasoning_content", "reasoning")


class Reply:
    """One reply while it comes in. `done`: nothing more will come."""

    def __init__(
        self, address: str, clock: Callable[[], float], hide_key: Callable[[str], str]
    ) -> None:
        self._address = address
        self._clock = clock
        self._hide_key = hide_key
        self._began_s = clock()
        self._first_s = 0.0
        self._last_s = 0.0
        self._pieces = 0
        self._usage: dict[str, Any] = {}
        self.seen = False
        """Something came that belongs to the protocol."""
        self.fills_context = False
        """It was given all the room that the question left."""
        self.reason: FinishReason | None = None
        self.done = False

    def take(self, event: ServerEvent) -> Iterator[Delta]:
        """Raises an `EngineError` for an event that tells of one, or makes no sense."""
        if event.data.strip() == _DONE:
            self.seen = self.done = True
            return
        value = parsed(event.data.encode("utf-8", "replace"))
        if not isinstance(value, dict):
            raise ServerIncomprehensible(self._address, "an event that is no JSON object")
        yield from self.take_value(value, "delta")

    def take_value(self, value: dict[str, Any], field: str) -> Iterator[Delta]:
        """`field` holds the text: the "delta" of an event, the "message" of a whole answer."""
        complaint = complaint_in(value, self._hide_key)
        if complaint is not None:
            raise failure_in_stream(complaint, self._address)
        if isinstance(usage := value.get("usage"), dict):
            self._usage = usage
        choices = value.get("choices")
        if not isinstance(choices, list):
            return
        self.seen = True
        if choices and isinstance(choices[0], dict):
            yield from self._take_choice(choices[0], field)

    def _take_choice(self, choice: dict[str, Any], field: str) -> Iterator[Delta]:
        delta = choice.get(field)
        if isinstance(delta, dict):
            yield from self._take_delta(delta)
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self.reason = self._reason(reason)

    def _reason(self, said: str) -> FinishReason:
        """Every other one than "length" is the model's own end, or the server's."""
        if said != "length":
            return FinishReason.STOP
        return FinishReason.CONTEXT if self.fills_context else FinishReason.LENGTH

    def _take_delta(self, delta: dict[str, Any]) -> Iterator[Delta]:
        thoughts = next((text for name in _THOUGHTS if (text := _text(delta.get(name)))), "")
        if thoughts:
            self._count()
            yield ReasoningDelta(text=thoughts)
        if text := _text(delta.get("content")):
            self._count()
            yield TextDelta(text=text)

    def _count(self) -> None:
        self._last_s = self._clock()
        self._first_s = self._first_s or self._last_s
        self._pieces += 1

    def stats(self) -> GenerationStats:
        """Tokens as the server counts them; where it does not, its pieces, which mostly are one
        token each."""
        first_s = self._first_s or self._clock()
        details = self._usage.get("prompt_tokens_details")
        return GenerationStats(
            prompt_tokens=_count_in(self._usage, "prompt_tokens"),
            cached_tokens=_count_in(details if isinstance(details, dict) else {}, "cached_tokens"),
            generated_tokens=_count_in(self._usage, "completion_tokens") or self._pieces,
            prompt_ms=(first_s - self._began_s) * 1000,
            generation_ms=max(self._last_s - first_s, 0.0) * 1000,
        )


def is_whole(event: ServerEvent) -> bool:
    """Whether the last event of a stream, which was never ended, is all there."""
    return event.data.strip() == _DONE or parsed(event.data.encode("utf-8", "replace")) is not None


def _text(value: Any) -> str:
    return HALVES.sub("\ufffd", value) if isinstance(value, str) else ""


def _count_in(fields: dict[str, Any], name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) and value > 0 else 0
