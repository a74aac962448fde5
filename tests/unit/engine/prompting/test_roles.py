"""Whatever happened to a conversation, it renders, and nothing in it is lost."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.prompting.roles import normalise
from engine.prompting.template import ChatTemplate
from engine.types.chat import Message, Role
from tests import chat_templates as wild

LETTERS = {"s": Role.SYSTEM, "u": Role.USER, "a": Role.ASSISTANT}
CONVERSATIONS = st.lists(
    st.tuples(st.sampled_from("sua"), st.text(alphabet="xy \n", max_size=3)), max_size=8
)


def conversation(*turns: str) -> tuple[Message, ...]:
    """`u:text` is a user's turn, and so on."""
    return tuple(Message(role=LETTERS[turn[0]], content=turn[2:]) for turn in turns)


def written(messages: tuple[Message, ...]) -> list[str]:
    return [f"{message.role[0]}:{message.content}" for message in messages]


def strictly(*turns: str) -> list[str]:
    messages = conversation(*turns)
    return written(normalise(messages, supports_system=False, needs_alternation=True))


def leniently(*turns: str) -> list[str]:
    messages = conversation(*turns)
    return written(normalise(messages, supports_system=True, needs_alternation=False))


@cache
def template(name: str) -> ChatTemplate:
    return ChatTemplate(wild.TEMPLATES[name])


@pytest.mark.parametrize("name", wild.TEMPLATES)
@given(turns=CONVERSATIONS)
def test_any_sequence_of_roles_renders(name: str, turns: list[tuple[str, str]]) -> None:
    messages = conversation(*(f"{role}:{text}w{at}" for at, (role, text) in enumerate(turns)))
    rules = template(name)
    prompt = rules.render(
        normalise(
            messages,
            supports_system=rules.supports_system,
            needs_alternation=rules.needs_alternation,
        )
    )
    assert all(f"w{at}" in prompt for at in range(len(messages)))


@given(turns=CONVERSATIONS, supports=st.booleans(), alternates=st.booleans())
def test_the_promised_order_holds(
    turns: list[tuple[str, str]], supports: bool, alternates: bool
) -> None:
    messages = conversation(*(f"{role}:{text}" for role, text in turns))
    result = normalise(messages, supports_system=supports, needs_alternation=alternates)
    roles = "".join(message.role[0] for message in result)
    assert roles.endswith("u")
    assert "s" not in roles[1:]
    assert supports or "s" not in roles
    if alternates:
        assert roles.removeprefix("s") == ("ua" * len(roles))[: len(roles.removeprefix("s"))]
    assert all(m.content.strip() for m in result if m.role is not Role.USER)


@given(turns=CONVERSATIONS, supports=st.booleans(), alternates=st.booleans())
def test_it_changes_nothing_the_second_time(
    turns: list[tuple[str, str]], supports: bool, alternates: bool
) -> None:
    rules = {"supports_system": supports, "needs_alternation": alternates}
    once = normalise(conversation(*(f"{role}:{text}" for role, text in turns)), **rules)
    assert normalise(once, **rules) == once


@pytest.mark.parametrize(
    ("turns", "strict", "lenient"),
    [
        (["u:a", "u:b"], ["u:a\n\nb"], ["u:a", "u:b"]),
        (["u:a", "a: ", "u:b"], ["u:a\n\nb"], ["u:a", "u:b"]),
        (["s:x", "u:a"], ["u:x\n\na"], ["s:x", "u:a"]),
        (["s:x", "s:y", "u:a"], ["u:x\n\ny\n\na"], ["s:x\n\ny", "u:a"]),
        (["s: ", "u:a"], ["u:a"], ["u:a"]),
        (["a:hello", "u:a"], ["u:…", "a:hello", "u:a"], ["a:hello", "u:a"]),
        (["s:x", "a:hello", "u:a"], ["u:x", "a:hello", "u:a"], ["s:x", "a:hello", "u:a"]),
        (["u:a", "a:b"], ["u:a", "a:b", "u:…"], ["u:a", "a:b", "u:…"]),
        (["s:x"], ["u:x"], ["s:x", "u:…"]),
        ([], ["u:…"], ["u:…"]),
        (
            ["s:x", "u:a", "a:b", "s:y", "u:c"],
            ["u:x\n\na", "a:b", "u:y\n\nc"],
            ["s:x", "u:a", "a:b", "u:y\n\nc"],
        ),
        (["u:a", "a:b", "s:y"], ["u:a", "a:b", "u:y"], ["u:a", "a:b", "u:y"]),
        (["u:a", "a:b", "a:c", "u:d"], ["u:a", "a:b\n\nc", "u:d"], ["u:a", "a:b", "a:c", "u:d"]),
        (["u:a", "a:b", "u:c"], ["u:a", "a:b", "u:c"], ["u:a", "a:b", "u:c"]),
    ],
)
def test_conversations_that_bricked_other_programs(
    turns: list[str], strict: list[str], lenient: list[str]
) -> None:
    assert strictly(*turns) == strict
    assert leniently(*turns) == lenient


def test_a_longer_conversation_begins_like_the_shorter_one() -> None:
    turns = ["s:x", "u:a", "a:b", "u:c", "a:d", "s:y", "u:e"]
    assert strictly(*turns)[: len(strictly(*turns[:4]))] == strictly(*turns[:4])
    assert leniently(*turns)[: len(leniently(*turns[:4]))] == leniently(*turns[:4])
