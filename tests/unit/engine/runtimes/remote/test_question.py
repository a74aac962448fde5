"""What is sent, and what is changed when a server does not take it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ServerFailed
from engine.runtimes.remote.bodies import Complaint
from engine.runtimes.remote.question import Terms, body_of, other_terms, without_oldest
from engine.runtimes.remote.refusals import Refusal
from engine.types.chat import Message, Role
from engine.types.generation import GenerationRequest, Sampling

SYSTEM = Message(role=Role.SYSTEM, content="Be kind.")


def said(count: int, size: int = 100) -> tuple[Message, ...]:
    roles = (Role.USER, Role.ASSISTANT)
    return tuple(Message(role=roles[i % 2], content=f"{i:0{size}}") for i in range(count))


def refused(status: int = 400, **complaint: object) -> Refusal:
    return Refusal(
        error=ServerFailed("x"),
        status=status,
        complaint=Complaint(**complaint),  # type: ignore[arg-type]
    )


LONG = GenerationRequest(messages=(SYSTEM, *said(11)), max_tokens=500)


def test_the_body_says_what_was_asked_for() -> None:
    sampling = Sampling(temperature=0.0, seed=3)
    body = body_of(replace(LONG, sampling=sampling, stop=("a", "b")), "m", Terms())
    assert body["model"] == "m"
    assert body["stream"] is True
    assert body["stop"] == ["a", "b"]
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.0, 3, 500)
    assert isinstance(body["messages"], list)
    assert [message["role"] for message in body["messages"]][:2] == ["system", "user"]


@pytest.mark.parametrize("status", [400, 422])
def test_what_is_refused_by_name_is_left_out_from_then_on(status: int) -> None:
    terms = other_terms(refused(status, text="top_k, min_p: extra fields"), Terms(), LONG)
    assert terms is not None
    assert {"top_k", "min_p"} == terms.without
    assert not {"top_k", "min_p"} & body_of(LONG, "m", terms).keys()
    assert other_terms(refused(status, text="top_k again"), terms, LONG) is None


@pytest.mark.parametrize("status", [401, 404, 500])
def test_other_refusals_are_final(status: int) -> None:
    assert other_terms(refused(status, text="top_k"), Terms(), LONG) is None


def test_a_question_that_leaves_room_gets_a_shorter_answer_once() -> None:
    complaint = refused(too_long=True, prompt_tokens=700, limit_tokens=1000)
    terms = other_terms(complaint, Terms(), LONG)
    assert terms == Terms(max_tokens=300)
    again = other_terms(complaint, terms, LONG)
    assert again is not None
    assert again.dropped > 0


def test_a_conversation_that_is_too_long_loses_its_oldest_turns_in_proportion() -> None:
    complaint = refused(too_long=True, prompt_tokens=2000, limit_tokens=1000)
    terms = other_terms(complaint, Terms(), LONG)
    assert terms is not None
    assert terms.max_tokens is None
    left = without_oldest(LONG.messages, terms.dropped)
    assert left[0] == SYSTEM
    assert left[1].role is Role.USER
    assert left[-1] == LONG.messages[-1]
    assert len(left) - 1 <= 11 * 0.4


@pytest.mark.parametrize("status", [400, 413])
def test_without_numbers_half_of_it_goes_until_one_question_is_left(status: int) -> None:
    complaint = refused(status, too_long=status == 400)
    terms, tries = Terms(), 0
    while (other := other_terms(complaint, terms, LONG)) is not None:
        assert other.dropped > terms.dropped
        terms, tries = other, tries + 1
    assert without_oldest(LONG.messages, terms.dropped) == (SYSTEM, LONG.messages[-1])
    assert tries <= 5


@given(st.integers(1, 40), st.booleans(), st.integers(0, 5000), st.integers(0, 5000))
def test_it_always_ends_and_the_question_itself_is_never_dropped(
    count: int, system: bool, prompt: int, limit: int
) -> None:
    messages = ((SYSTEM,) if system else ()) + said(2 * count - 1)
    request = GenerationRequest(messages=messages)
    complaint = refused(too_long=True, prompt_tokens=prompt or None, limit_tokens=limit or None)
    terms, tries = Terms(), 0
    while (other := other_terms(complaint, terms, request)) is not None:
        terms, tries = other, tries + 1
        assert without_oldest(messages, terms.dropped)[-1] == messages[-1]
        assert terms.max_tokens is None or terms.max_tokens > 0
        assert tries <= 4 * count + 2
