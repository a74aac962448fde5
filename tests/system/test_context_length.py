"""Around the length of the context nothing dies, and what is left out is told."""

import time
from pathlib import Path

import pytest

from engine.errors import PromptTooLong
from engine.runtimes.llamacpp.runtime import LlamaRuntime
from engine.types.cancel import CancelToken
from engine.types.chat import Message
from engine.types.generation import (
    ContextTrimmed,
    Finished,
    FinishReason,
    GenerationRequest,
    Sampling,
)
from engine.types.models import LoadSpec
from engine.types.plans import Layout
from tests.system.conftest import Open
from tests.system.talk import GREEDY, SYSTEM, ask, assistant, message_of, user

pytestmark = [pytest.mark.model, pytest.mark.serial]


@pytest.mark.parametrize("which", ["starter_model", "gemma_model"])
@pytest.mark.parametrize("difference", [-2, -1, 0, 1, 2, 300, 3000])
def test_nothing_dies_around_the_context_length(
    open_model: Open, which: str, difference: int, request: pytest.FixtureRequest
) -> None:
    model = open_model(request.getfixturevalue(which), 512)
    length = model._session._context.length
    message = message_of(model, length + difference)
    if difference <= -1:
        _, finished = ask(model, SYSTEM, message, max_tokens=1)
        assert finished.stats.prompt_tokens == length + difference
    else:
        with pytest.raises(PromptTooLong) as caught:
            ask(model, SYSTEM, message, max_tokens=1)
        assert caught.value.prompt_tokens == length + difference
    text, _ = ask(model, SYSTEM, user("Hello"))
    assert text


def test_a_reply_that_meets_the_end_of_the_context_ends_there(
    open_model: Open, starter_model: Path
) -> None:
    model = open_model(starter_model, 512)
    length = model._session._context.length
    message = message_of(model, length - length // 4)
    request = GenerationRequest(
        messages=(SYSTEM, message),
        sampling=Sampling(temperature=0.0, repeat_penalty=1.0),
        max_tokens=10_000,
    )
    finished = list(model.generate(request, CancelToken()))[-1]
    assert isinstance(finished, Finished)
    assert finished.reason in (FinishReason.CONTEXT, FinishReason.STOP)
    assert len(model._session._context.tokens) <= length
    assert ask(model, SYSTEM, user("Hello"))[0]


def test_a_long_conversation_keeps_the_system_prompt_and_the_newest_turns(
    open_model: Open, starter_model: Path
) -> None:
    model = open_model(starter_model, 512)
    turns: list[Message] = []
    for number in range(30):
        turns += [user(f"Fact {number}: " + "word " * 30), assistant("Noted.")]
    request = GenerationRequest(
        messages=(SYSTEM, *turns, user("What is the capital of France?")),
        sampling=GREEDY,
        max_tokens=24,
    )
    deltas = list(model.generate(request, CancelToken()))
    trimmed = deltas[0]
    assert isinstance(trimmed, ContextTrimmed)
    assert 0 < trimmed.dropped_messages < len(turns)
    shown = model._session._prompts._vocabulary
    held = b"".join(shown.piece(token) for token in model._session._context.tokens).decode()
    assert SYSTEM.content in held
    assert "Fact 29" in held
    assert "Fact 0:" not in held
    more = (SYSTEM, *turns, user("What is the capital of France?"), assistant("Paris."))
    _, finished = ask(model, *more, user("And of Italy?"))
    assert finished.stats.cached_tokens > finished.stats.prompt_tokens // 2


@pytest.mark.parametrize("context_length", [1, 2, 200, 255, 257])
def test_odd_context_lengths_answer(starter_model: Path, context_length: int) -> None:
    spec = LoadSpec(path=starter_model, layout=Layout(context_length=context_length, threads=2))
    model = LlamaRuntime().load(spec, lambda _: None, CancelToken())
    message = message_of(model, model._session._context.length - 2)
    _, finished = ask(model, SYSTEM, message, max_tokens=1)
    assert finished.stats.generated_tokens <= 1
    assert ask(model, SYSTEM, user("Hello"))[0]
    model.close()


def test_going_on_with_a_reply_that_filled_the_context_works(
    open_model: Open, starter_model: Path
) -> None:
    model = open_model(starter_model, 512)
    length = model._session._context.length
    begun = "The sea is deep and blue. " * (length // 4)
    _text, finished = ask(model, SYSTEM, user("Tell me of the sea."), assistant(begun))
    assert finished.stats.prompt_tokens < length
    assert finished.stats.generated_tokens > 0


def test_amessage_of_two_megabytes_is_refused_quickly(
    open_model: Open, starter_model: Path
) -> None:
    model = open_model(starter_model, 2048)
    huge = user("word " * 400_000)
    started = time.perf_counter()
    with pytest.raises(PromptTooLong):
        ask(model, SYSTEM, huge)
    text, _ = ask(model, SYSTEM, huge, assistant("That was long."), user("Say hello."))
    assert text
    assert time.perf_counter() - started < 30  # 12 s and more when all of it was tokenized
