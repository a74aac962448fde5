"""Real models, loaded once a module."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.runtimes.llamacpp.runtime import LlamaModel, LlamaRuntime
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec
from engine.types.plans import Layout

Open = Callable[[Path, int], LlamaModel]


@pytest.fixture(scope="module")
def open_model() -> Iterator[Open]:
    models: dict[tuple[Path, int], LlamaModel] = {}

    def make(path: Path, context_length: int) -> LlamaModel:
        key = (path, context_length)
        if key not in models:
            spec = LoadSpec(path=path, layout=Layout(context_length=context_length, threads=2))
            models[key] = LlamaRuntime().load(spec, lambda _: None, CancelToken())
        return models[key]

    yield make
    for model in models.values():
        model.close()
