"""Words for a model on another computer: where it is, and what that means for what is written.

An address is shown encoded, so that no letter of it can pose as another. GUI thread.
"""

from PySide6.QtCore import QCoreApplication, QUrl

from engine.errors import (
    AddressUnusable,
    KeyRefused,
    ServerIncomprehensible,
    ServerUnreachable,
)
from engine.types.remote import RemoteModel
from ui import messages
from ui.plan_words import joined
from ui.theme.fit import FitLook

translate = QCoreApplication.translate

_LONGEST_HOST = 22
_LOOPBACK = ("localhost", "::1")


def server_of(address: str) -> str:
    """ "http://nas:8080", without the path; what is no address stays as it is."""
    url = QUrl(address.strip(), QUrl.ParsingMode.TolerantMode)
    whole = url.authority(QUrl.ComponentFormattingOption.FullyEncoded)
    place = whole.rpartition("@")[2]  # never a user's name or password
    return f"{url.scheme()}://{place}" if place else address.strip()


def host_of(address: str) -> str:
    """ "nas:8080", for where there is little room."""
    return server_of(address).partition("://")[2] or server_of(address)


def is_open_way(address: str) -> bool:
    """Whether others in the network could read what is sent: no encryption, and another host."""
    url = QUrl(address.strip(), QUrl.ParsingMode.TolerantMode)
    host = url.host()
    stays_here = host in _LOOPBACK or host.startswith("127.")
    return bool(host) and url.scheme() == "http" and not stays_here


def place_words(remote: RemoteModel) -> str:
    """The mark, in full."""
    return translate("Elsewhere", "Answers come from {server}").format(
        server=server_of(remote.address)
    )


def place_look(remote: RemoteModel) -> FitLook:
    """The mark on the pill, in place of how a model fits."""
    host = host_of(remote.address)
    if len(host) > _LONGEST_HOST:
        half = _LONGEST_HOST // 2
        host = f"{host[: half - 1]}…{host[-half:]}"
    return FitLook(icon="globe", tone="warn", words=host)


def place_sentence(remote: RemoteModel) -> str:
    """What the mark means."""
    words = translate("Elsewhere", "Answers come from {server}. What you write is sent there.")
    return words.format(server=server_of(remote.address))


def warning_words(address: str, *, offline: bool) -> str:
    """What a person should know before anything is sent to `address`."""
    if offline:
        return translate(
            "Elsewhere", "Snug is set to stay offline, so no other computer can answer."
        )
    said = translate(
        "Elsewhere", "What you write is sent to that computer. Use one that you trust."
    )
    if not is_open_way(address):
        return said
    unprotected = translate("Elsewhere", "Over http, others in the network could read it too.")
    return joined(said, unprotected)


def trouble_words(error: Exception) -> str:
    """Why no models were found, and what can help."""
    title = messages.of_error(error).title
    match error:
        case AddressUnusable():
            return joined(
                title, translate("Elsewhere", "Write it as in http://name:8080/v1, for example.")
            )
        case ServerUnreachable():
            help_ = translate(
                "Elsewhere", "Check the address, and that the program there is running."
            )
            return joined(title, help_)
        case KeyRefused():
            return joined(title, translate("Elsewhere", "Write it into the field above."))
        case ServerIncomprehensible():
            help_ = translate("Elsewhere", "Many want /v1 at the end of the address.")
            return joined(title, help_)
        case _:
            return title
