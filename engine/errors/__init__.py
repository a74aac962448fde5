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
     ├── ProgramReplaced           Snug was updated while it ran: its children would be others
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
     │    └── FolderBusy           another Snug is downloading into it
     ├── MachineUnreadable         a file that should describe a machine does not
     ├── NotLoaded                 asked to answer without a model
     └── Cancelled                 the person stopped the work before it had a result

Each class has a stable `code` for scripts and translations. Parameters are typed; sentences
for people live in `ui/messages.py` and the command line.
"""

from engine.errors.base import EngineError
from engine.errors.files import (
    AlreadyThere,
    FileTooBigForDisk,
    HashMismatch,
    LoadFailed,
    ModelCutOff,
    ModelDamaged,
    ModelFileError,
    ModelMissing,
    ModelTooNew,
    NoBin,
    NotAChatModel,
    NotAModel,
    NotOurs,
    PartsMissing,
    SplitPart,
    StarterMissing,
    WrongByteOrder,
)
from engine.errors.remote import (
    AddressUnusable,
    FileChanged,
    KeyRefused,
    LicenceNotAccepted,
    NotOnHub,
    OfflineOnly,
    ProxyRefused,
    RemoteError,
    RemoteModelMissing,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    ServerSilent,
    ServerUnreachable,
    ServerUntrusted,
    TokenMissing,
    TokenRefused,
)
from engine.errors.work import (
    BackendUnusable,
    Cancelled,
    DoesNotFit,
    EngineCrashed,
    EngineStopped,
    EngineTimedOut,
    FolderBusy,
    FolderUnwritable,
    MachineUnreadable,
    ModelHeldBack,
    NoSpace,
    NotLoaded,
    OutOfMemory,
    PackRefused,
    ProgramReplaced,
    PromptTooLong,
    RuntimeMissing,
    TemplateFailed,
)

__all__ = [
    "AddressUnusable",
    "AlreadyThere",
    "BackendUnusable",
    "Cancelled",
    "DoesNotFit",
    "EngineCrashed",
    "EngineError",
    "EngineStopped",
    "EngineTimedOut",
    "FileChanged",
    "FileTooBigForDisk",
    "FolderBusy",
    "FolderUnwritable",
    "HashMismatch",
    "KeyRefused",
    "LicenceNotAccepted",
    "LoadFailed",
    "MachineUnreadable",
    "ModelCutOff",
    "ModelDamaged",
    "ModelFileError",
    "ModelHeldBack",
    "ModelMissing",
    "ModelTooNew",
    "NoBin",
    "NoSpace",
    "NotAChatModel",
    "NotAModel",
    "NotLoaded",
    "NotOnHub",
    "NotOurs",
    "OfflineOnly",
    "OutOfMemory",
    "PackRefused",
    "PartsMissing",
    "ProgramReplaced",
    "PromptTooLong",
    "ProxyRefused",
    "RemoteError",
    "RemoteModelMissing",
    "RuntimeMissing",
    "ServerBusy",
    "ServerFailed",
    "ServerIncomprehensible",
    "ServerSilent",
    "ServerUnreachable",
    "ServerUntrusted",
    "SplitPart",
    "StarterMissing",
    "TemplateFailed",
    "TokenMissing",
    "TokenRefused",
    "WrongByteOrder",
]
