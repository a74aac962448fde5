"""Tries a model folder for real: load, read some text, write a few tokens.

It may die: that is what it is for. So it runs in a child before the app does the same.
"""

import time
from contextlib import ExitStack
from statistics import median

from engine.errors import EngineStopped
from engine.hardware.resident import Resident, read_resident
from engine.prompting.seams import Decoded
from engine.runtimes.onnx.arrays import np
from engine.runtimes.onnx.context import Context
from engine.runtimes.onnx.failures import answering
from engine.runtimes.onnx.objects import Logits, Tokenizer
from engine.runtimes.onnx.runtime import open_folder
from engine.runtimes.onnx.sampling import require_numbers
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec
from engine.types.plans import Measured, Rehearsal

NEW_TOKENS = 4
_PROMPT_TOKENS = 256
"""The same for every backend, in one batch or several, so that their tokens can be compared."""
_LARGEST_MARGIN = 1000.0
_TEXT = "A small boat left the harbour in the morning and came back in the evening. "


def rehearse(spec: LoadSpec, prompt_tokens: int | None = None) -> Rehearsal:
    """Raises what a load raises, and `EngineStopped` if the answer is no answer."""
    before = read_resident()
    started = time.perf_counter()
    with ExitStack() as memory:
        _, (context, tokenizer) = open_folder(memory, spec, _ignore, CancelToken())
        load_ms = (time.perf_counter() - started) * 1000
        trial = _Trial(context, tokenizer, prompt_tokens)
        trial.run()
        return _rehearsal(trial, load_ms, before)


def _ignore(_fraction: float) -> None:
    """Nobody watches the progress."""


def _rehearsal(trial: "_Trial", load_ms: float, before: Resident) -> Rehearsal:
    """The library does not tell its buffers: nothing of them is measured."""
    after = read_resident()
    return Rehearsal(
        measured=Measured(),
        tokens=tuple(trial.tokens),
        prompt_tokens=len(trial.prompt),
        prompt_tokens_per_s=len(trial.prompt) / trial.prompt_s,
        tokens_per_s=1 / median(trial.token_s),
        load_ms=load_ms,
        peak_bytes=after.peak_bytes,
        resident_bytes=after.total_bytes,
        anonymous_bytes=after.anonymous_bytes,
        file_bytes=after.file_bytes,
        grown_bytes=max(after.total_bytes - before.total_bytes, 0),
        margins=tuple(trial.margins),
    )


class _Trial:
    """A prompt and a few greedy tokens, with their times."""

    def __init__(self, context: Context, tokenizer: Tokenizer, prompt_tokens: int | None) -> None:
        self._context = context
        room = min(context.length - NEW_TOKENS, _PROMPT_TOKENS)
        with answering():
            self.prompt = _prompt(tokenizer, max(1, min(prompt_tokens or room, room)))
        self.tokens: list[int] = []
        self.margins: list[float] = []
        self.prompt_s = 0.0
        self.token_s: list[float] = []

    def run(self) -> None:
        started = time.perf_counter()
        step = self._context.ubatch
        for start in range(0, len(self.prompt), step):
            _check(self._context.decode(self.prompt[start : start + step]))
        logits = self._logits()
        self.prompt_s = time.perf_counter() - started
        for _ in range(NEW_TOKENS):
            self._choose(logits)
            started = time.perf_counter()
            _check(self._context.decode_one(self.tokens[-1]))
            logits = self._logits()
            self.token_s.append(time.perf_counter() - started)

    def _choose(self, logits: Logits) -> None:
        """The likeliest token, and by how much it is that."""
        self.tokens.append(int(logits.argmax()))
        second, first = np.partition(logits, -2)[-2:] if len(logits) > 1 else (-np.inf, 0.0)
        self.margins.append(float(min(first - second, _LARGEST_MARGIN)))

    def _logits(self) -> Logits:
        """Evaluated at the latest when they are asked for."""
        with answering():
            logits = self._context.logits()
        require_numbers(logits)
        return logits


def _check(decoded: Decoded) -> None:
    if decoded is not Decoded.DONE:
        raise EngineStopped(f"the evaluation ended as {decoded.name}")


def _prompt(tokenizer: Tokenizer, count: int) -> list[int]:
    """`count` tokens of plain text."""
    tokens = tokenizer.encode(_TEXT) or [0]
    return (tokens * (count // len(tokens) + 1))[:count]
