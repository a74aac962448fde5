"""Tries a layout for real: load, one full batch, four tokens. And the roles that children play.

It may die: that is what it is for. So it runs in a child before the app does the same.
"""

import math
import time
from collections.abc import Mapping
from contextlib import ExitStack
from statistics import median
from typing import Any

from engine.child.wire import decode, encode
from engine.errors import EngineStopped
from engine.models.inspect import inspect
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.buffers import measured_from
from engine.runtimes.llamacpp.context import Context, Decoded
from engine.runtimes.llamacpp.measure import measure
from engine.runtimes.llamacpp.opening import Opened, memory_errors, open_into, require_tokenizer
from engine.runtimes.llamacpp.resident import read_resident
from engine.runtimes.llamacpp.vocabulary import Vocabulary
from engine.types.models import LoadSpec
from engine.types.plans import Rehearsal

NEW_TOKENS = 4
_TEXT = "A small boat left the harbour in the morning and came back in the evening. "


def measure_role(argument: Mapping[str, object]) -> dict[str, object]:
    """`spec` to `measured`, both as JSON."""
    return {"measured": encode(measure(decode(LoadSpec, argument["spec"])))}


def rehearse_role(argument: Mapping[str, object]) -> dict[str, object]:
    """`spec` to `rehearsal`, both as JSON."""
    return {"rehearsal": encode(rehearse(decode(LoadSpec, argument["spec"])))}


def rehearse(spec: LoadSpec) -> Rehearsal:
    """Raises what a load raises, and `EngineStopped` if the answer is no answer: a failed
    evaluation, or logits that are not numbers."""
    api = native.api()
    with memory_errors():
        facts = inspect(spec.path)
        before = read_resident()
        started = time.perf_counter()
        with ExitStack() as memory:
            model = open_into(memory, spec, facts)
            load_ms = (time.perf_counter() - started) * 1000
            require_tokenizer(api, spec, model.model)
            trial = _Trial(api, model)
            trial.run()
            return _rehearsal(spec, model, trial, load_ms, before.total_bytes)


def _rehearsal(
    spec: LoadSpec, model: Opened, trial: "_Trial", load_ms: float, before_bytes: int
) -> Rehearsal:
    after = read_resident()
    return Rehearsal(
        measured=measured_from(model.lines, spec.devices),
        tokens=tuple(trial.tokens),
        prompt_tokens=len(trial.prompt),
        prompt_tokens_per_s=len(trial.prompt) / trial.prompt_s,
        tokens_per_s=1 / median(trial.token_s),  # one slow token says nothing
        load_ms=load_ms,
        peak_bytes=after.peak_bytes,
        resident_bytes=after.total_bytes,
        anonymous_bytes=after.anonymous_bytes,
        file_bytes=after.file_bytes,
        grown_bytes=max(after.total_bytes - before_bytes, 0),
    )


class _Trial:
    """One full batch and a few greedy tokens, with their times."""

    def __init__(self, api: Any, model: Opened) -> None:
        self._api = api
        self._context = model.context
        self._vocabulary = Vocabulary(api, model.model)
        self.prompt = _prompt(self._vocabulary, _room(model.context))
        self.tokens: list[int] = []
        self.prompt_s = 0.0
        self.token_s: list[float] = []

    def run(self) -> None:
        started = time.perf_counter()
        _check(self._context.decode(self.prompt))
        self.prompt_s = time.perf_counter() - started
        for _ in range(NEW_TOKENS):
            self._write()

    def _write(self) -> None:
        logits = self._api.llama_get_logits_ith(self._context.pointer, -1)
        if not logits:
            raise EngineStopped("no logits")
        token = likeliest(logits[: self._vocabulary.size])
        started = time.perf_counter()
        _check(self._context.decode_one(token))
        self.token_s.append(time.perf_counter() - started)
        self.tokens.append(token)


def likeliest(logits: list[float]) -> int:
    """The index of the largest. Raises `EngineStopped` where one is no number or the largest is
    infinite: what a wrong driver or kernel computes. Single tokens may be ruled out by -inf."""
    best = max(logits)
    if any(map(math.isnan, logits)) or not math.isfinite(best):
        raise EngineStopped("the logits are not numbers")
    return logits.index(best)


def _check(decoded: Decoded) -> None:
    if decoded is not Decoded.DONE:
        raise EngineStopped(f"the evaluation ended as {decoded.name}")


def _room(context: Context) -> int:
    return max(1, min(context.ubatch, context.length - NEW_TOKENS))


def _prompt(vocabulary: Vocabulary, count: int) -> list[int]:
    """`count` tokens of plain text, one batch."""
    tokens = vocabulary.tokenize(_TEXT, special=False) or [0]
    start = [vocabulary.bos] if vocabulary.wants_bos and vocabulary.bos is not None else []
    return (start + tokens * (count // len(tokens) + 1))[:count]
