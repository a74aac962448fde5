"""The words of "Models and downloads"; technical ones only in its Details fold. GUI thread."""

from typing import assert_never

from PySide6.QtCore import QCoreApplication

from engine.errors import AddressUnusable, ServerUntrusted, TokenRefused
from ui import messages
from ui.models.elsewhere import host_of
from ui.plan_words import joined
from ui.settings.sources_values import Field, Kept, Place, Sources, Way

translate = QCoreApplication.translate


def place_words(place: Place) -> str:
    match place:
        case Place.HUGGING_FACE:
            return "Hugging Face"
        case Place.MODELSCOPE:
            return "ModelScope"
        case Place.OTHER:
            return translate("Settings", "Another address…")
        case _:
            assert_never(place)


def shown_place(now: Sources) -> str:
    """What the button says."""
    if now.place is not Place.OTHER or now.editing_hub:
        return place_words(now.place)
    return host_of(now.hub.address)


def way_words(way: Way) -> str:
    match way:
        case Way.SYSTEM:
            return translate("Settings", "As this computer is set")
        case Way.STRAIGHT:
            return translate("Settings", "No proxy")
        case Way.PROXY:
            return translate("Settings", "This proxy…")
        case _:
            assert_never(way)


def speed_words(limit_kb: int) -> str:
    if not limit_kb:
        return translate("Settings", "As fast as possible")
    if limit_kb < 1000:
        return translate("Settings", "{n} KB a second").format(n=limit_kb)
    return translate("Settings", "{n} MB a second").format(n=limit_kb // 1000)


def token_words(now: Sources) -> str:
    """Whether one is kept and where; never the key."""
    host = host_of(now.hub.address)
    match now.token:
        case Kept.LOOKING:
            return translate("Settings", "Looking for a key…")
        case Kept.NONE:
            return translate("Settings", "Some models want one. Snug has none for {host}.").format(
                host=host
            )
        case Kept.THERE:
            return translate("Settings", "Snug has a key for {host}.").format(host=host)
        case Kept.FOR_GOOD:
            return translate(
                "Settings", "The key for {host} is kept in this computer’s keychain."
            ).format(host=host)
        case Kept.SESSION:
            return translate(
                "Settings",
                "The key for {host} is kept only until Snug closes. No keychain could be used.",
            ).format(host=host)
        case Kept.HALF_GONE:
            return _half_gone()
        case _:
            assert_never(now.token)


def login_words(kept: Kept) -> str:
    match kept:
        case Kept.LOOKING | Kept.NONE:
            return ""
        case Kept.THERE:
            return translate("Settings", "Snug has a name and a password for it.")
        case Kept.FOR_GOOD:
            return translate("Settings", "Name and password are kept in this computer’s keychain.")
        case Kept.SESSION:
            return translate(
                "Settings",
                "Name and password are kept only until Snug closes. No keychain could be used.",
            )
        case Kept.HALF_GONE:
            return _half_gone()
        case _:
            assert_never(kept)


def _half_gone() -> str:
    return translate(
        "Settings", "Snug no longer uses it, but the keychain did not confirm that it is gone."
    )


def refusal_words(field: Field, error: Exception) -> str:
    """What stands beside the field."""
    match field, error:
        case Field.ADDRESS, AddressUnusable():
            return translate(
                "Settings", "This address cannot be used. Write it as in https://name.example."
            )
        case Field.PROXY, AddressUnusable():
            return translate(
                "Settings",
                "This address cannot be used. Write it as in http://name:8080, without name and"
                " password, which have their own fields.",
            )
        case Field.TOKEN, TokenRefused():
            return translate(
                "Settings", "This can be no key. A key has letters, digits and signs only."
            )
        case Field.AUTHORITIES, ServerUntrusted():
            return translate(
                "Settings",
                "Snug finds no certificates in this file. What was trusted before still is.",
            )
        case _:
            said = messages.of_error(error)
            return joined(said.title, said.sentence)
