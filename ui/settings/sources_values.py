"""What "Models and downloads" shows: one frozen value, and what may be known of a secret.

Pure: no Qt, no disk.
"""

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from app.hub_settings import HUGGING_FACE, MODELSCOPE, NO_PROXY, hub_of
from engine.errors import AddressUnusable
from engine.types.hub import Hub


class Kept(Enum):
    """What is known of a secret; it is never shown itself."""

    LOOKING = auto()
    NONE = auto()
    THERE = auto()
    """Known to Snug; whether beyond this session was not told."""
    FOR_GOOD = auto()
    SESSION = auto()
    HALF_GONE = auto()
    """Snug uses it no more, and the keychain did not say that it is gone."""


class Place(Enum):
    """Where models come from."""

    HUGGING_FACE = auto()
    MODELSCOPE = auto()
    OTHER = auto()


class Way(Enum):
    """How other computers are reached."""

    SYSTEM = auto()
    STRAIGHT = auto()
    PROXY = auto()


class Field(Enum):
    """What may be refused; said beside it."""

    FOLDER = auto()
    OTHERS = auto()
    SPEED = auto()
    ADDRESS = auto()
    TOKEN = auto()
    PROXY = auto()
    AUTHORITIES = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What is set now. `editing` is where an address is asked for and none is kept yet."""

    folder: Path
    others: bool
    limit_kb: int
    hub: Hub
    proxy: str
    authorities: str
    token: Kept = Kept.LOOKING
    login: Kept = Kept.LOOKING
    editing_hub: bool = False
    editing_proxy: bool = False
    moved: float | None = None
    """How much of the library has moved, while it moves."""

    @property
    def place(self) -> Place:
        if self.editing_hub:
            return Place.OTHER
        known = {HUGGING_FACE: Place.HUGGING_FACE, MODELSCOPE: Place.MODELSCOPE}
        return known.get(self.hub, Place.OTHER)

    @property
    def way(self) -> Way:
        if self.editing_proxy:
            return Way.PROXY
        return {"": Way.SYSTEM, NO_PROXY: Way.STRAIGHT}.get(self.proxy, Way.PROXY)


def hub_or_text(text: str) -> Hub:
    """What is in the file may be no address; it is shown as it is."""
    try:
        return hub_of(text)
    except AddressUnusable:
        return Hub(kind=HUGGING_FACE.kind, address=text)


def known_now(before: Kept, *, there: bool) -> Kept:
    if there:
        return before if before in (Kept.FOR_GOOD, Kept.SESSION) else Kept.THERE
    return before if before is Kept.HALF_GONE else Kept.NONE


def known_after(text: str, *, kept: bool) -> Kept:
    """What is known once it was kept, or forgotten."""
    if text.strip():
        return Kept.FOR_GOOD if kept else Kept.SESSION
    return Kept.NONE if kept else Kept.HALF_GONE
