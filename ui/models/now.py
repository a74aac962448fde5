"""How the model in use is doing, as the window knows it: a value, and how events change it.

No Qt here.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto

from app.events import (
    Event,
    ModelFailed,
    ModelLoadCancelled,
    ModelLoading,
    ModelReady,
    ModelUnloaded,
    ReplyEnded,
)
from engine.errors import (
    Cancelled,
    DoesNotFit,
    EngineCrashed,
    EngineError,
    EngineTimedOut,
    OutOfMemory,
)
from engine.types.models import LoadedInfo, LoadStage, UnloadReason
from engine.types.plans import Plan, Verdict
from engine.types.remote import RemoteModel


class Phase(Enum):
    NOTHING = auto()
    """Nothing has been heard of a model yet."""
    LOADING = auto()
    READY = auto()
    RESTING = auto()
    """Out of memory for now; the next question brings it back, and nobody need worry."""
    NOT_LOADED = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelNow:
    """`info` is of the last successful load of the model that `name` is of. `error` with FAILED."""

    name: str = ""
    phase: Phase = Phase.NOTHING
    stage: LoadStage = LoadStage.CHECKING
    fraction: float = 0.0
    info: LoadedInfo | None = None
    error: EngineError | None = None
    tokens_per_s: float | None = None
    """How fast the last long enough reply was written."""
    remote: RemoteModel | None = None
    """Where answers come from, if not from this computer; `placed` keeps it true."""

    @property
    def known(self) -> bool:
        """Whether there is anything to show: a model, or that there is none."""
        return bool(self.name) or self.phase is Phase.FAILED

    @property
    def plan(self) -> Plan | None:
        if isinstance(self.error, DoesNotFit):
            return self.error.plan
        return self.info.plan if self.info else None

    @property
    def fit(self) -> Plan | None:
        """The plan that says how it fits: of what runs or rests, or of what does not fit."""
        runs = self.phase in {Phase.READY, Phase.RESTING}
        return self.plan if runs or self.too_big else None

    @property
    def too_big(self) -> bool:
        return isinstance(self.error, DoesNotFit)

    @property
    def verdict(self) -> Verdict | None:
        """What runs although it is too big is slow at worst."""
        if self.fit is None:
            return None
        anyway = self.fit.verdict is Verdict.TOO_BIG and not self.too_big
        return Verdict.FITS_SLOWLY if anyway else self.fit.verdict

    @property
    def percent(self) -> int | None:
        """Of the load itself, once that is known."""
        known = self.stage is LoadStage.LOADING and self.fraction > 0
        return min(100, round(self.fraction * 100)) if known else None


def after(now: ModelNow, event: Event) -> ModelNow:  # noqa: PLR0911 - one line an event
    """`now`, once `event` has happened."""
    match event:
        case ModelLoading(name=name, stage=stage, fraction=fraction):
            info = now.info if name == now.name else None
            loading = ModelNow(name=name, phase=Phase.LOADING, info=info)
            return replace(loading, stage=stage, fraction=fraction)
        case ModelReady(info=info):
            return ModelNow(name=now.name or info.name, phase=Phase.READY, info=info)
        case ModelFailed(error=Cancelled()):
            return replace(now, phase=Phase.NOT_LOADED, error=None)
        case ModelFailed(error=error, name=name):
            known = now if name in {"", now.name} else ModelNow(name=name)
            return replace(known, phase=Phase.FAILED, error=error)
        case ReplyEnded():
            return _after_reply(now, event)
        case ModelLoadCancelled(name=name):
            return replace(now, name=name, phase=Phase.NOT_LOADED, error=None)
        case ModelUnloaded(name=name, reason=reason):
            gone = Phase.NOT_LOADED if reason is UnloadReason.MEMORY else Phase.RESTING
            return replace(now, name=now.name or name, phase=gone, error=None)
        case _:
            return now


def placed(now: ModelNow, chosen: RemoteModel | None) -> ModelNow:
    """`now`, marked with where answers come from: what is loaded counts, and what is `chosen`,
    whichever of them is another computer."""
    loaded = now.info.spec.remote if now.info and now.phase is Phase.READY else None
    return replace(now, remote=chosen or loaded)


def concerns(event: Event, chosen: RemoteModel | None) -> bool:
    """Not so an event of a model here that was asked for before another computer was `chosen`."""
    if chosen is None:
        return True
    match event:
        case ModelReady(info=info):
            return info.spec.remote is not None
        case (
            ModelLoading(name=name)
            | ModelFailed(name=name)
            | ModelLoadCancelled(name=name)
            | ModelUnloaded(name=name)
        ):
            return name in {"", chosen.model}
        case _:
            return True


def moved(chosen: RemoteModel | None) -> ModelNow:
    """Another place was chosen, and nothing has been heard of a model there yet."""
    return ModelNow(name=chosen.model if chosen else "", remote=chosen)


def _after_reply(now: ModelNow, event: ReplyEnded) -> ModelNow:
    if isinstance(event.error, EngineCrashed | EngineTimedOut | OutOfMemory):
        return replace(now, phase=Phase.FAILED, error=event.error)  # nothing is loaded any more
    return replace(now, tokens_per_s=event.tokens_per_s or now.tokens_per_s)
