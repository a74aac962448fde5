"""`snug bench`: the speed of our whole path as a ratio to llama.cpp alone, in the same run.

Both answer the same long prompt over the same file, in turn, so that a machine that slows down
slows both. Then ten turns of a chat show how much is evaluated again.
"""

import argparse
import json
from statistics import median
from typing import TYPE_CHECKING

from app import logs
from app.cli import answers
from app.cli.words import say
from app.fitting import local_runtime, record
from app.models import choose
from engine.hardware.probe import read_report
from engine.keeper.plain import PlainKeeper
from engine.keeper.processor import prove_processor
from engine.planner.threads import threads_for
from engine.ports import GenerationEvent, Keeper
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import Finished, GenerationRequest, Sampling, TextDelta

if TYPE_CHECKING:
    from engine.runtimes.llamacpp.bare import Pair

_NEW_TOKENS = 64
_TURNS = 10
_SAMPLING = Sampling(temperature=0.7, seed=1)
_LONG_QUESTION = "Tell the story of the sea, the wind and the lighthouse. " * 30
_SHORT_QUESTIONS = tuple(f"And what happened on day {day}?" for day in range(2, 2 + _TURNS))


def run(arguments: argparse.Namespace) -> int:
    from engine.runtimes.llamacpp.bare import Pair, PairedRuntime  # noqa: PLC0415 - heavy

    logs.start(arguments.paths)
    prove_processor(record(arguments.paths), CancelToken())
    choice = choose(arguments.paths, arguments.model, arguments.context)
    pairs: list[Pair] = []
    threads = threads_for(read_report().cpu)
    with answers.closing(PlainKeeper(lambda: PairedRuntime(pairs), threads)) as keeper:
        info = answers.load(keeper, choice.request)
        for index in range(int(arguments.rounds) + 1):
            _ask(keeper, f"{index}. {_LONG_QUESTION}", _NEW_TOKENS)
    with answers.closing(PlainKeeper(local_runtime, threads)) as keeper:
        answers.load(keeper, choice.request)
        reuse = _reuse(keeper)
    result = {
        "model": info.name,
        "backend": info.backend,
        "threads": threads,
        "load_ms": round(info.load_ms, 1),
        **_summary(pairs[1:]),  # the first one only warms up
        "reuse_turn_10": round(reuse, 3),
    }
    if arguments.json:
        say(json.dumps(result, ensure_ascii=False))
        return 0
    for name, value in result.items():
        say(f"{name.replace('_', ' '):24} {value}")
    return 0


def _summary(pairs: "list[Pair]") -> dict[str, float]:
    return {
        "prompt_tokens_per_s": round(median(p.ours.prompt for p in pairs), 1),
        "bare_prompt_tokens_per_s": round(median(p.bare.prompt for p in pairs), 1),
        "prompt_ratio": round(median(p.ours.prompt / p.bare.prompt for p in pairs), 3),
        "decode_tokens_per_s": round(median(p.ours.decode for p in pairs), 1),
        "bare_decode_tokens_per_s": round(median(p.bare.decode for p in pairs), 1),
        "decode_ratio": round(median(p.ours.decode / p.bare.decode for p in pairs), 3),
    }


def _ask(keeper: Keeper, text: str, max_tokens: int) -> Finished:
    request = GenerationRequest(
        messages=(Message(role=Role.USER, content=text),),
        sampling=_SAMPLING,
        max_tokens=max_tokens,
    )
    return answers.generate(keeper, request, lambda _event: None)


def _reuse(keeper: Keeper) -> float:
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
        stats = answers.generate(keeper, request, follow).stats
        evaluated = stats.prompt_tokens - stats.cached_tokens
        new = stats.prompt_tokens - known
        known = stats.prompt_tokens + stats.generated_tokens
        messages.append(Message(role=Role.ASSISTANT, content="".join(pieces)))
    return evaluated / new
