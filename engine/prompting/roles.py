"""Brings a conversation into an order that every chat template accepts.

Failed, stopped and deleted replies leave conversations that strict templates reject, and would
brick them. Pure; no word of the person or the model is lost, and a prefix of the conversation
stays a prefix after it, so that the KV cache keeps fitting.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from engine.types.chat import Message, Role

_NOTHING_SAID = "…"
"""Content of a user turn that a template needs and nobody wrote; templates drop empty ones."""


def normalise(
    messages: Sequence[Message], *, supports_system: bool, needs_alternation: bool
) -> tuple[Message, ...]:
    """At most one system message, at the start; then turns of which the last is a user's.

    - Leading system messages are merged. Without `supports_system` they open the first user
      turn.
    - A later system message opens the user turn that follows it: templates want it at the
      beginning, but moving it there would change what was already said.
    - Empty replies are dropped, empty system messages too.
    - With `needs_alternation` user and assistant turns alternate, beginning with a user's: runs
      of one role are merged, and a conversation that opens with a reply gets a user turn first.
    - A conversation without a user turn, or with a reply as its last turn, is given one.
    """
    said = [message for message in messages if message.role is Role.USER or message.content.strip()]
    leading = list(takewhile(_is_system, said))
    system = _merged(leading)
    turns = _with_instructions_in_user_turns(said[len(leading) :])
    if system and not supports_system:
        turns, system = _opened_with(system[0].content, turns), ()
    if needs_alternation:
        turns = _alternating(turns)
    return (*system, *_ending_with_user(turns))


def _is_system(message: Message) -> bool:
    return message.role is Role.SYSTEM


def _merged(run: Iterable[Message]) -> tuple[Message, ...]:
    """One message out of messages of one role, or none out of none."""
    turns = tuple(run)
    content = _joined(*(turn.content for turn in turns))
    return tuple(replace(turn, content=content) for turn in turns[:1])


def _joined(*contents: str) -> str:
    return "\n\n".join(filter(None, contents))


def _user(content: str) -> Message:
    return Message(role=Role.USER, content=content)


def _opened_with(instructions: str, turns: list[Message]) -> list[Message]:
    """`turns` with `instructions` at the start of a user turn, a new one if need be."""
    if turns and turns[0].role is Role.USER:
        return [_user(_joined(instructions, turns[0].content)), *turns[1:]]
    return [_user(instructions), *turns]


def _with_instructions_in_user_turns(messages: list[Message]) -> list[Message]:
    turns: list[Message] = []
    waiting = ""
    for message in messages:
        if message.role is Role.SYSTEM:
            waiting = _joined(waiting, message.content)
        elif waiting and message.role is Role.USER:
            turns.append(_user(_joined(waiting, message.content)))
            waiting = ""
        else:
            turns.append(message)
    return [*turns, _user(waiting)] if waiting else turns


def _alternating(turns: list[Message]) -> list[Message]:
    if turns and turns[0].role is not Role.USER:
        turns = [_user(_NOTHING_SAID), *turns]
    runs = groupby(turns, key=lambda turn: turn.role)
    return [turn for _, run in runs for turn in _merged(run)]


def _ending_with_user(turns: list[Message]) -> list[Message]:
    if turns and turns[-1].role is Role.USER:
        return turns
    return [*turns, _user(_NOTHING_SAID)]
