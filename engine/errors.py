"""Every way the engine can fail.

    EngineError
     ├── ModelFileError            the file is at fault; nothing was loaded
     │    ├── ModelMissing
     │    │    └── StarterMissing  the model that comes with Snug is not there
     │    ├── NotAModel            no GGUF magic
     │    ├── ModelCutOff          ends before its header says
     │    ├── ModelDamaged         a count, length, type or offset makes no sense
     │    ├── ModelTooNew          a GGUF version newer than we read
     │    ├── WrongByteOrder       big-endian file
     │    ├── SplitPart            one part of several
     │    ├── PartsMissing         some parts of a model in several files are not there
     │    ├── HashMismatch         the bytes are not those that the hash was made of
     │    ├── NotOurs              another program's, or a person's own: Snug does not change it
     │    ├── AlreadyThere         a model of this name is in the library
     │    ├── NoBin                the system has no bin for it: only deleting for good is left
     │    ├── FileTooBigForDisk    the disk takes no file of this size (FAT32: 4 GiB)
     │    └── NotAChatModel        projector, embedding model, adapter …
     ├── LoadFailed                the native loader refused the file
     ├── DoesNotFit                the plan says so; nothing was loaded
     ├── OutOfMemory               memory ran out while loading or answering
     ├── ModelHeldBack             it crashed before; only a person may try it again
     ├── TemplateFailed            a chat template can not render this conversation
     ├── PromptTooLong             the newest message alone does not fit the context
     ├── EngineStopped             native code failed while answering
     │    ├── EngineCrashed        the process that ran it died
     │    └── EngineTimedOut       the process that ran it no longer answered and was ended
     ├── RuntimeMissing            what runs this kind of model is not installed
     ├── BackendUnusable           a plug-in of the engine can not be loaded
     ├── PackRefused               a backend pack is not what it should be
     ├── RemoteError               a server elsewhere did not answer as it should
     │    ├── OfflineOnly          the person wants nothing to leave this computer
     │    ├── AddressUnusable      no address, or not one of a server
     │    ├── ServerUnreachable    nothing answers there
     │    ├── ServerUntrusted      its certificate can not be checked
     │    ├── ServerSilent         it stopped answering
     │    ├── KeyRefused           it wants a key, or another one
     │    ├── RemoteModelMissing   it does not have this model
     │    ├── ServerBusy           it asks to come back later
     │    ├── ServerFailed         it failed by itself
     │    ├── ServerIncomprehensible  something else answers there
     │    ├── ProxyRefused         the proxy on the way does not let it through
     │    ├── TokenMissing         a hub wants to know who asks
     │    ├── TokenRefused         a hub does not know this token
     │    ├── LicenceNotAccepted   the person has to accept a licence at the hub first
     │    ├── NotOnHub             a hub has no such repository or file
     │    └── FileChanged          the file on the server is another one now
     ├── NoSpace                   the disk has no room for it
     ├── FolderUnwritable          nothing can be written into a folder
     ├── MachineUnreadable         a file that should describe a machine does not
     ├── NotLoaded                 asked to answer without a model
     └── Cancelled                 the person stopped the work before it had a result

Each class has a stable `code` for scripts and translations. Parameters are typed; sentences
for people live in `ui/messages.py` and the command line.
"""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from engine.types.plans import Plan


class EngineError(Exception):
    code: ClassVar[str] = "engine"


class ModelFileError(EngineError):
    """Something is wrong with a model file. `detail` is for the Details fold and the log."""

    code = "model_file"

    def __init__(self, path: Path, detail: str = "") -> None:
        super().__init__(f"{path}: {detail}" if detail else str(path))
        self.path = path
        self.detail = detail


class ModelMissing(ModelFileError):
    code = "model_missing"


class StarterMissing(ModelMissing):
    code = "starter_missing"


class NotAModel(ModelFileError):
    code = "not_a_model"


class ModelCutOff(ModelFileError):
    code = "model_cut_off"


class ModelDamaged(ModelFileError):
    code = "model_damaged"


class ModelTooNew(ModelFileError):
    code = "model_too_new"


class WrongByteOrder(ModelFileError):
    code = "wrong_byte_order"


class SplitPart(ModelFileError):
    code = "split_part"

    def __init__(self, path: Path, part: int, parts: int) -> None:
        super().__init__(path, f"part {part} of {parts}")
        self.part = part
        self.parts = parts


class PartsMissing(ModelFileError):
    """`names` of the parts that are not beside the others."""

    code = "parts_missing"

    def __init__(self, path: Path, names: tuple[str, ...]) -> None:
        super().__init__(path, ", ".join(names))
        self.names = names


class HashMismatch(ModelFileError):
    code = "hash_mismatch"


class NotOurs(ModelFileError):
    """`owner` is the value of an `Owner`."""

    code = "not_ours"

    def __init__(self, path: Path, owner: str) -> None:
        super().__init__(path, owner)
        self.owner = owner


class AlreadyThere(ModelFileError):
    code = "already_there"


class NoBin(ModelFileError):
    """Nothing was removed. A person may still want it deleted for good."""

    code = "no_bin"


class FileTooBigForDisk(ModelFileError):
    """The disk has room, but its kind takes no file of this size. `path` is the file that was to be
    written."""

    code = "file_too_big_for_disk"


class NotAChatModel(ModelFileError):
    """`kind` is the value of the file's `ModelKind`."""

    code = "not_a_chat_model"

    def __init__(self, path: Path, kind: str) -> None:
        super().__init__(path, kind)
        self.kind = kind


class LoadFailed(ModelFileError):
    """The native loader gave up; `detail` holds the last lines of its log."""

    code = "load_failed"


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


class RemoteError(EngineError):
    """`address` is the server's; `detail` is what it or the system said."""

    code = "remote"

    def __init__(self, address: str, detail: str = "") -> None:
        super().__init__(f"{address}: {detail}" if detail else address)
        self.address = address
        self.detail = detail


class OfflineOnly(RemoteError):
    code = "offline_only"


class AddressUnusable(RemoteError):
    code = "address_unusable"


class ServerUnreachable(RemoteError):
    code = "server_unreachable"


class ServerUntrusted(RemoteError):
    code = "server_untrusted"


class ServerSilent(RemoteError):
    code = "server_silent"


class KeyRefused(RemoteError):
    code = "key_refused"


class RemoteModelMissing(RemoteError):
    code = "remote_model_missing"


class ServerBusy(RemoteError):
    """`retry_after_s`: what the server asked for; None where it did not say."""

    code = "server_busy"

    def __init__(self, address: str, detail: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(address, detail)
        self.retry_after_s = retry_after_s


class ServerFailed(RemoteError):
    code = "server_failed"


class ServerIncomprehensible(RemoteError):
    code = "server_incomprehensible"


class ProxyRefused(RemoteError):
    code = "proxy_refused"


class TokenMissing(RemoteError):
    code = "token_missing"


class TokenRefused(RemoteError):
    code = "token_refused"


class LicenceNotAccepted(RemoteError):
    """`page` is where a person can accept it."""

    code = "licence_not_accepted"

    def __init__(self, address: str, page: str) -> None:
        super().__init__(address, page)
        self.page = page


class NotOnHub(RemoteError):
    code = "not_on_hub"


class FileChanged(RemoteError):
    code = "file_changed"


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


class NotLoaded(EngineError):
    code = "not_loaded"


class Cancelled(EngineError):
    code = "cancelled"
