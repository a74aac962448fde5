"""What models can be had: the catalogue that came with Snug, and a hub that a person looks into.

Nothing is asked of a network but in `search`, `look`, `look_entry` and `newest`, which a person
starts. Any thread but the GUI's.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.types.cancel import CancelToken
from engine.types.downloads import Wanted
from engine.types.hub import HubHit, HubRepo, Offering
from engine.types.plans import Plan, Verdict

if TYPE_CHECKING:
    from engine.models.catalogue import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A model of the catalogue and how it would do here. Not `exact`: its sizes are an estimate,
    for nobody has looked at its file yet. At most one is `recommended`."""

    entry: "Entry"
    verdict: Verdict
    needed_bytes: int
    free_bytes: int
    tokens_per_s: float | None
    size_bytes: int
    exact: bool = False
    recommended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A model of a repository. `plan` is None where its header was not read or says too little;
    not `exact`: it is that of another quantization, with its weights made larger or smaller.
    `entry` is set where it is one of the catalogue."""

    offering: Offering
    repo: HubRepo
    plan: Plan | None = None
    exact: bool = True
    recommended: bool = False
    entry: "Entry | None" = None

    @property
    def title(self) -> str:
        """The name for people."""
        return self.entry.name if self.entry is not None else self.offering.name


class Shop:
    """See the module."""

    def catalogue(self) -> "tuple[Entry, ...]":
        """No network."""
        raise NotImplementedError

    def judged(self, cancel: CancelToken) -> tuple[Judged, ...]:
        """The catalogue with verdicts for this machine, in its order. No network. Raises
        `Cancelled`."""
        raise NotImplementedError

    def search(self, text: str, cancel: CancelToken) -> tuple[HubHit, ...]:
        """Raises a `RemoteError` or `Cancelled`."""
        raise NotImplementedError

    def look(self, repo: str, cancel: CancelToken) -> tuple[Choice, ...]:
        """The models of a repository, the recommended one first; reads the header of that one.
        Raises a `RemoteError` or `Cancelled`."""
        raise NotImplementedError

    def exactly(self, choice: Choice, cancel: CancelToken) -> Choice:
        """With the plan of its own header. Raises a `RemoteError`, a `ModelFileError` or
        `Cancelled`."""
        raise NotImplementedError

    def look_entry(self, entry_id: str, cancel: CancelToken) -> Choice:
        """The files and the exact plan of a model of the catalogue. Raises as `look`."""
        raise NotImplementedError

    def wanted(self, choice: Choice, *, with_projector: bool = True) -> Wanted:
        """What is to be downloaded for it. Raises `NoSpace` or `FolderUnwritable`."""
        raise NotImplementedError

    def page_of(self, repo: str) -> str:
        """The address of a repository for a browser."""
        raise NotImplementedError

    def token_kept(self) -> bool:
        """Whether a token for the hub in use is known."""
        raise NotImplementedError

    def keep_token(self, text: str) -> bool:
        """False: only until Snug ends, for this computer has no store of secrets that works. ""
        forgets it. Raises `TokenRefused` for what can be no token."""
        raise NotImplementedError

    def metered(self) -> bool | None:
        """Whether the connection may cost money; None where that is not known."""
        raise NotImplementedError
