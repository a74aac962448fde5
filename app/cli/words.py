"""What the command line says when something goes wrong, and the exit code that goes with it.

0 done, the codes below for what went wrong, and 128 with the number of the signal for a command
that was told to end: 130 Ctrl+C, 143 SIGTERM, 129 SIGHUP.
"""

import json
import math
import sys
from contextlib import suppress
from dataclasses import dataclass

from app import errors as app_errors
from app.cli.plan_words import explanation, offered, size
from engine import errors
from engine.types.models import Notice

USAGE, FILE, DOES_NOT_FIT, ENGINE, NETWORK, NOT_ALLOWED = 2, 3, 4, 5, 6, 7


class UsageMistake(Exception):
    """The command was called in a way that it does not understand."""

    code = "usage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    message: str
    hint: str
    exit_code: int


def _file(message: str, hint: str) -> Words:
    return Words(message=message, hint=hint, exit_code=FILE)


def _network(message: str, hint: str) -> Words:
    return Words(message=message, hint=hint, exit_code=NETWORK)


_AGAIN = "Get the file again, best from where it was first published."
_NOTICES = {
    Notice.TEMPLATE_MISSING: "This model does not say how it wants to be spoken to. Snug uses a "
    "common form; answers may be odd.",
    Notice.TEMPLATE_BROKEN: "The way this model wants to be spoken to could not be understood. "
    "Snug uses a common form; answers may be odd.",
}
_BY_CLASS: dict[type[Exception], Words] = {
    UsageMistake: Words(message="", hint="Try: snug --help", exit_code=USAGE),
    errors.ModelMissing: _file(
        "There is no model file at this place.", "Check the path, or run the setup again."
    ),
    errors.StarterMissing: _file(
        "The starter model is missing.", "In a checkout, run: python3 dev.py setup"
    ),
    errors.NotAModel: _file(
        "This file is not a model that Snug can use.", "Snug reads models in GGUF files."
    ),
    errors.ModelCutOff: _file("The file ends too early: a part of it is missing.", _AGAIN),
    errors.ModelDamaged: _file("The file is damaged.", _AGAIN),
    errors.ModelTooNew: _file(
        "The file is of a newer kind than this Snug knows.", "Update Snug, then try again."
    ),
    errors.WrongByteOrder: _file(
        "The file was made for another kind of processor.", "Look for a little-endian version."
    ),
    errors.SplitPart: _file(
        "This is one part of a model in several files.", "Name its first part."
    ),
    errors.PartsMissing: _file(
        "Some parts of this model are missing.", "Put all of them into one folder."
    ),
    errors.HashMismatch: _file("The file is not what it should be: it is damaged.", _AGAIN),
    errors.NotOurs: _file(
        "This model belongs to another program or came with Snug, so it is left as it is.",
        "Remove it where it came from.",
    ),
    errors.AlreadyThere: _file("This model is here already.", "See: snug models list"),
    errors.NoBin: Words(
        message="There is no bin for this file, so nothing was removed.",
        hint="With --for-good it is deleted at once.",
        exit_code=NOT_ALLOWED,
    ),
    errors.FileTooBigForDisk: Words(
        message="This disk takes no file that large.",
        hint="Choose another disk, or a smaller model.",
        exit_code=NOT_ALLOWED,
    ),
    errors.NotAChatModel: _file("This model is not made for conversation.", "Choose a chat model."),
    errors.LoadFailed: _file("The model could not be loaded.", "The log says more."),
    errors.DoesNotFit: Words(
        message="", hint="With --anyway it is loaded all the same.", exit_code=DOES_NOT_FIT
    ),
    errors.OutOfMemory: Words(
        message="Memory ran out.",
        hint="Close other programs, or choose a smaller model.",
        exit_code=DOES_NOT_FIT,
    ),
    errors.ModelHeldBack: Words(
        message="This model did not end well last time, so it waits until you ask for it.",
        hint="With --anyway it is tried again, in a process of its own.",
        exit_code=ENGINE,
    ),
    errors.PromptTooLong: Words(
        message="The text is longer than the model can take in at once.",
        hint="Shorten it, or allow more with --context.",
        exit_code=DOES_NOT_FIT,
    ),
    errors.TemplateFailed: Words(
        message="The model could not be told what you said: its own instructions failed.",
        hint="Choose another model.",
        exit_code=FILE,
    ),
    errors.ProgramReplaced: Words(
        message="Snug was updated while it ran.",
        hint="Start it again.",
        exit_code=ENGINE,
    ),
    errors.EngineTimedOut: Words(
        message="The model no longer answered, so it was ended.",
        hint="Try again; a smaller model may help.",
        exit_code=ENGINE,
    ),
    errors.RuntimeMissing: _file(
        "This kind of model needs a part of Snug that is not installed.",
        "In a checkout, run: python3 -m pip install 'snug[onnx]'",
    ),
    errors.BackendUnusable: Words(
        message="A part of the engine can not be used on this computer.",
        hint="See: snug hardware",
        exit_code=ENGINE,
    ),
    errors.PackRefused: _file("This pack can not be used.", "Get it again from where you had it."),
    errors.RemoteError: _network("The server did not answer as it should.", "The log says more."),
    errors.OfflineOnly: Words(
        message="Snug is set to stay offline, so it asks no server.",
        hint="With 'snug remote online' it may again.",
        exit_code=NOT_ALLOWED,
    ),
    errors.AddressUnusable: Words(
        message="This is not the address of a server.",
        hint="It looks like http://name:8080/v1",
        exit_code=USAGE,
    ),
    errors.ServerUnreachable: _network(
        "Nothing answers at the server's address.",
        "Check the address, that the server runs, and the network.",
    ),
    errors.ServerUntrusted: _network(
        "The server could not prove who it is, so nothing was sent.",
        "Its certificate has to be known to this computer.",
    ),
    errors.ServerSilent: _network("The server stopped answering.", "Try again."),
    errors.KeyRefused: _network("The server wants another key.", "Set it with: snug remote key"),
    errors.RemoteModelMissing: _network(
        "The server does not have this model.", "See what it has with: snug remote models"
    ),
    errors.ServerBusy: _network("The server is busy.", "Try again in a while."),
    errors.ServerFailed: _network("The server failed.", "Try again; its own log says more."),
    errors.ServerIncomprehensible: _network(
        "Something else than a model's server answers at this address.",
        "Check the address; it often ends with /v1",
    ),
    errors.ProxyRefused: _network(
        "The proxy on the way out does not let this through.",
        "Check its address, name and password in the settings.",
    ),
    errors.TokenMissing: _network(
        "This model is only given to people who are known there.",
        "Make an access token at the hub, then: snug models token",
    ),
    errors.TokenRefused: _network(
        "The hub does not know your access token.",
        "It may have run out. Set another one with: snug models token",
    ),
    errors.LicenceNotAccepted: _network(
        "The makers of this model want you to accept their licence first.",
        "Accept it on the model's page, then try again.",
    ),
    errors.NotOnHub: _network("The hub has no such model or file.", "Check its name."),
    errors.FileChanged: _network(
        "The file was replaced at the hub while it was fetched.",
        "Begin again, so that you get the new one.",
    ),
    errors.NoSpace: Words(
        message="",
        hint="Free some space, then try again: what was fetched is kept.",
        exit_code=NOT_ALLOWED,
    ),
    errors.FolderBusy: Words(
        message="Another Snug is downloading this model.",
        hint="Wait until it is done, or pause it there.",
        exit_code=NOT_ALLOWED,
    ),
    errors.FolderUnwritable: Words(
        message="Snug can not write into this folder.",
        hint="Check your permissions, and that its disk is there.",
        exit_code=NOT_ALLOWED,
    ),
    errors.MachineUnreadable: _file(
        "This file does not describe a computer in a way that Snug knows.",
        "Make one with: snug hardware --json",
    ),
    errors.EngineError: Words(
        message="The model stopped.", hint="Try again; the log says more.", exit_code=ENGINE
    ),
    app_errors.DatabaseTooNew: Words(
        message="Your chats were written by a newer Snug. They were left as they are.",
        hint="Update Snug.",
        exit_code=NOT_ALLOWED,
    ),
    OSError: Words(
        message="Something could not be read or written.",
        hint="Check the disk and your permissions.",
        exit_code=NOT_ALLOWED,
    ),
    app_errors.DatabaseSetAside: Words(
        message="Your earlier chats could not be read.",
        hint="They are kept in a file of their own beside the new ones.",
        exit_code=NOT_ALLOWED,
    ),
    app_errors.DiskFull: Words(
        message="The disk is full, so this could not be kept.",
        hint="Free some space, then try again.",
        exit_code=NOT_ALLOWED,
    ),
    app_errors.NotWritable: Words(
        message="Snug can not write into its own folder, so this could not be kept.",
        hint="Check that the folder is yours, and that its disk can be written.",
        exit_code=NOT_ALLOWED,
    ),
    app_errors.SettingRejected: Words(
        message="This can not be kept: it is too long, or of the wrong kind.",
        hint="Choose something shorter.",
        exit_code=USAGE,
    ),
    app_errors.AppError: Words(
        message="Your chats could not be read or written.",
        hint="Check that the disk is not full and the data folder is yours.",
        exit_code=NOT_ALLOWED,
    ),
}


