"""How the tests talk to a real model: short names for messages, and one question at a time."""

from engine.runtimes.llamacpp.runtime import LlamaModel
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import Finished, GenerationRequest, Sampling, TextDelta

GREEDY = Sampling(temperature=0.0, repeat_penalty=1.0)
SYSTEM = Message(role=Role.SYSTEM, content="You are a helpful AI assistant.")


def user(text: str) -> Message:
    return Message(role=Role.USER, content=text)


def assistant(text: str) -> Message:
    return Message(role=Role.ASSISTANT, content=text)


def ask(model: LlamaModel, *messages: Message, max_tokens: int = 24) -> tuple[str, Finished]:
    request = GenerationRequest(messages=messages, sampling=GREEDY, max_tokens=max_tokens)
    deltas = list(model.generate(request, CancelToken()))
    finished = deltas[-1]
    assert isinstance(finished, Finished)
    return "".join(d.text for d in deltas if isinstance(d, TextDelta)), finished


def message_of(model: LlamaModel, prompt_tokens: int) -> Message:
    """A question whose whole prompt has exactly `prompt_tokens`."""
    prompts = model._session._prompts
    empty = len(prompts.encode((SYSTEM, user("a"))))
    message = user("a" + " a" * (prompt_tokens - empty))
    assert len(prompts.encode((SYSTEM, message))) == prompt_tokens
    return message
