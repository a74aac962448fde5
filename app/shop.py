"""What models can be had: the catalogue that came with Snug, and a hub that a person looks into.

Nothing is asked of a network but in `search`, `look`, `look_entry` and `exactly`, which a person
starts. Any thread but the GUI's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.fetching import check_space, client_of, repo_named
from app.hub_settings import HubSettings
from app.metered import is_metered
from app.recommending import in_order, recommended
from app.shop_values import Choice, Judged
from app.wanting import wanted_for
from engine.errors import ModelFileError, NotOnHub
from engine.hub.repos import page_of
from engine.models.catalogue import Entry, read_catalogue
from engine.net.door import Door
from engine.types.cancel import CancelToken
from engine.types.downloads import Wanted
from engine.types.hub import HubHit, HubRepo, Offering
from engine.types.models import ModelFormat
from engine.types.plans import Plan
from engine.types.shapes import AnyShape

if TYPE_CHECKING:
    from engine.hub.hub import HubClient

__all__ = ["Choice", "Headers", "Judged", "Shop", "ShopParts"]

_MOST_HITS = 30


class Headers(Protocol):
    """What is known of models that are not here."""

    def read(self, repo: HubRepo, offering: Offering, cancel: CancelToken) -> AnyShape | None:
        """Reads the first megabytes where they are not known; None where no header tells. Raises a
        `ModelFileError`, a `RemoteError` or `Cancelled`."""
        ...

    def known(self, entry: Entry) -> tuple[AnyShape, int] | None:
        """The shape and the size of a model of the catalogue that was read before. No network."""
        ...

    def remember(self, entry: Entry, repo: HubRepo, offering: Offering) -> None:
        """Under which revision and names the model of the catalogue was found."""


class Judging(Protocol):
    def of_shape(self, key: str, shape: AnyShape, cancel: CancelToken) -> Plan: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopParts:
    """What the shop works with. `folder` is the library's."""

    catalogue: Path
    door: Door
    settings: HubSettings
    headers: Headers
    judge: Judging
    folder: Callable[[], Path]


