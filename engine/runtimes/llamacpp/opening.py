"""Opens a model and its context, and says what went wrong if llama.cpp gives none.

What it can not fail at but dies of is tried out before (`headroom`). On the inference thread.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Any

from engine.errors import Cancelled, LoadFailed, OutOfMemory
from engine.runtimes.llamacpp import headroom, native
from engine.runtimes.llamacpp.buffers import tensor_count
from engine.runtimes.llamacpp.context import Context
from engine.runtimes.llamacpp.failures import load_error
from engine.runtimes.llamacpp.parameters import model_parameters, ubatch_tokens
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec, ModelFacts

_NO_TOKENIZER = 0
"""`LLAMA_VOCAB_TYPE_NONE`: the first text given to such a model would abort the process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A model in memory with a context; `lines` is all that llama.cpp logged meanwhile."""

    model: int
    context: Context
    lines: tuple[str, ...]


def _ignore(_fraction: float) -> None:
    """Nobody watches the progress."""


def open_into(
    memory: ExitStack,
    spec: LoadSpec,
    facts: ModelFacts,
    *,
    progress: Callable[[float], None] = _ignore,
    cancel: CancelToken | None = None,
    no_alloc: bool = False,
) -> Opened:
    """The model and its context, freed with `memory`. With `no_alloc` it must not evaluate.

    Raises `Cancelled`, `OutOfMemory` or `LoadFailed` with the end of the native log.
    """
    with native.log_tail.record() as lines:
        opening = _Opening(spec, facts, no_alloc=no_alloc)
        model = opening.model(progress, cancel)
        memory.callback(opening.api.llama_model_free, model)
        context = opening.context(model, tensor_count(lines))
        memory.callback(context.close)
    if not no_alloc:
        headroom.require(headroom.decode_bytes(spec.layout.threads), "evaluating")
    return Opened(model=model, context=context, lines=tuple(lines))


def require_tokenizer(api: Any, spec: LoadSpec, model: int) -> None:
    """Raise `LoadFailed` for a model that can not be given text."""
    if api.llama_vocab_type(api.llama_model_get_vocab(model)) == _NO_TOKENIZER:
        raise LoadFailed(spec.path, "it has no tokenizer")


@contextmanager
def memory_errors() -> Iterator[None]:
    """Python's own `MemoryError`, met under `ulimit -v`, as one of our tree."""
    try:
        yield
    except MemoryError as error:
        raise OutOfMemory(f"Python: {error}") from error


class _Opening:
    def __init__(self, spec: LoadSpec, facts: ModelFacts, *, no_alloc: bool) -> None:
        self.api: Any = native.api()
        self._spec = spec
        self._facts = facts
        self._no_alloc = no_alloc

    def model(self, progress: Callable[[float], None], cancel: CancelToken | None) -> int:
        def report(fraction: float, _data: object) -> bool:
            progress(fraction)
            return cancel is None or not cancel.cancelled

        headroom.require(headroom.LOAD_BYTES, "a model")
        native.log_tail.take()
        held = model_parameters(
            self.api,
            self._spec,
            layers=self._facts.layers or 0,
            keep_going=self.api.llama_progress_callback(report),
            no_alloc=self._no_alloc,
        )
        path = os.fsencode(self._spec.path)
        model: int | None = self.api.llama_model_load_from_file(path, held.struct)
        if model:
            return model
        if cancel is not None and cancel.cancelled:
            raise Cancelled
        raise load_error(self._spec, native.log_tail.take())

    def context(self, model: int, tensors: int) -> Context:
        ubatch = ubatch_tokens(self._spec.layout)
        size_bytes = headroom.graph_bytes(self._facts.architecture, tensors, ubatch)
        with (
            closing(headroom.Ballast(size_bytes)) as ballast,
            native.log_tail.record(ballast.hear),
        ):
            return Context(self.api, model, self._spec)
