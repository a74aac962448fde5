"""The engine's backends: which plug-ins there are, which work here, and why others do not."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

Settings = tuple[tuple[str, str], ...]
"""Names and values of environment variables that a backend reads when it starts."""

PROCESSOR = "cpu"
"""The backend that everything falls back to."""


class Origin(StrEnum):
    BUILT_IN = "built_in"
    """Came with this Snug, in one folder with the engine."""
    PACK = "pack"
    """Came later, in a signed pack."""


class BackendProblem(StrEnum):
    """Why a backend is not used. Codes; `ui/` and `app/cli` have the sentences."""

    NOT_INSTALLED = "not_installed"
    """This Snug has no plug-in for it; a pack may bring it."""
    NOT_FOR_THIS_SYSTEM = "not_for_this_system"
    WRONG_BUILD = "wrong_build"
    """The plug-in was made for another build of the engine and is never loaded."""
    NOT_LOADABLE = "not_loadable"
    """The system could not load it: a driver or a library is missing."""
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    NO_DEVICE = "no_device"
    """It works, and found nothing to work on."""
    WRONG_ANSWER = "wrong_answer"
    """It computes something else than the processor does."""
    SLOWER = "slower"
    """The processor is about as fast or faster."""
    DENIED = "denied"
    """Known to be wrong or slow on such a machine."""


class BackendState(StrEnum):
    READY = "ready"
    MISSING = "missing"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """A library that is a backend. Only approved ones are ever loaded, and only by this path.

    `path` is absolute. `build_id` is what the file itself says; `settings` are set before it is
    loaded; `needs` are the libraries that came with it, in the order to load them before it.
    """

    backend: str
    path: Path
    origin: Origin
    build_id: str = ""
    settings: Settings = ()
    needs: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendReport:
    """What became of one backend. `problem` is None where it is ready; `detail` is for the Details
    fold and the log; `variant` names the processor's plug-in that was picked."""

    backend: str
    state: BackendState
    problem: BackendProblem | None = None
    detail: str = ""
    origin: Origin = Origin.BUILT_IN
    variant: str = ""


class Outcome(StrEnum):
    """How a device's self-test ended."""

    PASSED = "passed"
    WRONG_ANSWER = "wrong_answer"
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTrial:
    """What a device has proved here with this driver and this build of the engine.

    `settings` are those it passed with, () for none; with any other outcome, those tried last.
    """

    outcome: Outcome
    settings: Settings = ()
    detail: str = ""

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED
