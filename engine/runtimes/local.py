"""Models in files of this computer: the format of a file decides what runs it.

Each runtime is imported when the first model needs it: they are heavy, and one is optional.
"""

from collections.abc import Callable
from importlib import import_module

from engine.models.inspect import format_of
from engine.ports import LoadedModel, Runtime
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec, ModelFormat

_RUNTIMES = {
    ModelFormat.GGUF: ("engine.runtimes.llamacpp.runtime", "LlamaRuntime"),
    ModelFormat.ONNX: ("engine.runtimes.onnx.runtime", "OnnxRuntime"),
}


class LocalRuntime:
    """See `Runtime`."""

    def __init__(self) -> None:
        self._made: dict[ModelFormat, Runtime] = {}

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> LoadedModel:
        return self._runtime(format_of(spec.path)).load(spec, progress, cancel)

    def _runtime(self, model_format: ModelFormat) -> Runtime:
        if model_format not in self._made:
            module, name = _RUNTIMES[model_format]
            self._made[model_format] = getattr(import_module(module), name)()
        return self._made[model_format]
