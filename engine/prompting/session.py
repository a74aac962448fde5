"""Answers one conversation after another over a single context, evaluating only what is new."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

from engine.errors import EngineStopped
from engine.prompting.prompt import Prompt, PromptBuilder
from engine.prompting.replies import ReplyMemory
from engine.prompting.seams import Context, Decoded, Sampler, Vocabulary
from engine.prompting.stream import StopFilter
from engine.prompting.template import ChatTemplate
from engine.types.cancel import CancelToken
from engine.types.chat import Role
from engine.types.generation import (
    ContextTrimmed,
    Delta,
    Finished,
    FinishReason,
    GenerationRequest,
    GenerationStats,
    PromptProgress,
    Sampling,
    TextDelta,
)

_REPLY_SHARE = 4
"""At most one part in four of the context is kept free for the reply."""
_SHARE_TO_GO_ON = 16
"""Less where a reply is only to be finished."""


def _common_beginning(left: list[int], right: list[int]) -> int:
    length = min(len(left), len(right))
    if left[:length] == right[:length]:
        return length
    return next(i for i in range(length) if left[i] != right[i])


def _milliseconds(start: float) -> float:
    return (time.perf_counter() - start) * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a session is made of."""

    context: Context
    vocabulary: Vocabulary
    template: ChatTemplate
    replies: ReplyMemory
    new_sampler: Callable[[Sampling], Sampler]


class Session:
    """One model's conversation state. Used by one thread at a time."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._context = parts.context
        self._prompts = PromptBuilder(parts.vocabulary, parts.template, parts.replies)

    @property
    def tokens(self) -> list[int]:
        """What the context holds."""
        return list(self._context.tokens)

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        """See `LoadedModel.generate`."""
        self._context.allow()
        cancel.on_cancel(self._context.abort)
        try:
            yield from self._answer(request, cancel)
        finally:
            cancel.forget(self._context.abort)
            self._context.allow()

    def _answer(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        started = time.perf_counter()
        going_on = request.messages[-1:] and request.messages[-1].role is Role.ASSISTANT
        share = _SHARE_TO_GO_ON if going_on else _REPLY_SHARE
        reserve = min(request.max_tokens, self._context.length // share)
        prompt = self._prompts.build(request.messages, self._context.length - reserve)
        if prompt.dropped_messages:
            yield ContextTrimmed(dropped_messages=prompt.dropped_messages)
        cached = self._rewind(prompt.tokens)
        yield from self._read(prompt.tokens, cached, cancel)
        prompt_ms = _milliseconds(started)
        started = time.perf_counter()
        with closing(_Reply(self._parts, request, prompt, cancel)) as reply:
            yield from reply.write()
        stats = GenerationStats(
            prompt_tokens=len(prompt.tokens),
            cached_tokens=cached,
            generated_tokens=len(reply.tokens),
            prompt_ms=prompt_ms,
            generation_ms=_milliseconds(started),
        )
        yield Finished(reason=reply.reason, stats=stats)

    def _rewind(self, tokens: list[int]) -> int:
        """Go back to what the context and `tokens` share; the last token is always read anew."""
        shared = _common_beginning(self._context.tokens, tokens)
        return self._context.keep(min(shared, len(tokens) - 1))

    def _read(self, tokens: list[int], cached: int, cancel: CancelToken) -> Iterator[Delta]:
        total = len(tokens) - cached
        step = self._context.ubatch
        for start in range(cached, len(tokens), step):
            if cancel.cancelled:
                return
            decoded = self._context.decode(tokens[start : start + step])
            if decoded is Decoded.ABORTED:
                return
            if decoded is Decoded.FULL:
                raise EngineStopped("no room left in the context")
            done = min(start + step, len(tokens)) - cached
            yield PromptProgress(done_tokens=done, total_tokens=total)


class _Reply:
    """One reply while it is written."""

    def __init__(
        self, parts: Parts, request: GenerationRequest, prompt: Prompt, cancel: CancelToken
    ) -> None:
        self.tokens: list[int] = []
        self._reason: FinishReason | None = None
        self._parts = parts
        self._context = parts.context
        self._vocabulary = parts.vocabulary
        self._max_tokens = request.max_tokens
        self._cancel = cancel
        self._sampler = parts.new_sampler(request.sampling)
        self._reading = parts.vocabulary.reading(prompt.begun_tokens)
        self._stop = StopFilter((*request.stop, *parts.template.stop))
        self._begun_tokens = prompt.begun_tokens
        self._shown: list[str] = [prompt.begun_text] if prompt.begun_text else []

    @property
    def reason(self) -> FinishReason:
        return self._reason or FinishReason.STOP

    def write(self) -> Iterator[Delta]:
        while self._may_go_on():
            token = self._sampler.sample()
            if self._vocabulary.is_end(token):
                self._reason = FinishReason.STOP
                break
            text = self._take(token)
            if text:
                yield TextDelta(text=text)
            self._evaluate(token)
        rest = self._rest()
        if rest:
            yield TextDelta(text=rest)

    def _may_go_on(self) -> bool:
        if self._reason is None and self._cancel.cancelled:
            self._reason = FinishReason.CANCELLED
        return self._reason is None

    def _take(self, token: int) -> str:
        self.tokens.append(token)
        text, stopped = self._stop.push(self._reading.push(token))
        if stopped:
            self._reason = FinishReason.STOP
        return self._show(text)

    def _evaluate(self, token: int) -> None:
        """Also the very last one: the next turn then finds it evaluated."""
        if not self._has_room() or self._context.decode_one(token) is Decoded.FULL:
            self._reason = self._reason or FinishReason.CONTEXT
        elif len(self.tokens) >= self._max_tokens:
            self._reason = self._reason or FinishReason.LENGTH

    def _has_room(self) -> bool:
        return len(self._context.tokens) < self._context.length

    def _show(self, text: str) -> str:
        """A reply never begins with white space; what is shown is what is remembered."""
        if not self._shown:
            text = text.lstrip()
        if text:
            self._shown.append(text)
        return text

    def _rest(self) -> str:
        """What was held back, now that nothing can follow it. Half a character of a reply that
        was cut is left out: going on with the reply brings the whole one."""
        if self._reason is FinishReason.STOP:
            text, _ = self._stop.push(self._reading.flush())
            held, _ = self._stop.flush()
            return self._show(text + held)
        held, _ = self._stop.flush()
        return self._show(held)

    def close(self) -> None:
        """Keep the tokens for the next prompt and free the sampler, also when abandoned."""
        tokens = [*self._begun_tokens, *self.tokens]
        self._parts.replies.remember("".join(self._shown), tokens)
        self._sampler.close()
