"""A request as the body that servers of the OpenAI protocol take. Pure.

What goes beyond the protocol (top_k, min_p, repeat_penalty, …) is known to llama-server, vLLM and
SGLang, and passed over by Ollama; who refuses it by name is asked again without.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.runtimes.remote.bodies import Complaint
from engine.runtimes.remote.refusals import Refusal
from engine.types.chat import Message, Role
from engine.types.generation import GenerationRequest, Sampling

_OPTIONAL = ("stream_options", "top_k", "min_p", "repeat_penalty", "repeat_last_n", "seed")
_NOT_TAKEN = (400, 422)
_TOO_LARGE = 413
_ROOM_TOKENS = 256
"""An answer with less room than this is not worth keeping the oldest messages for."""
_FILL = 0.75
_MARKS = 20
"""About as many characters as a template writes around each message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a server turned out to take. `max_tokens` is less than asked for where the context
    has no room for more; `dropped` messages, the oldest, did not fit."""

    without: frozenset[str] = field(default_factory=frozenset)
    max_tokens: int | None = None
    dropped: int = 0


def body_of(request: GenerationRequest, model: str, terms: Terms) -> Mapping[str, object]:
    """The JSON to send."""
    sampling = request.sampling
    body: dict[str, object] = {
        "model": model,
        "messages": [
            {"role": message.role.value, "content": message.content}
            for message in without_oldest(request.messages, terms.dropped)
        ],
        "stream": True,
        "max_tokens": terms.max_tokens or request.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        **_beyond(sampling, terms.without),
    }
    if request.stop:
        body["stop"] = list(request.stop)
    return body


def without_oldest(messages: Sequence[Message], dropped: int) -> tuple[Message, ...]:
    """The first message stays where it says how to behave, and the last one, which is asked."""
    system = 1 if messages and messages[0].role is Role.SYSTEM else 0
    return (*messages[:system], *messages[system + dropped :])


def _beyond(sampling: Sampling, without: Collection[str]) -> dict[str, object]:
    values: dict[str, object] = {
        "stream_options": {"include_usage": True},
        "top_k": sampling.top_k,
        "min_p": sampling.min_p,
        "repeat_penalty": sampling.repeat_penalty,
        "repeat_last_n": sampling.repeat_window_tokens,
    }
    if sampling.seed is not None:
        values["seed"] = sampling.seed
    return {name: value for name, value in values.items() if name not in without}


def other_terms(refusal: Refusal, terms: Terms, request: GenerationRequest) -> Terms | None:
    """Terms on which the same question may be answered after all; None if there are none."""
    complaint = refusal.complaint
    if complaint.too_long or refusal.status == _TOO_LARGE:
        return _shorter(complaint, terms, request.messages)
    if refusal.status not in _NOT_TAKEN:
        return None
    named = {name for name in _OPTIONAL if name in complaint.text} - terms.without
    return replace(terms, without=terms.without | named) if named else None


def _shorter(complaint: Complaint, terms: Terms, messages: Sequence[Message]) -> Terms | None:
    """A shorter answer where the question fits and leaves some room, else fewer old messages."""
    prompt, limit = complaint.prompt_tokens or 0, complaint.limit_tokens or 0
    room = limit - prompt if prompt else 0
    dropped = terms.dropped + _more_to_drop(messages, terms.dropped, prompt, limit)
    if terms.max_tokens is None and room >= (_ROOM_TOKENS if dropped > terms.dropped else 1):
        return replace(terms, max_tokens=room)
    if dropped == terms.dropped:
        return None
    return replace(terms, dropped=dropped, max_tokens=None)


def _more_to_drop(messages: Sequence[Message], dropped: int, prompt: int, limit: int) -> int:
    """How many of the oldest messages: so many that what is left takes three quarters of the
    context, or half of them where the server tells no numbers. Then it begins with a person."""
    turns = [m for m in without_oldest(messages, dropped) if m.role is not Role.SYSTEM]
    most = len(turns) - 1
    sizes = [len(message.content) + _MARKS for message in turns]
    wanted = sum(sizes) * (limit * _FILL / prompt if prompt and limit else 0.5)
    count = 0
    while count < most and (count == 0 or sum(sizes[count:]) > wanted):
        count += 1
    while count < most and turns[count].role is not Role.USER:
        count += 1
    return count
