"""The reference that our path is measured against: llama.cpp alone, in the shortest loop.

It evaluates a prompt and samples tokens with the same model file, threads, batch size and
sampler chain, and does nothing else: no text, no stop, no cache. It runs on the inference thread
too: two that call llama.cpp at once would share the cores.
"""

import ctypes
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.models.inspect import inspect
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.abort import AbortFlag
from engine.runtimes.llamacpp.parameters import (
    context_parameters,
    model_parameters,
    ubatch_tokens,
)
from engine.runtimes.llamacpp.runtime import LlamaModel, LlamaRuntime
from engine.runtimes.llamacpp.sampling import Sampler
from engine.types.cancel import CancelToken
from engine.types.generation import Delta, Finished, GenerationRequest, GenerationStats, Sampling
from engine.types.models import LoadedInfo, LoadSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """Tokens a second."""

    prompt: float
    decode: float


class BareLoop:
    """A model and a context of its own, over the same file."""

    def __init__(self, spec: LoadSpec) -> None:
        self._api: Any = native.api()
        api = self._api
        held = model_parameters(api, spec, layers=inspect(spec.path).layers or 0)
        self._model = api.llama_model_load_from_file(os.fsencode(spec.path), held.struct)
        self._abort = AbortFlag(api.ggml_abort_callback)
        self._ubatch = ubatch_tokens(spec.layout)
        parameters = context_parameters(api, spec.layout, self._abort)
        self._context = api.llama_init_from_model(self._model, parameters)
        self._vocabulary_size = api.llama_vocab_n_tokens(api.llama_model_get_vocab(self._model))

    def run(self, prompt: list[int], new_tokens: int, sampling: Sampling) -> Speeds:
        """Evaluate `prompt` from nothing, then decode exactly `new_tokens`."""
        api, context = self._api, self._context
        api.llama_memory_clear(api.llama_get_memory(context), False)
        sampler = Sampler(api, self._vocabulary_size, context, sampling)
        started = time.perf_counter()
        for start in range(0, len(prompt), self._ubatch):
            part = prompt[start : start + self._ubatch]
            buffer = (ctypes.c_int32 * len(part))(*part)
            api.llama_decode(context, api.llama_batch_get_one(buffer, len(part)))
        middle = time.perf_counter()
        one = (ctypes.c_int32 * 1)()
        batch = api.llama_batch_get_one(one, 1)
        for _ in range(new_tokens):
            one[0] = sampler.sample()
            api.llama_decode(context, batch)
        ended = time.perf_counter()
        sampler.close()
        return Speeds(prompt=len(prompt) / (middle - started), decode=new_tokens / (ended - middle))

    def close(self) -> None:
        self._api.llama_free(self._context)
        self._api.llama_model_free(self._model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One reply of ours, and as many tokens by the bare loop right after it."""

    stats: GenerationStats
    ours: Speeds
    bare: Speeds


class PairedModel:
    """A `LoadedModel` that follows each of its replies with the bare loop's."""

    def __init__(self, model: LlamaModel, pairs: list[Pair], pause_s: float) -> None:
        self._model = model
        self._bare = BareLoop(model.info.spec)
        self._pairs = pairs
        self._pause_s = pause_s

    @property
    def info(self) -> LoadedInfo:
        return self._model.info

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        for delta in self._model.generate(request, cancel):
            yield delta
            if isinstance(delta, Finished):
                self._measure(delta.stats, request.sampling)

    def _measure(self, stats: GenerationStats, sampling: Sampling) -> None:
        time.sleep(self._pause_s)  # whoever shows the reply comes to rest
        evaluated = stats.prompt_tokens - stats.cached_tokens
        prompt = self._model.tokens[: stats.prompt_tokens]
        bare = self._bare.run(prompt, stats.generated_tokens, sampling)
        ours = Speeds(
            prompt=evaluated / stats.prompt_ms * 1000,
            decode=stats.generated_tokens / stats.generation_ms * 1000,
        )
        self._pairs.append(Pair(stats=stats, ours=ours, bare=bare))

    def close(self) -> None:
        self._bare.close()
        self._model.close()


class PairedRuntime:
    """A `Runtime` whose models measure themselves into `pairs`."""

    def __init__(self, pairs: list[Pair], pause_s: float = 0.0) -> None:
        self._pairs = pairs
        self._pause_s = pause_s

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> PairedModel:
        return PairedModel(LlamaRuntime().load(spec, progress, cancel), self._pairs, self._pause_s)
