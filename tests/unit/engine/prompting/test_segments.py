"""Typed special tokens stay text, known replies keep their tokens, whatever a template does."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.prompting.segments import Segment, mark, split
from engine.types.chat import Message, Role

SPECIALS = ("<|im_start|>", "<|im_end|>", "<s>", "<S>", "<|im_end|>>")
MARKERS = re.compile("[\ufdd0-\ufdef]")
PIECES = (
    *SPECIALS,
    "hi",
    " ",
    "\n",
    "</think>",
    "end|>",
    "<|im_",
    "\ufdd0",
    "\ufde1",
    "\ufdd3",
    "é👋",
)
CONTENTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=6).map("".join)
MESSAGES = st.lists(
    st.builds(Message, role=st.sampled_from(Role), content=CONTENTS), max_size=5
).map(tuple)
Messages = tuple[Message, ...]


def specials(content: str) -> list[str]:
    return [token for token in SPECIALS if token in content]


def nothing_known(_content: str) -> None:
    return None


def some_known(content: str) -> tuple[int, ...] | None:
    return tuple(content.encode()) if len(content) % 2 else None


def chatml(messages: Messages) -> str:
    turns = (f"<|im_start|>{turn.role}\n{turn.content}<|im_end|>\n" for turn in messages)
    return "".join(turns) + "<|im_start|>assistant\n"


def user(content: str) -> Message:
    return Message(role=Role.USER, content=content)


def assistant(content: str) -> Message:
    return Message(role=Role.ASSISTANT, content=content)


def text_of(segments: tuple[Segment, ...]) -> str:
    return "".join(segment.text for segment in segments)


def cleaned(messages: Messages) -> Messages:
    return tuple(Message(role=m.role, content=MARKERS.sub("", m.content)) for m in messages)


@given(MESSAGES)
def test_the_segments_say_what_the_unmarked_messages_render_to(messages: Messages) -> None:
    marked = mark(messages, specials, some_known)
    assert text_of(split(chatml(marked.messages), marked)) == chatml(cleaned(messages))


@given(MESSAGES)
def test_control_tokens_are_exactly_those_of_the_template(messages: Messages) -> None:
    marked = mark(messages, specials, some_known)
    meant = [s.text for s in split(chatml(marked.messages), marked) if s.special]
    assert sum(text.count("<|im_start|>") for text in meant) == len(messages) + 1
    assert sum(text.count("<|im_end|>") for text in meant) == len(messages)


@given(MESSAGES)
def test_segments_are_as_long_as_possible(messages: Messages) -> None:
    marked = mark(messages, specials, nothing_known)
    kinds = [segment.special for segment in split(chatml(marked.messages), marked)]
    assert all(first != second for first, second in pairwise(kinds))


MANGLES: tuple[Callable[[str], str], ...] = (
    lambda text: text[::-1],
    lambda text: text[: len(text) // 2],
    lambda text: text[len(text) // 2 :],
    lambda text: text[1:-1],
    lambda text: text[::2],
    lambda text: text + text,
    str.upper,
    str.lower,
    str.strip,
    lambda text: text.rsplit("</think>", maxsplit=1)[-1].lstrip("\n"),
    lambda text: text.split("</think>", maxsplit=1)[0],
    "-".join,
    lambda text: "".join(sorted(text)),
    lambda text: text.replace("\ufdd1", "").replace("\ufdd2", ""),
    lambda text: text.replace("\ufdd3", "\ufdd2"),
    lambda text: text.replace("\ufde0", "\ufde9\ufde9"),
    lambda _text: "",
)


@given(MESSAGES, st.lists(st.sampled_from(MANGLES), max_size=4))
def test_no_template_makes_markers_leak_or_text_vanish(
    messages: Messages, mangles: list[Callable[[str], str]]
) -> None:
    marked = mark(messages, specials, some_known)
    rendered = chatml(marked.messages)
    for mangle in mangles:
        rendered = mangle(rendered)
    segments = split(rendered, marked)
    assert text_of(segments) == MARKERS.sub("", rendered)


@given(st.text(alphabet=st.characters(min_codepoint=0xFDCF, max_codepoint=0xFDF0), max_size=30))
def test_any_order_of_markers_is_survived(rendered: str) -> None:
    marked = mark((user("<s>"), assistant("x<s>")), specials, some_known)
    assert text_of(split(rendered, marked)) == MARKERS.sub("", rendered)


def test_a_typed_special_token_is_text() -> None:
    marked = mark((user("say <|im_end|> now"),), specials, nothing_known)
    assert split(chatml(marked.messages), marked) == (
        Segment(text="<|im_start|>user\nsay ", special=True),
        Segment(text="<|im_end|>", special=False),
        Segment(text=" now<|im_end|>\n<|im_start|>assistant\n", special=True),
    )


def test_a_special_token_hidden_by_markers_is_found() -> None:
    marked = mark((user("<|im\ufdd0_end|>"),), specials, nothing_known)
    typed = [s.text for s in split(chatml(marked.messages), marked) if not s.special]
    assert typed == ["<|im_end|>"]


def test_a_known_reply_keeps_its_tokens() -> None:
    tokens = {"Paris <s>.": (5, 6, 7)}
    marked = mark((user("q"), assistant("Paris <s>."), user("r")), specials, tokens.get)
    segments = split(chatml(marked.messages), marked)
    assert segments[1] == Segment(text="Paris <s>.", special=False, reply=(5, 6, 7))
    assert [segment.reply is not None for segment in segments] == [False, True, False]


def test_only_replies_of_the_assistant_are_looked_up() -> None:
    marked = mark((user("same"),), specials, {"same": (1,)}.get)
    assert split(chatml(marked.messages), marked)[0].reply is None


@pytest.mark.parametrize(
    ("reply", "mangle", "typed"),
    [
        ("a<s>b", lambda text: text.replace("b", "c"), ["<s>"]),
        ("<think>t</think>A <s>.", lambda text: text.split("</think>")[-1], ["<s>"]),
        ("a<s>", lambda text: text[:-2], ["<s>"]),
        ("a<s>", lambda text: text[-5:], ["<s>"]),
        ("<s>a", lambda text: text.replace("\ufdd3", "").replace("a", "b"), ["<s>"]),
        ("a<s>", lambda text: text.replace("\ufdd2", "").replace("a", "b"), ["<s>"]),
        ("a<S>", str.lower, ["<s>"]),
    ],
)
def test_a_changed_reply_is_text_with_typed_tokens_protected(
    reply: str, mangle: Callable[[str], str], typed: list[str]
) -> None:
    marked = mark((assistant(reply),), specials, {reply: (1, 2)}.get)
    segments = split(f"<s>{mangle(marked.messages[0].content)}<s>", marked)
    assert [segment.text for segment in segments if not segment.special] == typed
    assert all(segment.reply is None for segment in segments)


def test_lost_markers_do_not_turn_the_templates_tokens_into_text() -> None:
    marked = mark((user("<s>a"), user("b<s>")), specials, nothing_known)
    first, second = (message.content for message in marked.messages)
    rendered = first.replace("\ufdd3", "") + "<|im_end|><|im_start|>" + second.replace("\ufdd2", "")
    assert [(s.text, s.special) for s in split(rendered, marked)] == [
        ("<s>", False),
        ("a<|im_end|><|im_start|>b", True),
        ("<s>", False),
    ]


def test_a_repeated_reply_keeps_its_tokens_twice() -> None:
    marked = mark((assistant("x"),), specials, {"x": (9,)}.get)
    content = marked.messages[0].content
    assert [s.reply for s in split(content + content, marked)] == [(9,), (9,)]


def test_many_replies_are_told_apart() -> None:
    messages = tuple(assistant(f"r{number}") for number in range(300))
    marked = mark(messages, specials, lambda content: (int(content[1:]),))
    segments = split("".join(m.content for m in marked.messages), marked)
    assert [segment.reply for segment in segments] == [(number,) for number in range(300)]


def test_a_plain_conversation_is_one_segment() -> None:
    marked = mark((user("hello"),), specials, nothing_known)
    assert split(chatml(marked.messages), marked) == (
        Segment(text=chatml((user("hello"),)), special=True),
    )
