"""Prompts as segments: which text may hold control tokens, which is a reply's own tokens.

Parts of message contents travel through a template between marker characters (Unicode
noncharacters, which no text needs), and the rendered text is cut where they arrive. Templates
trim, split, repeat and drop what they are given: whatever they do, no marker reaches a segment
and no text is lost. Pure. What can not be seen from here: a control token that the template
itself puts together from harmless pieces, and markers that a template turns into an escape
(JSON with ensure_ascii, Python's repr).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engine.types.chat import Message, Role

_REPLY, _REPLY_END, _TYPED, _TYPED_END = map(chr, range(0xFDD0, 0xFDD4))
_DIGITS = [chr(0xFDE0 + digit) for digit in range(16)]
_MARKERS = re.compile("[\ufdd0-\ufdef]+")
_REPLY_SPAN = re.compile(
    f"{_REPLY}([{_DIGITS[0]}-{_DIGITS[-1]}]+)([^{_REPLY}{_REPLY_END}]*){_REPLY_END}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A piece of a prompt. `special`: control tokens in `text` are meant as such.

    `reply`: the tokens that once gave this text, to be used instead of tokenising it.
    """

    text: str
    special: bool
    reply: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An earlier answer: its text and the tokens that were generated."""

    text: str
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """Messages to render, and what their markers stand for. `typed`: longest first."""

    messages: tuple[Message, ...]
    replies: tuple[Reply, ...]
    typed: tuple[str, ...]


def mark(
    messages: Sequence[Message],
    specials: Callable[[str], Iterable[str]],
    replies: Callable[[str], tuple[int, ...] | None],
) -> Marked:
    """Put markers around special tokens that were typed and around known replies.

    `specials` gives the texts of the special tokens that occur in a content; `replies` the
    tokens of an assistant's content, or None if it was not generated in this session.
    """
    marked: list[Message] = []
    known: list[Reply] = []
    found: set[str] = set()
    for message in messages:
        text = _MARKERS.sub("", message.content)
        typed = _longest_first(specials(text))
        found.update(typed)
        content = _protected(text, typed)
        tokens = replies(message.content) if message.role is Role.ASSISTANT else None
        if tokens is not None:
            content = f"{_REPLY}{_number(len(known))}{content}{_REPLY_END}"
            known.append(Reply(text=text, tokens=tokens))
        marked.append(replace(message, content=content))
    return Marked(messages=tuple(marked), replies=tuple(known), typed=_longest_first(found))


def split(rendered: str, marked: Marked) -> tuple[Segment, ...]:
    """Cut what a template made of `marked.messages` into segments without empty ones."""
    pieces: list[Segment] = []
    end = 0
    for span in _REPLY_SPAN.finditer(rendered):
        pieces += _text_segments(rendered[end : span.start()], marked.typed)
        pieces += _reply_segments(span[1], span[2], marked)
        end = span.end()
    return _joined([*pieces, *_text_segments(rendered[end:], marked.typed)])


def _longest_first(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({text for text in texts if text}, key=lambda text: (-len(text), text)))


def _protected(text: str, typed: tuple[str, ...]) -> str:
    if not typed:
        return text
    return re.sub("|".join(map(re.escape, typed)), rf"{_TYPED}\g<0>{_TYPED_END}", text)


def _number(value: int) -> str:
    return "".join(_DIGITS[int(digit, 16)] for digit in f"{value:x}")


def _reply_segments(number: str, inner: str, marked: Marked) -> list[Segment]:
    index = int("".join(f"{_DIGITS.index(digit):x}" for digit in number), 16)
    reply = marked.replies[index] if index < len(marked.replies) else None
    if reply and reply.text == _MARKERS.sub("", inner):
        return [Segment(text=reply.text, special=False, reply=reply.tokens)]
    return _text_segments(inner, marked.typed)


def _text_segments(text: str, typed: tuple[str, ...]) -> list[Segment]:
    """Segments of a text that may hold markers of typed special tokens, in pairs or not."""
    parts = ["", *re.split(f"([{_TYPED}{_TYPED_END}])", text), ""]
    segments: list[Segment] = []
    for before, part, after in zip(parts[:-1:2], parts[1::2], parts[2::2], strict=True):
        begins, ends = before == _TYPED, after == _TYPED_END
        segments += _guarded(_MARKERS.sub("", part), typed, begins=begins, ends=ends)
    return segments


def _guarded(text: str, typed: tuple[str, ...], *, begins: bool, ends: bool) -> list[Segment]:
    """`text` between two markers; `begins`, `ends`: they say that a typed token does so there.

    Text between both that is longer than every typed token has lost markers in between and
    holds text of the template: then only its two ends are the person's.
    """
    if begins and ends and len(text) <= len(typed[0] if typed else ""):
        return [Segment(text=text, special=False)]
    head = next((token for token in typed if begins and text.startswith(token)), "")
    text = text[len(head) :]
    tail = next((token for token in typed if ends and text.endswith(token)), "")
    return [
        Segment(text=head, special=False),
        Segment(text=text.removesuffix(tail), special=True),
        Segment(text=tail, special=False),
    ]


def _joined(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Neighbours of one kind as one segment, so that the tokeniser sees long texts."""
    filled = (segment for segment in segments if segment.text or segment.reply)
    joined: list[Segment] = []
    for (special, is_text), run in groupby(filled, key=lambda s: (s.special, s.reply is None)):
        if is_text:
            joined.append(Segment(text="".join(segment.text for segment in run), special=special))
        else:
            joined += run
    return tuple(joined)
