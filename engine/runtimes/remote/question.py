"""A request as the body that servers of the OpenAI protocol take. Pure.

What goes beyond the protocol (top_k, min_p, repeat_penalty, …) is known to llama-server, vLLM and
SGLang, and passed over by Ollama; who refuses it by name is asked again without.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from engine.runtimes.remote.bodies import Complaint
from engine.runtimes.remote.refusals import Refusal
from engine.types.generation import GenerationRequest, Sampling

_OPTIONAL = ("stream_options", "top_k", "min_p", "repeat_penalty", "repeat_last_n", "seed")
_NOT_TAKEN = (400, 422)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a server turned out to take. `max_tokens` is less than asked for where the context
    has no room for more."""

    without: frozenset[str] = field(default_factory=frozenset)
    max_tokens: int | None = None


def body_of(request: GenerationRequest, model: str, terms: Terms) -> Mapping[str, object]:
    """The JSON to send."""
    sampling = request.sampling
    body: dict[str, object] = {
        "model": model,
        "messages": [
            {"role": message.role.value, "content": message.content} for message in request.messages
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


def other_terms(refusal: Refusal, terms: Terms) -> Terms | None:
    """Terms on which the same question may be answered after all; None if there are none."""
    complaint = refusal.complaint
    if refusal.status not in _NOT_TAKEN:
        return None
    if complaint.too_long:
        return _shorter(complaint, terms)
    named = {name for name in _OPTIONAL if name in complaint.text} - terms.without
    if not named:
        return None
    return Terms(without=terms.without | named, max_tokens=terms.max_tokens)


def _shorter(complaint: Complaint, terms: Terms) -> Terms | None:
    """The question fits, but not with so long an answer: then a shorter one, once."""
    prompt, limit = complaint.prompt_tokens, complaint.limit_tokens
    if terms.max_tokens is not None or not prompt or not limit or prompt >= limit:
        return None
    return Terms(without=terms.without, max_tokens=limit - prompt)