class Shop:
    """See the module."""

    def __init__(self, parts: ShopParts) -> None:
        self._parts = parts

    # --- the catalogue; no network ----------------------------------------------------------------

    def catalogue(self) -> tuple[Entry, ...]:
        """Of the hub in use: those that it is known to have. No network."""
        kind = self._parts.settings.hub().kind
        return tuple(entry for entry in self._entries if entry.repo_at(kind))

    @cached_property
    def _entries(self) -> tuple[Entry, ...]:
        return read_catalogue(self._parts.catalogue)

    def judged(self, cancel: CancelToken) -> tuple[Judged, ...]:
        """The catalogue with verdicts for this machine, in its order. No network. Raises
        `Cancelled`."""
        return recommended([self._judged(entry, cancel) for entry in self.catalogue()])

    def _judged(self, entry: Entry, cancel: CancelToken) -> Judged:
        known = self._parts.headers.known(entry)
        shape, size_bytes = known if known is not None else _sketched(entry)
        exact = known is not None
        made = self._parts.judge.of_shape(f"{entry.id} {size_bytes} {exact}", shape, cancel)
        return Judged(
            entry=entry,
            verdict=made.verdict,
            needed_bytes=made.needed_bytes,
            free_bytes=made.free_bytes,
            tokens_per_s=made.predicted_tokens_per_s,
            size_bytes=size_bytes,
            exact=exact,
            plan=made,
        )

    # --- a hub ------------------------------------------------------------------------------------

    def search(
        self, text: str, cancel: CancelToken, *, library: ModelFormat = ModelFormat.GGUF
    ) -> tuple[HubHit, ...]:
        """Repositories with models of that format. Raises a `RemoteError` or `Cancelled`."""
        return self._client().search(text, _MOST_HITS, cancel, library=library)

    def look(self, repo: str, cancel: CancelToken) -> tuple[Choice, ...]:
        """The models of a repository (owner/name, or the address of its page), the recommended one
        first. Reads the header of that one, and estimates the others by it. Raises a `RemoteError`
        or `Cancelled`."""
        client = self._client()
        found = client.look(self.repo_named(repo), None, cancel)
        choices = [Choice(offering=it, repo=found) for it in client.offerings(found)]
        if not choices:
            return ()
        read = self.exactly(choices[0], cancel)
        ordered = in_order([read, *self._estimated(read, choices[1:], cancel)])
        if ordered[0].exact or not ordered[0].recommended:
            return ordered
        return in_order([self.exactly(ordered[0], cancel), *ordered[1:]])

    def exactly(self, choice: Choice, cancel: CancelToken) -> Choice:
        """With the plan of its own header. Raises a `RemoteError` or `Cancelled`."""
        offering, repo = choice.offering, choice.repo
        if offering.missing:
            return choice
        try:
            shape = self._parts.headers.read(repo, offering, cancel)
        except ModelFileError as error:
            return replace(choice, refusal=error, plan=None, exact=True)
        if shape is None:
            return choice
        made = self._parts.judge.of_shape(_key(repo, offering), shape, cancel)
        return replace(choice, plan=made, exact=True)

    def look_entry(self, entry_id: str, cancel: CancelToken) -> Choice:
        """The files and the exact plan of a model of the catalogue. Raises a `RemoteError`:
        `NotOnHub` for one that this hub does not have; or `Cancelled`."""
        client, hub = self._client(), self._parts.settings.hub()
        entry = next((it for it in self._entries if it.id == entry_id), None)
        if entry is None or not entry.repo_at(hub.kind):
            raise NotOnHub(hub.address, entry_id)
        repo = client.look(entry.repo_at(hub.kind), None, cancel)
        offering = _meant(client.offerings(repo), entry)
        if offering is None:
            raise NotOnHub(hub.address, entry.repo_at(hub.kind))
        choice = self.exactly(Choice(offering=offering, repo=repo, entry=entry), cancel)
        if choice.plan is not None:
            self._parts.headers.remember(entry, repo, offering)
        return choice

    def _estimated(
        self, read: Choice, others: Sequence[Choice], cancel: CancelToken
    ) -> list[Choice]:
        """By the header that was read, where they are of the same model."""
        from engine.models.scaled import scaled  # noqa: PLC0415 - rare

        known_bytes = read.offering.size_bytes
        if read.refusal is not None or read.plan is None or not known_bytes:
            return list(others)
        shape = self._parts.headers.read(read.repo, read.offering, cancel)  # kept by now
        found: list[Choice] = []
        for choice in others:
            size_bytes, alike = choice.offering.size_bytes, _alike(choice.offering, read.offering)
            if shape is None or not size_bytes or not alike:
                found.append(choice)
                continue
            key = f"{_key(choice.repo, choice.offering)} estimated"
            made = self._parts.judge.of_shape(key, scaled(shape, size_bytes / known_bytes), cancel)
            found.append(replace(choice, plan=made, exact=False))
        return found

    def _client(self) -> "HubClient":
        return client_of(self._parts.door, self._parts.settings, self._parts.settings.hub())

    # --- to have one ------------------------------------------------------------------------------

    def wanted(self, choice: Choice, *, with_projector: bool = True) -> Wanted:
        """What is to be downloaded for it. Raises why it can not be used, `NoSpace`, or
        `FolderUnwritable`."""
        if choice.refusal is not None:
            raise choice.refusal
        folder = self._parts.folder()
        wanted = wanted_for(
            choice.title, choice.repo, choice.offering, folder, with_projector=with_projector
        )
        check_space(wanted, self._parts.settings.limits().reserve_bytes)
        return wanted

    def repo_named(self, text: str) -> str:
        """owner/name of what may be the address of its page."""
        return repo_named(self._parts.settings.hub(), text)

    def page_of(self, repo: str) -> str:
        """The address of a repository for a browser."""
        return page_of(self._parts.settings.hub(), repo)

    def keep_token(self, text: str) -> bool:
        """False: only until Snug ends, for this computer has no store of secrets that works. ""
        forgets it. Raises `TokenRefused` for what can be no token."""
        return self._parts.settings.keep_token(text)

    def metered(self) -> bool | None:
        """Whether the connection may cost money; None where that is not known."""
        return is_metered()


def _sketched(entry: Entry) -> tuple[AnyShape, int]:
    from engine.models.sketch import sketch  # noqa: PLC0415 - rare

    shape = sketch(entry)
    return shape, shape.file_bytes


def _meant(offerings: Sequence[Offering], entry: Entry) -> Offering | None:
    """The quantization that was chosen by hand, else what the hub's files recommend."""
    whole = [offering for offering in offerings if not offering.missing]
    named = (it for it in whole if it.quantization == entry.quantization.upper())
    return next(named, whole[0] if whole else None)


def _alike(one: Offering, other: Offering) -> bool:
    return one.format is other.format and one.name == other.name


def _key(repo: HubRepo, offering: Offering) -> str:
    first = offering.files[0].path if offering.files else ""
    return f"{repo.hub.address} {repo.id} {repo.revision} {first}"
