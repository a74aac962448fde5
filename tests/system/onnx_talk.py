"""How the tests talk to the tiny ONNX model: short names, and one question at a time."""

from functools import partial
from pathlib import Path

from engine.runtimes.onnx.runtime import OnnxModel, OnnxRuntime
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import (
    Finished,
    GenerationRequest,
    Sampling,
    TextDelta,
)
from engine.types.models import LoadSpec
from engine.types.plans import Layout
from tests.onnx_model import TINY_ONNX

GREEDY = Sampling(temperature=0.0, repeat_penalty=1.0)


def message(role: Role, text: str) -> Message:
    return Message(role=role, content=text)


user, assistant = partial(message, Role.USER), partial(message, Role.ASSISTANT)
SYSTEM = message(Role.SYSTEM, "You are brief.")


def spec_for(context_length: int = 2048, path: Path = TINY_ONNX) -> LoadSpec:
    """One thread: on a busy machine two spend their time waiting for each other."""
    return LoadSpec(path=path, layout=Layout(context_length=context_length, threads=1))


def load(context_length: int = 2048) -> OnnxModel:
    return OnnxRuntime().load(spec_for(context_length), lambda _: None, CancelToken())


def ask(
    model: OnnxModel, *messages: Message, max_tokens: int = 40, sampling: Sampling = GREEDY
) -> tuple[str, Finished]:
    request = GenerationRequest(messages=messages, sampling=sampling, max_tokens=max_tokens)
    deltas = list(model.generate(request, CancelToken()))
    finished = deltas[-1]
    assert isinstance(finished, Finished)
    return "".join(d.text for d in deltas if isinstance(d, TextDelta)), finished
