"""`snug bench`: the speed of our whole path as a ratio to llama.cpp alone, in the same run.

Both answer the same long prompt over the same file, in turn, so that a machine that slows down
slows both. Then ten turns of a chat show how much is evaluated again.
"""

import argparse
import json
from dataclasses import dataclass
from statistics import median

from app import logs
from app.cli import answers
from app.cli.words import note, say
from app.models import ModelChoice, choose
from engine.host import InProcessHost
from engine.ports import GenerationEvent
from engine.types.chat import Message, Role
from engine.types.generation import Finished, GenerationRequest, Sampling, TextDelta

_NEW_TOKENS = 96
_TURNS = 10
_SAMPLING = Sampling(temperature=0.7, seed=1)
_LONG_QUESTION = "Tell the story of the sea, the wind and the lighthouse. " * 60
_SHORT_QUESTIONS = tuple(f"And what happened on day {day}?" for day in range(2, 2 + _TURNS))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    prompt: float
    decode: float
    bare_prompt: float
    bare_decode: float


def run(arguments: argparse.Namespace) -> int:
    logs.start(arguments.paths)
    choice = choose(arguments.paths, arguments.model, arguments.context)
    with answers.open_host() as host:
        info = answers.load(host, choice.spec)
        rounds = _rounds(host, choice, int(arguments.rounds))
        reuse = _reuse(host)
    result = {
        "model": info.name,
        "backend": info.backend,
        "threads": choice.spec.threads,
        "load_ms": round(info.load_ms, 1),
        **_summary(rounds),
        "reuse_turn_10": round(reuse, 3),
    }
    if arguments.json:
        say(json.dumps(result, ensure_ascii=False))
        return 0
    for name, value in result.items():
        say(f"{name.replace('_', ' '):24} {value}")
    return 0


def _rounds(host: InProcessHost, choice: ModelChoice, count: int) -> list[_Round]:
    from engine.runtimes.llamacpp.bare import BareLoop  # noqa: PLC0415 - loads the native library

    bare = BareLoop(choice.spec)
    rounds: list[_Round] = []
    for index in range(count + 1):
        finished = _ask(host, f"{index}. {_LONG_QUESTION}", _NEW_TOKENS)
        stats = finished.stats
        evaluated = stats.prompt_tokens - stats.cached_tokens
        speeds = bare.run([1] * evaluated, _NEW_TOKENS, _SAMPLING)
        rounds.append(
            _Round(
                prompt=evaluated / stats.prompt_ms * 1000,
                decode=stats.generated_tokens / stats.generation_ms * 1000,
                bare_prompt=speeds.prompt,
                bare_decode=speeds.decode,
            )
        )
        note(f"round {index}: {rounds[-1].decode:.1f} of {speeds.decode:.1f} tokens a second")
    bare.close()
    return rounds[1:]  # the first one only warms up


def _summary(rounds: list[_Round]) -> dict[str, float]:
    return {
        "prompt_tokens_per_s": round(median(r.prompt for r in rounds), 1),
        "bare_prompt_tokens_per_s": round(median(r.bare_prompt for r in rounds), 1),
        "prompt_ratio": round(median(r.prompt / r.bare_prompt for r in rounds), 3),
        "decode_tokens_per_s": round(median(r.decode for r in rounds), 1),
        "bare_decode_tokens_per_s": round(median(r.bare_decode for r in rounds), 1),
        "decode_ratio": round(median(r.decode / r.bare_decode for r in rounds), 3),
    }


def _ask(host: InProcessHost, text: str, max_tokens: int) -> Finished:
    request = GenerationRequest(
        messages=(Message(role=Role.USER, content=text),),
        sampling=_SAMPLING,
        max_tokens=max_tokens,
    )
    return answers.generate(host, request, lambda _event: None)


def _reuse(host: InProcessHost) -> float:
    """What the last of ten turns evaluated, as a ratio to its new tokens."""
    messages: list[Message] = []
    known = evaluated = new = 0
    for question in _SHORT_QUESTIONS:
        messages.append(Message(role=Role.USER, content=question))
        pieces: list[str] = []

        def follow(event: GenerationEvent, pieces: list[str] = pieces) -> None:
            if isinstance(event, TextDelta):
                pieces.append(event.text)

        request = GenerationRequest(messages=tuple(messages), sampling=_SAMPLING, max_tokens=60)
        stats = answers.generate(host, request, follow).stats
        evaluated = stats.prompt_tokens - stats.cached_tokens
        new = stats.prompt_tokens - known
        known = stats.prompt_tokens + stats.generated_tokens
        messages.append(Message(role=Role.ASSISTANT, content="".join(pieces)))
    return evaluated / new
