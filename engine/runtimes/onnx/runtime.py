"""Loads a model folder with ONNX Runtime GenAI and gives it a session. On the inference thread."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

from engine.errors import BackendUnusable, Cancelled
from engine.hardware.resident import read_resident
from engine.models.inspect import check_chat
from engine.models.onnx_folder import OnnxFolder, dump_limits, facts_of_folder, read_folder
from engine.models.onnx_tokenizer import read_settings
from engine.prompting.replies import ReplyMemory
from engine.prompting.session import Parts, Session
from engine.prompting.template import choose_template
from engine.runtimes.onnx import native
from engine.runtimes.onnx.context import Context
from engine.runtimes.onnx.failures import loading
from engine.runtimes.onnx.objects import Config, Generator, Model, Tokenizer
from engine.runtimes.onnx.sampling import Sampler
from engine.runtimes.onnx.vocabulary import Vocabulary
from engine.types.backends import PROCESSOR, BackendProblem
from engine.types.cancel import CancelToken
from engine.types.generation import Delta, GenerationRequest
from engine.types.models import LoadedInfo, LoadSpec, Notice

log = logging.getLogger("snug.engine")

_PROVIDERS = {"directml": "dml", "cuda": "cuda"}
"""Our names of backends, and the library's."""
_OPENED, _TOKENIZED = 0.8, 0.9
"""Fractions of a load: the weights take nearly all of it, and say nothing meanwhile."""

Progress = Callable[[float], None]


class OnnxModel:
    """A loaded model folder. `close` is explicit: native memory waits for no collector."""

    def __init__(self, info: LoadedInfo, session: Session, memory: ExitStack) -> None:
        self._info = info
        self._session = session
        self._memory = memory

    @property
    def info(self) -> LoadedInfo:
        return self._info

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        return self._session.generate(request, cancel)

    def close(self) -> None:
        self._memory.close()


class OnnxRuntime:
    """See `Runtime`."""

    def load(self, spec: LoadSpec, progress: Progress, cancel: CancelToken) -> OnnxModel:
        started = time.perf_counter()
        before = read_resident()
        with ExitStack() as memory:
            folder, opened = open_folder(memory, spec, progress, cancel)
            session, notices = _session(memory, folder, opened)
            info = LoadedInfo(
                spec=spec,
                name=facts_of_folder(folder).name,
                backend=_backend(spec),
                load_ms=(time.perf_counter() - started) * 1000,
                notices=notices,
                resident_bytes=max(0, read_resident().total_bytes - before.total_bytes),
            )
            progress(1.0)
            log.info("loaded %s in %.0f ms", spec.path.name, info.load_ms)
            return OnnxModel(info, session, memory.pop_all())


def open_folder(
    memory: ExitStack, spec: LoadSpec, progress: Progress, cancel: CancelToken
) -> tuple[OnnxFolder, tuple[Context, Tokenizer]]:
    """A context and a tokenizer, freed with `memory`. Raises a `ModelFileError`, `RuntimeMissing`,
    `BackendUnusable`, `OutOfMemory` or `Cancelled`."""
    folder = read_folder(spec.path)
    check_chat(facts_of_folder(folder))
    _go_on(cancel)
    library = native.library()
    length = min(spec.layout.context_length, folder.context_length or spec.layout.context_length)
    with loading(spec):
        config = Config(library, os.fsencode(spec.path))
        memory.callback(config.close)
        config.only_provider(_provider(spec))
        config.overlay(dump_limits(length, spec.layout.threads))
        model = Model(library, config)
        memory.callback(model.close)
        progress(_OPENED)
        _go_on(cancel)
        tokenizer = Tokenizer(library, model)
        memory.callback(tokenizer.close)
        progress(_TOKENIZED)
        _go_on(cancel)
        make = partial(Generator, library, model, length)
        context = Context(make, model.device, length=length, ubatch=spec.layout.ubatch)
        memory.callback(context.close)
    return folder, (context, tokenizer)


def _session(
    memory: ExitStack, folder: OnnxFolder, opened: tuple[Context, Tokenizer]
) -> tuple[Session, tuple[Notice, ...]]:
    context, tokenizer = opened
    settings = read_settings(folder.path)
    vocabulary = Vocabulary(tokenizer, folder, settings.control)
    memory.callback(vocabulary.close)
    template, notices = choose_template(
        settings.template, folder.architecture, vocabulary.has, settings.bos, settings.eos
    )
    parts = Parts(
        context=context,
        vocabulary=vocabulary,
        template=template,
        replies=ReplyMemory(vocabulary, limit_tokens=4 * context.length),
        new_sampler=partial(Sampler, context.logits),
    )
    return Session(parts), notices


def _go_on(cancel: CancelToken) -> None:
    if cancel.cancelled:
        raise Cancelled


def _backend(spec: LoadSpec) -> str:
    return next(iter(spec.layout.backends), PROCESSOR)


def _provider(spec: LoadSpec) -> str | None:
    """None is the processor."""
    backend = _backend(spec)
    if backend == PROCESSOR:
        return None
    if backend not in _PROVIDERS or not native.has_backend(backend):
        raise BackendUnusable(backend, BackendProblem.NOT_INSTALLED.value, "of ONNX Runtime")
    return _PROVIDERS[backend]
