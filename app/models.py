"""Which model answers: the server a person turned on, else the file they named, else the starter.

The choice is made once and kept until another is made: a file that is moved away while its model
is in memory keeps answering.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from app.paths import Paths, shared_models
from app.starter import find_starter, read_manifest
from engine.errors import EngineError, StarterMissing
from engine.models.inspect import check_chat, inspect
from engine.models.onnx_folder import CONFIG
from engine.models.reading import read_chat_model
from engine.types.generation import Sampling
from engine.types.models import ModelFormat
from engine.types.plans import LoadRequest, Wishes
from engine.types.remote import RemoteModel
from engine.types.shapes import Alternative


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model to answer with: its name for people, and how to load, prompt and sample it."""

    name: str
    request: LoadRequest
    system: str = ""
    sampling: Sampling = field(default_factory=Sampling)


def choose(
    paths: Paths, file: Path | None = None, context_length: int | None = None
) -> ModelChoice:
    """The model in `file`, or the starter model. Raises a `ModelFileError` if it can not chat.

    `file` may be a folder of ONNX Runtime. The starter's own file is the starter, with its system
    prompt and sampling.
    """
    if file is None or file == find_starter(paths):
        return _starter(paths, context_length)
    facts = inspect(file)
    check_chat(facts)
    wishes = Wishes(context_length=context_length)
    return ModelChoice(name=facts.name or file.stem, request=LoadRequest(path=file, wishes=wishes))


def _starter(paths: Paths, context_length: int | None) -> ModelChoice:
    manifest = read_manifest()
    path = find_starter(paths)
    if path is None:
        raise StarterMissing(paths.models / manifest.file, "the starter model is not installed")
    wishes = Wishes(context_length=context_length or manifest.recommended_context_length)
    return ModelChoice(
        name=manifest.name,
        request=LoadRequest(path=path, wishes=wishes),
        system=manifest.system,
        sampling=manifest.sampling,
    )


def nowhere() -> RemoteModel | None:
    """Every model is on this computer."""
    return None


def _elsewhere(remote: RemoteModel) -> ModelChoice:
    return ModelChoice(name=remote.model, request=LoadRequest(path=Path(), remote=remote))


class ModelService:
    """The choice and what else there is. Any thread; `choose` may wait for the disk."""

    def __init__(
        self,
        paths: Paths,
        file: Path | None = None,
        context_length: int | None = None,
        extra_safe: Callable[[], bool] = lambda: False,
        remote: Callable[[], RemoteModel | None] = nowhere,
    ) -> None:
        self._paths = paths
        self._extra_safe = extra_safe
        self._remote = remote
        self._file = file
        self._context_length = context_length
        self._anyway = False
        self._choice: ModelChoice | None = None
        self._lock = Lock()

    def choose(self) -> ModelChoice:
        """Raises a `ModelFileError`; then the next call looks again."""
        if (remote := self._remote()) is not None:
            return _elsewhere(remote)
        with self._lock:
            if self._choice is None:
                made = choose(self._paths, self._file, self._context_length)
                wishes = replace(made.request.wishes, load_anyway=self._anyway)
                self._choice = replace(made, request=replace(made.request, wishes=wishes))
            request = replace(self._choice.request, extra_safe=self._extra_safe())
            return replace(self._choice, request=request)

    @property
    def remote(self) -> RemoteModel | None:
        """The model elsewhere that answers now, if one does. Quick."""
        return self._remote()

    def use(self, file: Path | None, context_length: int | None = None) -> None:
        """Answer with another model from now on; None is the starter."""
        with self._lock:
            self._file, self._context_length = file, context_length
            self._anyway, self._choice = False, None

    def load_anyway(self) -> None:
        """The chosen model may be loaded although it is too big."""
        with self._lock:
            self._anyway, self._choice = True, None

    def alternatives(self) -> tuple[Alternative, ...]:
        """The other models on this computer that can chat."""
        with self._lock:
            chosen = self._choice.request.path if self._choice else self._file
        found = (_alternative(path) for path in self._files() if path != chosen)
        return tuple(model for model in found if model is not None)

    def _files(self) -> list[Path]:
        starter = find_starter(self._paths)
        folders = dict.fromkeys((self._paths.models, shared_models()))
        files = [path for folder in folders for path in sorted(folder.glob("*.gguf"))]
        settings = [path for folder in folders for path in sorted(folder.glob(f"*/{CONFIG}"))]
        models = [*files, *(path.parent for path in settings)]
        return list(dict.fromkeys(([starter] if starter else []) + models))


def _alternative(path: Path) -> Alternative | None:
    try:
        facts, shape = read_chat_model(path)
    except EngineError:
        return None
    if facts.format is ModelFormat.ONNX and not _runs_onnx():
        return None
    manifest = read_manifest()
    name = manifest.name if path.name == manifest.file else facts.name or path.stem
    return Alternative(name=name, path=path, shape=shape)


def _runs_onnx() -> bool:
    from engine.runtimes.onnx import native  # noqa: PLC0415 - only where there is such a model

    return native.is_installed()
