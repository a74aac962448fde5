"""Loads a GGUF model with llama.cpp and gives it a session. Runs on the inference thread."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from engine.errors import Cancelled, LoadFailed
from engine.models.inspect import check_chat, inspect
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.context import Context
from engine.runtimes.llamacpp.parameters import model_parameters
from engine.runtimes.llamacpp.replies import ReplyMemory
from engine.runtimes.llamacpp.session import Parts, Session
from engine.runtimes.llamacpp.template import choose_template
from engine.runtimes.llamacpp.vocabulary import Vocabulary
from engine.types.cancel import CancelToken
from engine.types.generation import Delta, GenerationRequest
from engine.types.models import LoadedInfo, LoadSpec, ModelFacts, Notice

log = logging.getLogger("snug.engine")

BACKEND = "cpu"
_NO_TOKENIZER = 0
"""`LLAMA_VOCAB_TYPE_NONE`: the first text given to such a model would abort the process."""


def _open(
    api: Any,
    spec: LoadSpec,
    layers: int,
    progress: Callable[[float], None],
    cancel: CancelToken,
) -> int:
    def report(fraction: float, _data: object) -> bool:
        progress(fraction)
        return not cancel.cancelled

    native.log_tail.take()
    keep_going = api.llama_progress_callback(report)
    held = model_parameters(api, spec, layers=layers, keep_going=keep_going)
    model: int | None = api.llama_model_load_from_file(os.fsencode(spec.path), held.struct)
    if model:
        return model
    if cancel.cancelled:
        raise Cancelled
    raise LoadFailed(spec.path, native.log_tail.take())


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
        api=api,
        context=context,
        vocabulary=vocabulary,
        template=template,
        replies=ReplyMemory(vocabulary, limit_tokens=4 * context.length),
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
        return self._session.generate(request, cancel)

    def close(self) -> None:
        self._memory.close()


class LlamaRuntime:
    """See `Runtime`."""

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> LlamaModel:
        started = time.perf_counter()
        facts = inspect(spec.path)
        check_chat(facts)
        api = native.api()
        with ExitStack() as memory:
            model = _open(api, spec, facts.layers or 0, progress, cancel)
            memory.callback(api.llama_model_free, model)
            if api.llama_vocab_type(api.llama_model_get_vocab(model)) == _NO_TOKENIZER:
                raise LoadFailed(spec.path, "it has no tokenizer")
            context = Context(api, model, spec)
            memory.callback(context.close)
            session, notices = _session(api, model, facts, context)
            info = LoadedInfo(
                spec=spec,
                name=facts.name,
                backend=BACKEND,
                load_ms=(time.perf_counter() - started) * 1000,
                notices=notices,
            )
            log.info("loaded %s in %.0f ms", spec.path.name, info.load_ms)
            return LlamaModel(info, session, memory.pop_all())
