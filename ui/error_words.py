"""The words for every error class and notice: title, sentence, and what a button can do.

A table and nothing else; `ui/messages.py` looks things up in it, translates, and fills in {model},
{a} (what is needed) and {b} (what is free).
"""

from enum import StrEnum

from app import errors as app_errors
from engine import errors as engine_errors
from engine.types.models import Notice


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:
    """Marks `text` for translation, under the name that lupdate looks for."""
    return text


class Action(StrEnum):
    """What the button of a message does."""

    ANSWER_AGAIN = "answer_again"
    START_AGAIN = "start_again"
    """Go on with the answer, after the model itself had stopped."""
    LOAD_AGAIN = "load_again"
    EDIT_MESSAGE = "edit_message"
    TRY_ONCE_MORE = "try_once_more"
    """A person wants a model that has failed before."""
    MAKE_ROOM = "make_room"
    """Show what can be done where memory does not suffice."""
    SHOW_MODELS = "show_models"
    """Open the page of models, where another one can be chosen."""


_Words = tuple[str, str, Action | None]

ERRORS: dict[type[Exception], _Words] = {
    engine_errors.EngineError: (
        QT_TRANSLATE_NOOP("Messages", "Something went wrong."),
        QT_TRANSLATE_NOOP("Messages", "Your text is safe."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.ModelFileError: (
        QT_TRANSLATE_NOOP("Messages", "Snug cannot use this model."),
        QT_TRANSLATE_NOOP("Messages", "Something is wrong with its file. Your chats are safe."),
        None,
    ),
    engine_errors.ModelMissing: (
        QT_TRANSLATE_NOOP("Messages", "The file of the model is missing."),
        QT_TRANSLATE_NOOP("Messages", "It was moved or deleted. Your chats are safe."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.StarterMissing: (
        QT_TRANSLATE_NOOP("Messages", "The starter model is missing."),
        QT_TRANSLATE_NOOP("Messages", "Install Snug again to get it back. Your chats stay."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.NotAModel: (
        QT_TRANSLATE_NOOP("Messages", "This file is not a model that Snug can use."),
        QT_TRANSLATE_NOOP("Messages", "Your chats are safe."),
        None,
    ),
    engine_errors.ModelCutOff: (
        QT_TRANSLATE_NOOP("Messages", "Part of the model is missing."),
        QT_TRANSLATE_NOOP("Messages", "Its file is not complete. Your chats are safe."),
        None,
    ),
    engine_errors.ModelDamaged: (
        QT_TRANSLATE_NOOP("Messages", "The file of the model is damaged."),
        QT_TRANSLATE_NOOP("Messages", "Snug cannot read all of it. Your chats are safe."),
        None,
    ),
    engine_errors.ModelTooNew: (
        QT_TRANSLATE_NOOP("Messages", "This model needs a newer Snug."),
        QT_TRANSLATE_NOOP("Messages", "Your chats are safe. Update Snug to use it."),
        None,
    ),
    engine_errors.WrongByteOrder: (
        QT_TRANSLATE_NOOP("Messages", "This model is made for another kind of computer."),
        QT_TRANSLATE_NOOP("Messages", "Your chats are safe."),
        None,
    ),
    engine_errors.SplitPart: (
        QT_TRANSLATE_NOOP("Messages", "This file is only one part of a model."),
        QT_TRANSLATE_NOOP("Messages", "Snug needs the whole model in one file."),
        None,
    ),
    engine_errors.PartsMissing: (
        QT_TRANSLATE_NOOP("Messages", "Some parts of this model are missing."),
        QT_TRANSLATE_NOOP("Messages", "Put all of its files into one folder. Nothing was changed."),
        None,
    ),
    engine_errors.HashMismatch: (
        QT_TRANSLATE_NOOP("Messages", "The file of the model is not as it should be."),
        QT_TRANSLATE_NOOP("Messages", "Part of it is damaged. Get it again. Your chats are safe."),
        None,
    ),
    engine_errors.NotOurs: (
        QT_TRANSLATE_NOOP("Messages", "This model belongs to another program."),
        QT_TRANSLATE_NOOP("Messages", "Snug uses it where it is and never changes it."),
        None,
    ),
    engine_errors.AlreadyThere: (
        QT_TRANSLATE_NOOP("Messages", "This model is among your models already."),
        QT_TRANSLATE_NOOP("Messages", "Nothing was copied or changed."),
        None,
    ),
    engine_errors.NoBin: (
        QT_TRANSLATE_NOOP("Messages", "This disk has no bin, so nothing was removed."),
        QT_TRANSLATE_NOOP("Messages", "The model can still be deleted for good."),
        None,
    ),
    engine_errors.FileTooBigForDisk: (
        QT_TRANSLATE_NOOP("Messages", "This disk takes no file as large as this model."),
        QT_TRANSLATE_NOOP("Messages", "Choose a folder on another disk. Nothing is lost."),
        None,
    ),
    engine_errors.NotAChatModel: (
        QT_TRANSLATE_NOOP("Messages", "This model cannot hold a conversation."),
        QT_TRANSLATE_NOOP("Messages", "It is made for other work. Your chats are safe."),
        None,
    ),
    engine_errors.LoadFailed: (
        QT_TRANSLATE_NOOP("Messages", "The model could not start."),
        QT_TRANSLATE_NOOP("Messages", "Your chat and what you wrote are safe."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.DoesNotFit: (
        QT_TRANSLATE_NOOP("Messages", "Not enough memory for {model}."),
        QT_TRANSLATE_NOOP("Messages", "It needs {a} and {b} is free."),
        Action.MAKE_ROOM,
    ),
    engine_errors.OutOfMemory: (
        QT_TRANSLATE_NOOP("Messages", "There was not enough memory."),
        QT_TRANSLATE_NOOP("Messages", "The model stopped. Your text is safe."),
        Action.START_AGAIN,
    ),
    engine_errors.ModelHeldBack: (
        QT_TRANSLATE_NOOP("Messages", "{model} did not end well last time."),
        QT_TRANSLATE_NOOP("Messages", "It waits until you start it."),
        Action.TRY_ONCE_MORE,
    ),
    engine_errors.EngineCrashed: (
        QT_TRANSLATE_NOOP("Messages", "The model stopped."),
        QT_TRANSLATE_NOOP("Messages", "Your text is safe."),
        Action.START_AGAIN,
    ),
    engine_errors.PromptTooLong: (
        QT_TRANSLATE_NOOP("Messages", "This message is too long for the model."),
        QT_TRANSLATE_NOOP("Messages", "Nothing is lost. Make it shorter, or send it in parts."),
        Action.EDIT_MESSAGE,
    ),
    engine_errors.EngineStopped: (
        QT_TRANSLATE_NOOP("Messages", "The model stopped."),
        QT_TRANSLATE_NOOP("Messages", "Your text is safe."),
        Action.START_AGAIN,
    ),
    engine_errors.ProgramReplaced: (
        QT_TRANSLATE_NOOP("Messages", "Snug was updated while it was open."),
        QT_TRANSLATE_NOOP("Messages", "Close it and open it again. Your chats are safe."),
        None,
    ),
    engine_errors.EngineTimedOut: (
        QT_TRANSLATE_NOOP("Messages", "The model no longer answered."),
        QT_TRANSLATE_NOOP("Messages", "Snug ended it. Your text is safe."),
        Action.START_AGAIN,
    ),
    engine_errors.TemplateFailed: (
        QT_TRANSLATE_NOOP("Messages", "This model cannot follow the chat."),
        QT_TRANSLATE_NOOP("Messages", "Your text is safe. A new chat may help."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.RuntimeMissing: (
        QT_TRANSLATE_NOOP(
            "Messages", "This kind of model needs a part of Snug that is not installed."
        ),
        QT_TRANSLATE_NOOP("Messages", "Choose another model. Your chats are safe."),
        None,
    ),
    engine_errors.BackendUnusable: (
        QT_TRANSLATE_NOOP("Messages", "A part of the engine cannot be used on this computer."),
        QT_TRANSLATE_NOOP("Messages", "Snug works without it, on the processor."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.PackRefused: (
        QT_TRANSLATE_NOOP("Messages", "This pack cannot be used."),
        QT_TRANSLATE_NOOP("Messages", "Get it again from where you had it. Nothing was changed."),
        None,
    ),
    engine_errors.RemoteError: (
        QT_TRANSLATE_NOOP("Messages", "The other computer did not answer as it should."),
        QT_TRANSLATE_NOOP("Messages", "Your text is safe."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.OfflineOnly: (
        QT_TRANSLATE_NOOP("Messages", "Snug is set to stay offline."),
        QT_TRANSLATE_NOOP("Messages", "So no other computer was asked. Your text is safe."),
        None,
    ),
    engine_errors.AddressUnusable: (
        QT_TRANSLATE_NOOP("Messages", "This address cannot be used."),
        QT_TRANSLATE_NOOP("Messages", "Write it as in http://name:8080/v1, for example."),
        None,
    ),
    engine_errors.ServerUnreachable: (
        QT_TRANSLATE_NOOP("Messages", "Nothing answers at this address."),
        QT_TRANSLATE_NOOP(
            "Messages", "Check that the other computer is on and that the network works."
        ),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.ServerUntrusted: (
        QT_TRANSLATE_NOOP("Messages", "The other computer could not prove who it is."),
        QT_TRANSLATE_NOOP("Messages", "So nothing was sent to it. Your text is safe."),
        None,
    ),
    engine_errors.ServerSilent: (
        QT_TRANSLATE_NOOP("Messages", "The other computer stopped answering."),
        QT_TRANSLATE_NOOP("Messages", "What came of the answer is kept."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.KeyRefused: (
        QT_TRANSLATE_NOOP("Messages", "The other computer wants another key."),
        QT_TRANSLATE_NOOP("Messages", "Your text is safe."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.RemoteModelMissing: (
        QT_TRANSLATE_NOOP("Messages", "The other computer does not have this model."),
        QT_TRANSLATE_NOOP("Messages", "Choose one that it has. Your text is safe."),
        None,
    ),
    engine_errors.ServerBusy: (
        QT_TRANSLATE_NOOP("Messages", "The other computer is busy."),
        QT_TRANSLATE_NOOP("Messages", "Try again in a while. Your text is safe."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.ServerFailed: (
        QT_TRANSLATE_NOOP("Messages", "Something failed on the other computer."),
        QT_TRANSLATE_NOOP("Messages", "What came of the answer is kept."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.ServerIncomprehensible: (
        QT_TRANSLATE_NOOP("Messages", "Something else answers at this address."),
        QT_TRANSLATE_NOOP("Messages", "No model was found there. Check the address."),
        None,
    ),
    engine_errors.ProxyRefused: (
        QT_TRANSLATE_NOOP("Messages", "The network does not let Snug through."),
        QT_TRANSLATE_NOOP("Messages", "Check the proxy in the settings. Your text is safe."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.TokenMissing: (
        QT_TRANSLATE_NOOP("Messages", "The website wants to know who asks for this model."),
        QT_TRANSLATE_NOOP("Messages", "It needs an access key of your account there."),
        None,
    ),
    engine_errors.TokenRefused: (
        QT_TRANSLATE_NOOP("Messages", "The website does not accept this access key."),
        QT_TRANSLATE_NOOP("Messages", "It may have ended. Make a new one there and enter it here."),
        None,
    ),
    engine_errors.LicenceNotAccepted: (
        QT_TRANSLATE_NOOP("Messages", "The makers of this model ask you to accept its licence."),
        QT_TRANSLATE_NOOP("Messages", "Do so on its page, then try again."),
        None,
    ),
    engine_errors.NotOnHub: (
        QT_TRANSLATE_NOOP("Messages", "This model is no longer there."),
        QT_TRANSLATE_NOOP("Messages", "The website has no such model or file. Choose another one."),
        None,
    ),
    engine_errors.FileChanged: (
        QT_TRANSLATE_NOOP("Messages", "The makers have changed this model meanwhile."),
        QT_TRANSLATE_NOOP("Messages", "Get it again from the beginning."),
        None,
    ),
    engine_errors.NoSpace: (
        QT_TRANSLATE_NOOP("Messages", "There is not enough space on the disk."),
        QT_TRANSLATE_NOOP("Messages", "It needs {a}. Free {b} more, then try again."),
        None,
    ),
    engine_errors.FolderBusy: (
        QT_TRANSLATE_NOOP("Messages", "Another Snug is downloading this model."),
        QT_TRANSLATE_NOOP("Messages", "Wait until it is done, or pause it there."),
        None,
    ),
    engine_errors.FolderUnwritable: (
        QT_TRANSLATE_NOOP("Messages", "Snug cannot write into this folder."),
        QT_TRANSLATE_NOOP("Messages", "Choose another folder, or allow Snug to write there."),
        None,
    ),
    engine_errors.MachineUnreadable: (
        QT_TRANSLATE_NOOP("Messages", "This file does not describe a computer."),
        QT_TRANSLATE_NOOP("Messages", "Snug cannot read it. Your chats are safe."),
        None,
    ),
    engine_errors.NotLoaded: (
        QT_TRANSLATE_NOOP("Messages", "No model is ready yet."),
        QT_TRANSLATE_NOOP("Messages", "Your text is safe."),
        Action.ANSWER_AGAIN,
    ),
    engine_errors.Cancelled: (
        QT_TRANSLATE_NOOP("Messages", "Stopped."),
        QT_TRANSLATE_NOOP("Messages", "What was written so far is kept."),
        None,
    ),
    app_errors.AppError: (
        QT_TRANSLATE_NOOP("Messages", "Something went wrong."),
        QT_TRANSLATE_NOOP("Messages", "What you wrote is still here."),
        None,
    ),
    app_errors.StorageError: (
        QT_TRANSLATE_NOOP("Messages", "Snug could not save this."),
        QT_TRANSLATE_NOOP("Messages", "What you wrote is still here. Try again in a moment."),
        None,
    ),
    app_errors.DatabaseTooNew: (
        QT_TRANSLATE_NOOP("Messages", "A newer Snug has saved your chats."),
        QT_TRANSLATE_NOOP("Messages", "They are left as they are. Update Snug to read them."),
        None,
    ),
    app_errors.DatabaseDamaged: (
        QT_TRANSLATE_NOOP("Messages", "The file with your chats is damaged."),
        QT_TRANSLATE_NOOP("Messages", "Snug leaves it as it is, so that nothing more is lost."),
        None,
    ),
    app_errors.DatabaseSetAside: (
        QT_TRANSLATE_NOOP("Messages", "Your earlier chats could not be read."),
        QT_TRANSLATE_NOOP("Messages", "They are kept in a file of their own beside the new ones."),
        None,
    ),
    app_errors.DatabaseBusy: (
        QT_TRANSLATE_NOOP("Messages", "Another program is using your chats."),
        QT_TRANSLATE_NOOP("Messages", "What you wrote is still here. Try again in a moment."),
        None,
    ),
    app_errors.DiskFull: (
        QT_TRANSLATE_NOOP("Messages", "The disk is full."),
        QT_TRANSLATE_NOOP(
            "Messages", "What you wrote is still here. Free some space, then try again."
        ),
        None,
    ),
    app_errors.NotWritable: (
        QT_TRANSLATE_NOOP("Messages", "Snug is not allowed to save here."),
        QT_TRANSLATE_NOOP(
            "Messages", "What you wrote is still here, but only until you close Snug."
        ),
        None,
    ),
    app_errors.ConversationMissing: (
        QT_TRANSLATE_NOOP("Messages", "This chat is no longer there."),
        QT_TRANSLATE_NOOP("Messages", "It was deleted meanwhile."),
        None,
    ),
    app_errors.ReplyRunning: (
        QT_TRANSLATE_NOOP("Messages", "Snug is still writing in this chat."),
        QT_TRANSLATE_NOOP("Messages", "Wait for it, or press Esc to stop."),
        None,
    ),
    app_errors.NothingToAnswer: (
        QT_TRANSLATE_NOOP("Messages", "There is nothing to answer yet."),
        QT_TRANSLATE_NOOP("Messages", "Write a message first."),
        None,
    ),
    app_errors.SettingRejected: (
        QT_TRANSLATE_NOOP("Messages", "This setting was not changed."),
        QT_TRANSLATE_NOOP("Messages", "Snug kept the value from before."),
        None,
    ),
}

TOO_SLOW = (
    QT_TRANSLATE_NOOP("Messages", "{model} is too slow for this computer."),
    QT_TRANSLATE_NOOP("Messages", "It would write less than a word a second."),
)
"""Of a model that does not fit, though memory would suffice."""

NOTICES: dict[Notice, tuple[str, str]] = {
    Notice.TEMPLATE_MISSING: (
        QT_TRANSLATE_NOOP("Messages", "This model is not made for chatting."),
        QT_TRANSLATE_NOOP("Messages", "It answers all the same, but may wander off."),
    ),
    Notice.TEMPLATE_BROKEN: (
        QT_TRANSLATE_NOOP("Messages", "This model describes chats in a way Snug cannot read."),
        QT_TRANSLATE_NOOP("Messages", "Snug uses a common way instead, so answers may be odd."),
    ),
}