def ended_by(number: int) -> int:
    """The exit code of a command that a signal ended, as shells count it."""
    return 128 + number


def words_for(error: Exception) -> Words:
    """The words for the nearest class that has some."""
    return next(_BY_CLASS[kind] for kind in type(error).__mro__ if kind in _BY_CLASS)


def notice(code: Notice) -> str:
    return _NOTICES[code]


def report(error: Exception, *, as_json: bool, words: Words | None = None) -> int:
    """Say what went wrong; returns the exit code. `words` where there are better ones."""
    words = words or words_for(error)
    with suppress(OSError):
        _tell(error, words, as_json=as_json)
    return words.exit_code


def message_of(error: Exception) -> str:
    """In one sentence or two, without what to do."""
    return _message(error, words_for(error))


def _message(error: Exception, words: Words) -> str:
    if isinstance(error, errors.DoesNotFit):
        plan = error.plan
        return " ".join([explanation(plan), *([offered(plan.offer)] if plan.offer else [])])
    if isinstance(error, errors.NoSpace):
        needed, free = size(error.needed_bytes, math.ceil), size(error.free_bytes, math.floor)
        return f"There is not enough space on the disk: {needed} needed, {free} free."
    return words.message or str(error)


def _tell(error: Exception, words: Words, *, as_json: bool) -> None:
    message = _message(error, words)
    if as_json:
        body = {"code": getattr(error, "code", "error"), "message": message, "hint": words.hint}
        if words.message and str(error):
            body["cause"] = str(error)
        say(json.dumps({"error": body}, ensure_ascii=False))
    else:
        note(f"{message} {words.hint}")
        if words.message and str(error):
            note(f"({error})")


def say(text: str, end: str = "\n") -> None:
    """To standard output, whatever characters the terminal knows; nowhere if there is none."""
    _write(sys.stdout, text + end)


def note(text: str) -> None:
    """To standard error, so that it never mixes with a result; a full disk there is no matter."""
    with suppress(OSError):
        _write(sys.stderr, text + "\n")


def _write(stream: object, text: str) -> None:
    if stream is None or not hasattr(stream, "buffer"):
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.buffer.write(text.encode(encoding, "replace"))
    stream.flush()  # type: ignore[attr-defined]
