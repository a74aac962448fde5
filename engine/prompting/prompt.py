"""From a conversation to the tokens of a prompt that fits the context.

What does not fit is left out from the oldest turn on; the system prompt and the newest turn
always stay. Once something is left out, a good part of the context is cleared at once and the
cut is remembered, so that the following turns keep their beginning and need no new evaluation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import PromptTooLong
from engine.prompting import roles, segments
from engine.prompting.replies import ReplyMemory
from engine.prompting.seams import Vocabulary
from engine.prompting.template import ChatTemplate
from engine.types.chat import Message, Role

_KEPT_AFTER_CUT = 0.6
"""Share of the prompt's room that is filled again after a cut."""
_TURN_OVERHEAD_TOKENS = 8
_LONGEST_TOKEN_BYTES = 32
"""More text than this per token of room can not fit, so it need not be tokenized to know."""
_USUAL_TOKEN_CHARACTERS = 4
"""For telling how long a text is that was not tokenized."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """`tokens` end with `begun_tokens`, a reply that is to be continued, if there is one."""

    tokens: list[int]
    dropped_messages: int
    begun_text: str
    begun_tokens: tuple[int, ...]


class PromptBuilder:
    """Builds prompts for one model; remembers the last cut."""

    def __init__(
        self, vocabulary: Vocabulary, template: ChatTemplate, replies: ReplyMemory
    ) -> None:
        self._vocabulary = vocabulary
        self._template = template
        self._replies = replies
        self._dropped: tuple[Message, ...] = ()

    def build(self, messages: Sequence[Message], limit_tokens: int) -> Prompt:
        """Tokens of the whole conversation, or of as much of its end as fits `limit_tokens`.

        Raises `PromptTooLong` if the system prompt and the newest turn do not fit.
        """
        system, turns = _split_system(messages)
        start = self._last_cut(turns)
        tokens = self._encode_if_short(system + turns[start:], limit_tokens)
        if tokens is None:
            start, tokens = self._cut(system, turns, start, limit_tokens)
        self._dropped = turns[:start]
        begun = messages[-1].content if messages[-1].role is Role.ASSISTANT else ""
        return Prompt(
            tokens=tokens,
            dropped_messages=start,
            begun_text=begun,
            begun_tokens=self._reply_tokens(begun),
        )

    def _last_cut(self, turns: tuple[Message, ...]) -> int:
        count = len(self._dropped)
        return count if count < len(turns) and turns[:count] == self._dropped else 0

    def _encode_if_short(
        self, messages: tuple[Message, ...], limit_tokens: int
    ) -> list[int] | None:
        if sum(len(m.content) for m in messages) > limit_tokens * _LONGEST_TOKEN_BYTES:
            return None
        tokens = self.encode(messages)
        return tokens if len(tokens) <= limit_tokens else None

    def _cut(
        self, system: tuple[Message, ...], turns: tuple[Message, ...], start: int, limit: int
    ) -> tuple[int, list[int]]:
        room = int(limit * _KEPT_AFTER_CUT) - self._count(system)
        newest = _last_question(turns)
        start = max(start, self._newest_that_fit(turns, room))
        for first in [i for i in _questions(turns) if start <= i < newest]:
            tokens = self.encode(system + turns[first:])
            if len(tokens) <= limit:
                return first, tokens
        return newest, self._newest_only(system + turns[newest:], limit)

    def _newest_only(self, messages: tuple[Message, ...], limit: int) -> list[int]:
        """The system prompt, the newest question and, of a reply that goes on, its end."""
        begun = messages[-1].role is Role.ASSISTANT
        asked = messages[:-1] if begun else messages
        characters = sum(len(m.content) for m in asked)
        if characters > limit * _LONGEST_TOKEN_BYTES:
            raise PromptTooLong(characters // _USUAL_TOKEN_CHARACTERS, limit)
        tokens = self._encode_turns(asked)
        room = limit - len(tokens)
        if room < begun:
            raise PromptTooLong(len(tokens), limit)
        return [*tokens, *self._reply_tokens(messages[-1].content)[-room:]] if begun else tokens

    def _newest_that_fit(self, turns: tuple[Message, ...], room: int) -> int:
        for index in range(len(turns) - 1, -1, -1):
            if len(turns[index].content) > max(room, 0) * _LONGEST_TOKEN_BYTES:
                return index + 1
            room -= self._count(turns[index : index + 1])
            if room < 0:
                return index + 1
        return 0

    def _count(self, messages: tuple[Message, ...]) -> int:
        return sum(
            len(self._vocabulary.tokenize(m.content, special=False)) + _TURN_OVERHEAD_TOKENS
            for m in messages
        )

    def encode(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of `messages`, ready for the reply (or for more of the last one)."""
        *before, last = messages
        if last.role is not Role.ASSISTANT:
            return self._encode_turns(messages)
        return [*self._encode_turns(before), *self._reply_tokens(last.content)]

    def _reply_tokens(self, text: str) -> tuple[int, ...]:
        return self._replies.find(text) or tuple(self._vocabulary.tokenize(text, special=False))

    def _encode_turns(self, messages: Sequence[Message]) -> list[int]:
        tidy = roles.normalise(
            messages,
            supports_system=self._template.supports_system,
            needs_alternation=self._template.needs_alternation,
        )
        marked = segments.mark(tidy, self._vocabulary.control_texts, self._replies.find)
        rendered = self._template.render(marked.messages)
        tokens: list[int] = []
        for segment in segments.split(rendered, marked):
            tokens += segment.reply or self._vocabulary.tokenize(
                segment.text, special=segment.special
            )
        return self._with_one_bos(tokens)

    def _with_one_bos(self, tokens: list[int]) -> list[int]:
        bos = self._vocabulary.bos
        if not self._vocabulary.wants_bos or bos is None:
            return tokens or [self._vocabulary.eos or 0]  # never an empty prompt
        start = 0
        while start < len(tokens) and tokens[start] == bos:
            start += 1
        return [bos, *tokens[start:]]


def _split_system(
    messages: Sequence[Message],
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    count = 0
    while count < len(messages) and messages[count].role is Role.SYSTEM:
        count += 1
    return tuple(messages[:count]), tuple(messages[count:])


def _questions(turns: Sequence[Message]) -> list[int]:
    return [i for i, message in enumerate(turns) if message.role is Role.USER]


def _last_question(turns: Sequence[Message]) -> int:
    return max(_questions(turns), default=0)
