"""Which model answers: the server a person turned on, else the file they named, else the one they
chose from the library, else the starter.

The choice is made once and kept until another is made: a file that is moved away while its model
is in memory keeps answering.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from app.installed import Installed, Places, installed_in
from app.paths import Paths
from app.settings import CHOSEN_MODEL, Settings
from app.starter import find_starter, read_manifest
from engine.errors import EngineError, ModelMissing, StarterMissing
from engine.models.inspect import check_chat, inspect
from engine.models.library.entries import name_of
from engine.models.reading import read_chat_model
from engine.types.generation import Sampling
from engine.types.library import InstalledModel
from engine.types.models import ModelFormat
from engine.types.plans import LoadRequest, Wishes
from engine.types.remote import RemoteModel
from engine.types.shapes import Alternative

log = logging.getLogger("snug.chat")


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
    return ModelChoice(
        name=name_of(file, facts.name), request=LoadRequest(path=file, wishes=wishes)
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The models of this computer: which one the person has chosen (None: the starter; quick), and
    all of them (may wait for the disk)."""

    chosen: Callable[[], Path | None]
    installed: Callable[[], Sequence[InstalledModel]]


def stock_of(paths: Paths, settings: Settings, installed: Installed | None = None) -> Stock:
    """As `settings` say."""

    def chosen() -> Path | None:
        kept = settings.now(CHOSEN_MODEL)[0]
        return Path(kept) if kept else None

    listed = installed or installed_in(paths, Places(paths, settings))
    return Stock(chosen=chosen, installed=listed.models)


class ModelService:
    """The choice and what else there is. Any thread; `choose` may wait for the disk."""

    def __init__(
        self,
        paths: Paths,
        file: Path | None = None,
        context_length: int | None = None,
        extra_safe: Callable[[], bool] = lambda: False,
        remote: Callable[[], RemoteModel | None] = nowhere,
        stock: Stock | None = None,
    ) -> None:
        self._paths = paths
        self._extra_safe = extra_safe
        self._remote = remote
        self._stock = stock or stock_of(paths, Settings(paths.settings))
        self._picked = file is not None
        """In this session: what the settings say counts no more."""
        self._file = file
        self._context_length = context_length
        self._anyway = False
        self._choice: ModelChoice | None = None
        self._fell_back: Path | None = None
        self._lock = Lock()

    def choose(self) -> ModelChoice:
        """Raises a `ModelFileError`; then the next call looks again."""
        if (remote := self._remote()) is not None:
            return _elsewhere(remote)
        with self._lock:
            if self._choice is None:
                made = self._make()
                wishes = replace(made.request.wishes, load_anyway=self._anyway)
                self._choice = replace(made, request=replace(made.request, wishes=wishes))
            request = replace(self._choice.request, extra_safe=self._extra_safe())
            return replace(self._choice, request=request)

    def _make(self) -> ModelChoice:
        """With the lock held. A chosen model that is gone, with its disk perhaps, costs no chat."""
        file = self._file if self._picked else self._stock.chosen()
        try:
            made = choose(self._paths, file, self._context_length)
        except StarterMissing:
            raise
        except ModelMissing:
            if self._picked or file is None:
                raise
            log.warning("the chosen model is gone, so the starter answers")
            made = choose(self._paths, None, self._context_length)
            self._fell_back = file
        return made

    @property
    def remote(self) -> RemoteModel | None:
        """The model elsewhere that answers now, if one does. Quick."""
        return self._remote()

    @property
    def fell_back(self) -> Path | None:
        """The chosen model, where it is gone and the starter answers in its place. Quick."""
        return self._fell_back

    @property
    def file(self) -> Path | None:
        """Of the model that answers when one of this computer does; None if the starter should and
        is not there. Quick."""
        choice = self._choice
        if choice is not None:
            return choice.request.path
        file = self._file if self._picked else self._stock.chosen()
        return file or find_starter(self._paths)

    def use(self, file: Path | None, context_length: int | None = None) -> None:
        """Answer with another model from now on; None is the starter."""
        with self._lock:
            self._picked = True
            self._file, self._context_length = file, context_length
            self._anyway, self._choice, self._fell_back = False, None, None

    def load_anyway(self) -> None:
        """The chosen model may be loaded although it is too big."""
        with self._lock:
            self._anyway, self._choice = True, None

    def alternatives(self) -> tuple[Alternative, ...]:
        """The other models on this computer that can chat."""
        chosen = self.file
        others = (
            model for model in self._stock.installed() if model.usable and model.path != chosen
        )
        found = (_alternative(model) for model in others)
        return tuple(model for model in found if model is not None)


def _alternative(model: InstalledModel) -> Alternative | None:
    if model.format is ModelFormat.ONNX and not _runs_onnx():
        return None
    try:
        _facts, shape = read_chat_model(model.path)
    except EngineError:
        return None
    return Alternative(name=model.name, path=model.path, shape=shape)


def _runs_onnx() -> bool:
    from engine.runtimes.onnx import native  # noqa: PLC0415 - only where there is such a model

    return native.is_installed()
