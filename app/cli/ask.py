"""`snug ask`: one question, one answer. Nothing is kept."""

import argparse
import json
import locale
import os
import sys
from dataclasses import replace

from app import logs
from app.cli import answers
from app.cli.remote import answers_from
from app.cli.words import UsageMistake, note, notice, say
from app.ledger import Ledger
from app.models import ModelChoice, ModelService, nowhere
from app.remote import remote_service
from app.settings import Settings
from app.usage import Usage
from engine.ports import GenerationEvent
from engine.types.chat import Message, Role
from engine.types.generation import Finished, GenerationRequest, Sampling, TextDelta
from engine.types.models import LoadedInfo

MAX_TOKENS = 1024


def run(arguments: argparse.Namespace) -> int:
    logs.start(arguments.paths)
    paths = arguments.paths
    remote = remote_service(Settings(paths.settings), Ledger(paths.ledger))
    source = remote.current if arguments.model is None else nowhere
    models = ModelService(paths, arguments.model, arguments.context, remote=source)
    if arguments.anyway:
        models.load_anyway()
    choice = models.choose()
    tell_fallback(models)
    pieces: list[str] = []

    def follow(event: GenerationEvent) -> None:
        if isinstance(event, TextDelta):
            pieces.append(event.text)
            if not arguments.json:
                say(event.text, end="")

    with answers.open_keeper(paths, models, remote) as keeper:
        info = answers.load(keeper, replace(choice.request, by_person=True, retry=arguments.anyway))
        tell_loaded(info, arguments.context)
        finished = answers.generate(keeper, _request(arguments, choice), follow)
    if info.spec.remote is None:
        Usage(paths.usage).answered(info.spec.path)
    if arguments.json:
        say(json.dumps(_result("".join(pieces), finished, info), ensure_ascii=False))
    else:
        say("")
    return 0


def tell_fallback(models: ModelService) -> None:
    """That another model answers than the one that was chosen."""
    if (gone := models.fell_back) is not None:
        note(f"The model you chose is no longer there ({gone}), so the starter answers.")


def tell_loaded(info: LoadedInfo, wanted_context: int | None) -> None:
    """What a person should know before the first answer."""
    if info.spec.remote is not None:
        note(answers_from(info.spec.remote.address))
        return
    for code in info.notices:
        note(notice(code))
    context = info.spec.layout.context_length
    if wanted_context is not None and context < wanted_context:
        note(f"Memory for {wanted_context} tokens is not free: the model can hold {context}.")


def _request(arguments: argparse.Namespace, choice: ModelChoice) -> GenerationRequest:
    text = _read() if arguments.text == "-" else _as_typed(arguments.text)
    system = choice.system if arguments.system is None else _as_typed(arguments.system)
    messages = [Message(role=Role.USER, content=text)]
    if system:
        messages.insert(0, Message(role=Role.SYSTEM, content=system))
    return GenerationRequest(
        messages=tuple(messages),
        sampling=_sampling(arguments, choice.sampling),
        max_tokens=arguments.max_tokens,
    )


def _as_typed(text: str) -> str:
    """The frozen program takes arguments for UTF-8, as it does names of files; a terminal may be
    set to GBK."""
    if sys.platform == "win32":
        return text
    typed = os.fsencode(text)
    try:
        return typed.decode(locale.getencoding())
    except (UnicodeDecodeError, LookupError):
        return typed.decode("utf-8", "replace")


def _read() -> str:
    """The question from standard input, whatever encoding the terminal claims."""
    if sys.stdin is None:
        raise UsageMistake("there is no standard input to read the question from")
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _sampling(arguments: argparse.Namespace, default: Sampling) -> Sampling:
    temperature = arguments.temperature
    return replace(
        default,
        seed=arguments.seed,
        temperature=default.temperature if temperature is None else temperature,
    )


def _result(text: str, finished: Finished, info: LoadedInfo) -> dict[str, object]:
    stats = finished.stats
    return {
        "text": text,
        "finish_reason": finished.reason,
        "prompt_tokens": stats.prompt_tokens,
        "cached_tokens": stats.cached_tokens,
        "generated_tokens": stats.generated_tokens,
        "load_ms": round(info.load_ms, 1),
        "prompt_ms": round(stats.prompt_ms, 1),
        "generation_ms": round(stats.generation_ms, 1),
        "backend": info.backend,
        "context": info.spec.layout.context_length,
        "model": info.name,
        "notices": list(info.notices),
        **({"address": remote.address} if (remote := info.spec.remote) else {}),
    }
