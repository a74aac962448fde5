"""Tries a layout for real: load, read in a full batch and token by token, write a few tokens after
each.

It may die: that is what it is for. So it runs in a child before the app does the same.
"""

import math
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from engine.errors import EngineStopped
from engine.hardware.resident import read_resident
from engine.models.inspect import inspect
from engine.prompting.seams import Decoded
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.buffers import measured_from
from engine.runtimes.llamacpp.context import Context
from engine.runtimes.llamacpp.opening import Opened, memory_errors, open_into, require_tokenizer
from engine.runtimes.llamacpp.vocabulary import Vocabulary
from engine.types.models import LoadSpec
from engine.types.plans import Rehearsal

NEW_TOKENS = 4
ALONE_TOKENS = 8
"""The end of the prompt, read one at a time. Devices have other kernels for that than for a
batch."""
_LARGEST_MARGIN = 1000.0
_TEXT = "A small boat left the harbour in the morning and came back in the evening. "


def rehearse(spec: LoadSpec, prompt_tokens: int | None = None) -> Rehearsal:
    """Read `prompt_tokens`, or one full batch, and write. Raises what a load raises, and
    `EngineStopped` if the answer is no answer: a failed evaluation, or logits that are not
    numbers."""
    api = native.api()
    with memory_errors():
        facts = inspect(spec.path)
        before = read_resident()
        started = time.perf_counter()
        with ExitStack() as memory:
            model = open_into(memory, spec, facts)
            load_ms = (time.perf_counter() - started) * 1000
            require_tokenizer(api, spec, model.model)
            trial = _Trial(api, model, prompt_tokens)
            trial.run()
            return _rehearsal(spec, model, trial, load_ms, before.total_bytes)


def _rehearsal(
    spec: LoadSpec, model: Opened, trial: "_Trial", load_ms: float, before_bytes: int
) -> Rehearsal:
    after = read_resident()
    return Rehearsal(
        measured=measured_from(model.lines, spec.devices),
        tokens=tuple(trial.written.tokens),
        prompt_tokens=len(trial.prompt),
        prompt_tokens_per_s=len(trial.prompt) / trial.prompt_s,
        tokens_per_s=1 / median(trial.token_s),  # one slow token says nothing
        load_ms=load_ms,
        peak_bytes=after.peak_bytes,
        resident_bytes=after.total_bytes,
        anonymous_bytes=after.anonymous_bytes,
        file_bytes=after.file_bytes,
        grown_bytes=max(after.total_bytes - before_bytes, 0),
        margins=tuple(trial.written.margins),
        alone_prompt_tokens=trial.alone_prompt_tokens,
        alone_tokens=tuple(trial.written_alone.tokens),
        alone_margins=tuple(trial.written_alone.margins),
    )


@dataclass(slots=True)
class _Written:
    """Tokens that were the likeliest, and by how much."""

    tokens: list[int] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)


class _Trial:
    """A prompt in batches, then token by token, and a few greedy tokens after each, with their
    times. The time of a device is over when it has finished, not when it has been told."""

    def __init__(self, api: Any, model: Opened, prompt_tokens: int | None) -> None:
        self._api = api
        self._context = model.context
        self._vocabulary = Vocabulary(api, model.model)
        self.prompt = _prompt(self._vocabulary, _room(model.context, prompt_tokens))
        self.written = _Written()
        self.written_alone = _Written()
        self.alone_prompt_tokens = 0
        self.prompt_s = 0.0
        self.token_s: list[float] = []

    def run(self) -> None:
        started = time.perf_counter()
        for start in range(0, len(self.prompt), self._context.ubatch):
            self._read(self.prompt[start : start + self._context.ubatch])
        self.prompt_s = time.perf_counter() - started
        self._write(self.written)
        self._read_end_alone()
        self._write(self.written_alone)

    def _read_end_alone(self) -> None:
        """Its beginning where the memory can not go back (recurrent, or a small window)."""
        kept = self._context.keep(max(len(self.prompt) - ALONE_TOKENS, 0))
        for token in self.prompt[kept : kept + ALONE_TOKENS]:
            self._read_one(token)
        self.alone_prompt_tokens = len(self._context.tokens)

    def _write(self, written: _Written) -> None:
        for _ in range(NEW_TOKENS):
            token, margin = choice(self._logits())
            self._read_one(token)
            written.tokens.append(token)
            written.margins.append(margin)

    def _logits(self) -> list[float]:
        logits = self._api.llama_get_logits_ith(self._context.pointer, -1)
        if not logits:
            raise EngineStopped("no logits")
        found: list[float] = logits[: self._vocabulary.size]
        return found

    def _read(self, tokens: Sequence[int]) -> None:
        _check(self._context.decode(tokens))
        self._api.llama_synchronize(self._context.pointer)

    def _read_one(self, token: int) -> None:
        started = time.perf_counter()
        _check(self._context.decode_one(token))
        self._api.llama_synchronize(self._context.pointer)
        self.token_s.append(time.perf_counter() - started)


def likeliest(logits: list[float]) -> int:
    """The index of the largest. Raises `EngineStopped` where one is no number or the largest is
    infinite: what a wrong driver or kernel computes. Single tokens may be ruled out by -inf."""
    best = max(logits)
    if any(map(math.isnan, logits)) or not math.isfinite(best):
        raise EngineStopped("the logits are not numbers")
    return logits.index(best)


def choice(logits: list[float]) -> tuple[int, float]:
    """The likeliest token, and its distance to the next. Raises like `likeliest`."""
    best = likeliest(logits)
    others = max((*logits[:best], *logits[best + 1 :]), default=-math.inf)
    return best, min(logits[best] - others, _LARGEST_MARGIN)


def _check(decoded: Decoded) -> None:
    if decoded is not Decoded.DONE:
        raise EngineStopped(f"the evaluation ended as {decoded.name}")


def _room(context: Context, wanted: int | None) -> int:
    return max(1, min(wanted or context.ubatch, context.length - NEW_TOKENS))


def _prompt(vocabulary: Vocabulary, count: int) -> list[int]:
    """`count` tokens of plain text, one batch."""
    tokens = vocabulary.tokenize(_TEXT, special=False) or [0]
    start = [vocabulary.bos] if vocabulary.wants_bos and vocabulary.bos is not None else []
    return (start + tokens * (count // len(tokens) + 1))[:count]
