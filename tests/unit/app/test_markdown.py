"""A conversation as Markdown text."""

import pytest

from app.conversations.markdown import ExportWords, close_fences, to_markdown
from app.conversations.values import Conversation, Turn, TurnState
from engine.types.chat import Role
from tests.unit.app.conftest import START

WORDS = ExportWords(user="You", assistant="Snug", system="Instructions", unfinished="unfinished")
CONVERSATION = Conversation(
    id="c1",
    title="2*3 [x]",
    title_is_manual=False,
    pinned=False,
    created_at=START,
    updated_at=START,
)


def turn(role: Role, text: str, state: TurnState = TurnState.COMPLETE, model: str = "") -> Turn:
    return Turn(
        id="t",
        conversation_id="c1",
        position=0,
        role=role,
        text=text,
        state=state,
        model=model,
        created_at=START,
    )


def test_each_turn_stands_under_its_speaker() -> None:
    turns = [
        turn(Role.SYSTEM, "Be kind."),
        turn(Role.USER, "Hello\n\n**you**\n"),
        turn(Role.ASSISTANT, "```py\nx = 1", TurnState.STOPPED, "SmolLM2"),
        turn(Role.ASSISTANT, ""),
    ]
    assert to_markdown(CONVERSATION, turns, WORDS) == (
        "# 2\\*3 \\[x\\]\n\n"
        "## Instructions\n\nBe kind.\n\n"
        "## You\n\nHello\n\n**you**\n\n"
        "## Snug (SmolLM2)\n\n```py\nx = 1\n```\n\n*unfinished*\n\n"
        "## Snug\n"
    )


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("plain", ""),
        ("```\ncode\n```", ""),
        ("```\ncode", "\n```"),
        ("~~~~\n```\n~~~", "\n~~~~"),
        ("````\n```\n````", ""),
        ("``` not a `fence`", ""),
        ("```\n``` still inside", "\n```"),
        ("    ```", ""),
    ],
)
def test_an_open_code_block_is_closed(text: str, end: str) -> None:
    assert close_fences(text) == text + end
