"""Loads a GGUF model with llama.cpp and gives it a session. Runs on the inference thread."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

from engine.hardware.resident import read_resident
from engine.models.inspect import check_chat, inspect
from engine.prompting.replies import ReplyMemory
from engine.prompting.session import Parts, Session
from engine.prompting.template import choose_template
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.buffers import measured_from
from engine.runtimes.llamacpp.context import Context
from engine.runtimes.llamacpp.opening import memory_errors, open_into, require_tokenizer
from engine.runtimes.llamacpp.sampling import Sampler
from engine.runtimes.llamacpp.vocabulary import Vocabulary
from engine.types.cancel import CancelToken
from engine.types.generation import Delta, GenerationRequest
from engine.types.models import LoadedInfo, LoadSpec, ModelFacts, Notice

log = logging.getLogger("snug.engine")

CPU = "cpu"


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def _session(
    api: Any, model: int, facts: ModelFacts, context: Context
) -> tuple[Session, tuple[Notice, ...]]:
    vocabulary = Vocabulary(api, model)
    template, notices = choose_template(
        _text(api.llama_model_chat_template(model, None)),
        facts.architecture,
        vocabulary.has,
        vocabulary.text_of(vocabulary.bos),
        vocabulary.text_of(vocabulary.eos),
    )
    parts = Parts(
        context=context,
        vocabulary=vocabulary,
        template=template,
        replies=ReplyMemory(vocabulary, limit_tokens=4 * context.length),
        new_sampler=partial(Sampler, api, vocabulary.size, context.pointer),
    )
    return Session(parts), notices


class LlamaModel:
    """A loaded GGUF model. `close` is explicit: native memory waits for no collector."""

    def __init__(self, info: LoadedInfo, session: Session, memory: ExitStack) -> None:
        self._info = info
        self._session = session
        self._memory = memory

    @property
    def info(self) -> LoadedInfo:
        return self._info

    @property
    def tokens(self) -> list[int]:
        """What the context holds, for measurements."""
        return self._session.tokens

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        with memory_errors():
            yield from self._session.generate(request, cancel)

    def close(self) -> None:
        self._memory.close()


class LlamaRuntime:
    """See `Runtime`."""

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> LlamaModel:
        with memory_errors():
            return _load(spec, progress, cancel)


def _load(spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken) -> LlamaModel:
    started = time.perf_counter()
    facts = inspect(spec.path)
    check_chat(facts)
    api = native.api()
    before = read_resident()
    with ExitStack() as memory:
        model = open_into(memory, spec, facts, progress=progress, cancel=cancel)
        require_tokenizer(api, spec, model.model)
        session, notices = _session(api, model.model, facts, model.context)
        info = LoadedInfo(
            spec=spec,
            name=facts.name,
            backend=next(iter(spec.layout.backends), CPU),
            load_ms=(time.perf_counter() - started) * 1000,
            notices=notices,
            measured=measured_from(model.lines, spec.devices),
            resident_bytes=max(0, read_resident().total_bytes - before.total_bytes),
        )
        log.info("loaded %s in %.0f ms", spec.path.name, info.load_ms)
        return LlamaModel(info, session, memory.pop_all())
