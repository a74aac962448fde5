"""What to say when the website that models come from does not give what was asked for.

The words in `error_words.py` are of another computer that answers questions; these are of a
website that has models. Exact codes are under Details. GUI thread.
"""

from PySide6.QtCore import QCoreApplication

from engine import errors
from engine.errors import EngineError
from ui import messages
from ui.error_words import QT_TRANSLATE_NOOP
from ui.plan_words import joined

translate = QCoreApplication.translate

_LOST = (errors.ServerUnreachable, errors.ServerSilent, errors.ServerFailed)

_FORMAT = "-gguf"

_SAID: dict[type[EngineError], str] = {
    errors.OfflineOnly: QT_TRANSLATE_NOOP(
        "Hub", "Snug is set to stay offline. You can turn that off under Privacy in the settings."
    ),
    errors.ServerUnreachable: QT_TRANSLATE_NOOP(
        "Hub", "The website with the models cannot be reached. Chatting works all the same."
    ),
    errors.ServerSilent: QT_TRANSLATE_NOOP(
        "Hub", "The website with the models stopped answering. Try again in a while."
    ),
    errors.ServerFailed: QT_TRANSLATE_NOOP(
        "Hub", "The website with the models does not work right now. Try again in a while."
    ),
    errors.ServerBusy: QT_TRANSLATE_NOOP(
        "Hub", "The website with the models is busy. Try again in a while."
    ),
    errors.ServerUntrusted: QT_TRANSLATE_NOOP(
        "Hub", "The website could not prove who it is, so nothing was fetched from it."
    ),
    errors.ServerIncomprehensible: QT_TRANSLATE_NOOP(
        "Hub", "Something else answers in place of the website with the models."
    ),
    errors.AddressUnusable: QT_TRANSLATE_NOOP(
        "Hub", "The address of the website with the models cannot be used. Check the settings."
    ),
}


def of_hub_error(error: Exception) -> str:
    """One line, which says what is safe or what can be done."""
    for kind in type(error).__mro__:
        if kind in _SAID:
            return translate("Hub", _SAID[kind])
    message = messages.of_error(error)
    return joined(message.title, message.sentence)


def place_name(repo: str) -> str:
    """The name of a place at the hub, without what only says how its files are written."""
    name = repo.rpartition("/")[2]
    return name[: -len(_FORMAT)] if name.lower().endswith(_FORMAT) and name != _FORMAT else name


def is_lost_connection(error: Exception) -> bool:
    """Trying again later is all there is to do."""
    return isinstance(error, _LOST)
