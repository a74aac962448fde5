"""What can be had, and how it would do on this machine. Values only."""

from dataclasses import dataclass

from engine.errors import EngineError
from engine.models.catalogue import Entry
from engine.types.hub import HubRepo, Offering
from engine.types.plans import Plan, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A model of the catalogue and how it would do here. Not `exact`: its sizes are an estimate,
    for nobody has looked at its file yet. At most one is `recommended`."""

    entry: Entry
    verdict: Verdict
    needed_bytes: int
    free_bytes: int
    tokens_per_s: float | None
    size_bytes: int
    exact: bool = False
    recommended: bool = False
    plan: Plan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A model of a repository. `plan` is None where its header was not read or says too little;
    not `exact`: it is that of another quantization, with its weights made larger or smaller.
    `refusal` is why Snug could not use it. `entry` is set where it is one of the catalogue."""

    offering: Offering
    repo: HubRepo
    plan: Plan | None = None
    exact: bool = True
    recommended: bool = False
    refusal: EngineError | None = None
    entry: Entry | None = None

    @property
    def title(self) -> str:
        """The name for people."""
        return self.entry.name if self.entry is not None else self.offering.name
