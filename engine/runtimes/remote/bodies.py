"""The JSON that servers send, whatever is in it: their lists of models and their errors. Pure."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_MOST_CHARACTERS = 300
_MOST_READ = 2000
"""Characters of a message; the patterns below would take seconds over a long one."""
_DEEPEST = 20
_UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")
"""A terminal would obey some of them, and the others would show something else than is there."""
HALVES = re.compile("[\ud800-\udfff]")
"""Half a character in JSON; it can be neither stored nor shown."""
_LIMIT = r"(?:maximum context length|context size|context length)\D{0,40}?(\d+)"
_LIMITS = (re.compile(_LIMIT, re.IGNORECASE), re.compile(r"context window of (\d+)"))
_PROMPTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\((\d+) in the (?:messages|prompt)",  # OpenAI, vLLM, llama-cpp-python
        r"request has (\d+) input tokens",  # vLLM
        r"prompt contains at least (\d+) input tokens",
        r"request \((\d+) tokens\)",  # llama-server
        r"input \((\d+) tokens\)",  # SGLang
        r"requested tokens \((\d+)\)",
        r"requested (?:a total of )?(\d+) tokens",
    )
)
_TOO_LONG = re.compile(
    r"context.?(?:length|size|window)|exceed_context|too many tokens|input is too long",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model\W.{0,200}?(?:not found|does not exist|not exist|not available|unknown)|model_not_found"
    r"|no such model|unknown model",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What a server says went wrong. The numbers are None where it does not tell them."""

    text: str = ""
    too_long: bool = False
    no_model: bool = False
    prompt_tokens: int | None = None
    limit_tokens: int | None = None


def parsed(body: bytes) -> Any:
    """The JSON in `body`, None where it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def models_in(value: Any) -> tuple[str, ...] | None:
    """The names in an answer to GET /models; None for something else than a list of models.

    {"data": [{"id": …}]} is usual, null for an empty list is Ollama's.
    """
    if not isinstance(value, dict) or not ({"data", "models"} & value.keys()):
        return None
    entries = value.get("data") or value.get("models") or []
    if not isinstance(entries, list):
        return None
    names = (plain(_name_of(entry)) for entry in entries)
    return tuple(dict.fromkeys(name for name in names if name))


def _name_of(entry: Any) -> str:
    if isinstance(entry, dict):
        entry = entry.get("id") or entry.get("model") or entry.get("name")
    return entry if isinstance(entry, str) else ""


def has_model(names: tuple[str, ...], wanted: str) -> bool:
    """Ollama calls a model without a tag its latest."""
    return wanted in names or f"{wanted}:latest" in names


def plain(text: str) -> str:
    """What may be shown anywhere, in one line."""
    return HALVES.sub("\ufffd", _UNSHOWN.sub(" ", text)).strip()


def _as_it_is(text: str) -> str:
    return text


def complaint_in(value: Any, hide_key: Callable[[str], str] = _as_it_is) -> Complaint | None:
    """The error in a JSON answer or event, without the key; None where there is none.

    OpenAI, llama-server and Ollama say {"error": {"message": …}}; older vLLM and SGLang
    {"object": "error", "message": …}; FastAPI {"detail": …}; others {"error": "…"}.
    """
    if not isinstance(value, dict):
        return None
    inner = value.get("error")
    if inner is None:
        inner = value if value.get("object") == "error" else value.get("detail")
    if inner is None:
        return None
    return _complaint(_hidden(inner, hide_key))


def _hidden(value: Any, hide_key: Callable[[str], str], depth: int = 0) -> Any:
    """The same with the key hidden wherever there is text, before anything is cut."""
    if isinstance(value, str):
        return hide_key(value)
    if depth == _DEEPEST:
        return None
    if isinstance(value, list):
        return [_hidden(item, hide_key, depth + 1) for item in value]
    if isinstance(value, dict):
        return {hide_key(name): _hidden(item, hide_key, depth + 1) for name, item in value.items()}
    return value


def _complaint(inner: Any) -> Complaint:
    fields = inner if isinstance(inner, dict) else {"message": inner}
    message = _text(fields.get("message"))
    signs = " ".join((message, _text(fields.get("code")), _text(fields.get("type"))))
    return Complaint(
        text=message[:_MOST_CHARACTERS] or _text(inner)[:_MOST_CHARACTERS],
        too_long=_TOO_LONG.search(signs) is not None,
        no_model=_NO_MODEL.search(signs) is not None,
        prompt_tokens=_whole(fields.get("n_prompt_tokens")) or _first(_PROMPTS, message),
        limit_tokens=_whole(fields.get("n_ctx")) or _first(_LIMITS, message),
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return plain(text[:_MOST_READ])


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> int | None:
    found = (pattern.search(text) for pattern in patterns)
    return next((int(match[1][:18]) for match in found if match), None)
