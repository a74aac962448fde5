"""Failures of loading, answering, and of this computer."""

from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors.base import EngineError

if TYPE_CHECKING:
    from engine.types.plans import Plan


class DoesNotFit(EngineError):
    """`plan` says what was needed, what there is, and what would work instead."""

    code = "does_not_fit"

    def __init__(self, path: Path, plan: "Plan") -> None:
        super().__init__(f"{path.name}: {plan.needed_bytes} bytes needed, {plan.free_bytes} free")
        self.path = path
        self.plan = plan


class OutOfMemory(EngineError):
    """`detail` is for the Details fold and the log."""

    code = "out_of_memory"

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail)
        self.detail = detail


class ModelHeldBack(EngineError):
    """Loading this model, or answering with it, ended a process `crashes` times; `stage` says
    what it was busy with. It is not loaded again unless a person asks."""

    code = "model_held_back"

    def __init__(self, path: Path, stage: str, crashes: int) -> None:
        super().__init__(f"{path.name}: crashed {crashes} times, last while {stage}")
        self.path = path
        self.stage = stage
        self.crashes = crashes


class TemplateFailed(EngineError):
    """`detail` is what the template or its sandbox said, for the Details fold and the log."""

    code = "template_failed"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class PromptTooLong(EngineError):
    code = "prompt_too_long"

    def __init__(self, prompt_tokens: int, limit_tokens: int) -> None:
        super().__init__(f"{prompt_tokens} tokens, {limit_tokens} fit")
        self.prompt_tokens = prompt_tokens
        self.limit_tokens = limit_tokens


class ProgramReplaced(EngineError):
    """The file of the program is another one than the one that runs. No kind of `EngineStopped`:
    nothing is learned from it about a model or a device."""

    code = "program_replaced"


class EngineStopped(EngineError):
    code = "engine_stopped"


class EngineCrashed(EngineStopped):
    """`cause` is the name of a signal (SIGSEGV) or an exit code; `stage` what it was busy with
    (probe, rehearsal, load, first_token, reply). `detail` holds the last lines it wrote."""

    code = "engine_crashed"

    def __init__(self, cause: str, stage: str, detail: str = "") -> None:
        super().__init__(f"{cause} while {stage}")
        self.cause = cause
        self.stage = stage
        self.detail = detail


class EngineTimedOut(EngineStopped):
    """`stage` as in `EngineCrashed`; `timeout_s` is how long it was waited for."""

    code = "engine_timed_out"

    def __init__(self, stage: str, timeout_s: float) -> None:
        super().__init__(f"no answer for {timeout_s:g} s while {stage}")
        self.stage = stage
        self.timeout_s = timeout_s


class MachineUnreadable(EngineError):
    """The file is neither a hardware report nor a recorded machine; `detail` says where."""

    code = "machine_unreadable"

    def __init__(self, path: Path, detail: str) -> None:
        super().__init__(f"{path}: {detail}")
        self.path = path
        self.detail = detail


class RuntimeMissing(EngineError):
    """`runtime` is onnx."""

    code = "runtime_missing"

    def __init__(self, runtime: str) -> None:
        super().__init__(runtime)
        self.runtime = runtime


class BackendUnusable(EngineError):
    """`problem` is the value of a `BackendProblem`."""

    code = "backend_unusable"

    def __init__(self, backend: str, problem: str, detail: str = "") -> None:
        super().__init__(f"{backend}: {problem}: {detail}")
        self.backend = backend
        self.problem = problem
        self.detail = detail


class PackRefused(EngineError):
    """`problem` is the value of a `PackProblem`; what was installed before is still there."""

    code = "pack_refused"

    def __init__(self, path: Path, problem: str, detail: str = "") -> None:
        super().__init__(f"{path.name}: {problem}: {detail}")
        self.path = path
        self.problem = problem
        self.detail = detail


class NoSpace(EngineError):
    """`needed_bytes` more would have to be free; `free_bytes` are, beside the reserve."""

    code = "no_space"

    def __init__(self, folder: Path, needed_bytes: int, free_bytes: int) -> None:
        super().__init__(f"{folder}: {needed_bytes} bytes needed, {free_bytes} free")
        self.folder = folder
        self.needed_bytes = needed_bytes
        self.free_bytes = free_bytes


class FolderUnwritable(EngineError):
    code = "folder_unwritable"

    def __init__(self, folder: Path, detail: str = "") -> None:
        super().__init__(f"{folder}: {detail}")
        self.folder = folder
        self.detail = detail


class FolderBusy(FolderUnwritable):
    """Another Snug is downloading into it."""

    code = "folder_busy"


class NotLoaded(EngineError):
    code = "not_loaded"


class Cancelled(EngineError):
    code = "cancelled"
