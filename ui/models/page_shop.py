"""The presenter of Discover: the catalogue by kind, the search of a hub, and the way to a download.

No Qt here; GUI thread. Nothing is asked of a network but after a person's act.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.shop import Choice, Judged
from engine.errors import Cancelled, EngineError, LicenceNotAccepted, TokenMissing, TokenRefused
from engine.types.cancel import CancelToken
from engine.types.downloads import Wanted
from engine.types.hub import HubHit
from engine.types.plans import Verdict
from ui.models.latest import Latest
from ui.models.page_values import Asker, Chip, Errand, OnOffer, PageView, Phase, Search

_MOST_WELL = 5
_MOST_SLOWLY = 2
_MOST_TOO_BIG = 1
"""Models that "For this computer" shows: nobody reads on."""


class Shop(Protocol):
    """What is asked of `app.shop.Shop`. May block."""

    def judged(self, cancel: CancelToken) -> tuple[Judged, ...]: ...
    def search(self, text: str, cancel: CancelToken) -> tuple[HubHit, ...]: ...
    def look(self, repo: str, cancel: CancelToken) -> tuple[Choice, ...]: ...
    def exactly(self, choice: Choice, cancel: CancelToken) -> Choice: ...
    def look_entry(self, entry_id: str, cancel: CancelToken) -> Choice: ...
    def wanted(self, choice: Choice, *, with_projector: bool = True) -> Wanted: ...
    def page_of(self, repo: str) -> str: ...
    def keep_token(self, text: str) -> bool: ...
    def metered(self) -> bool | None: ...


def fits(judged: Judged) -> bool:
    return judged.verdict is not Verdict.TOO_BIG


def shown(judged: Sequence[Judged], chip: Chip, here: Collection[str]) -> list[Judged]:
    """What `chip` shows, the best first, what is too big last; without the names in `here`."""
    others = [one for one in judged if one.entry.name not in here]
    if chip is not Chip.HERE:
        others = [one for one in others if str(chip) in set(map(str, one.entry.classes))]
    ranked = sorted(others, key=lambda one: (not one.recommended, -one.entry.rank))
    well = [one for one in ranked if one.verdict is Verdict.FITS or one.recommended]
    slowly = [one for one in ranked if fits(one) and one not in well]
    too_big = sorted((one for one in ranked if not fits(one)), key=lambda one: one.needed_bytes)
    if chip is Chip.HERE:
        return [*well[:_MOST_WELL], *slowly[:_MOST_SLOWLY], *too_big[:_MOST_TOO_BIG]]
    return [*well, *slowly, *too_big]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopParts:
    errand: Errand
    looking: Errand
    shop: Shop
    view: PageView
    asker: Asker
    start: Callable[[Wanted], None]
    """Put it into the queue."""
    offline: Callable[[], bool]
    token_told: Callable[[bool], None]
    """A key was kept: for good, or until Snug ends."""


class ShopWindow:
    """What can be had, and what a person does to have it."""

    def __init__(self, parts: ShopParts) -> None:
        self._parts = parts
        self._judged: tuple[Judged, ...] | None = None
        self._chip = Chip.HERE
        self._here: frozenset[str] = frozenset()
        self._looking: dict[str, CancelToken] = {}
        self._failed: dict[str, EngineError] = {}
        self._search = Search()
        self.changed: Callable[[], None] = lambda: None
        """The catalogue is known."""
        self._searching = Latest(parts.errand, self._tell)
        self._judging = Latest(parts.looking, self._tell)

    # --- the catalogue -------------------------------------------------------------------------

    @property
    def judged(self) -> tuple[Judged, ...]:
        return self._judged or ()

    def best_other(self, entry_id: str) -> Judged | None:
        """The recommended one, else the best that fits; where that is another one that is neither
        here nor on its way."""
        others = [one for one in self.judged if one.entry.id != entry_id]
        good = [one for one in others if fits(one) and one.entry.name not in self._here]
        return max(good, key=lambda one: (one.recommended, one.entry.rank), default=None)

    def refresh(self) -> None:
        """Judge the catalogue for this machine as it is now."""

        def done(judged: tuple[Judged, ...]) -> None:
            self._judged = judged
            self.changed()
            self.show()

        self._judging.start(self._parts.shop.judged, done)

    def choose(self, chip: Chip) -> None:
        self._chip = chip
        self.show()

    def set_here(self, names: frozenset[str]) -> None:
        """Names of the models that are here, or on their way."""
        if names != self._here:
            self._here = names
            self.show()

    def show(self) -> None:
        if self._judged is None:
            self._parts.view.show_offers(None, self._chip)
            return
        rows = [self._offer(one) for one in shown(self._judged, self._chip, self._here)]
        self._parts.view.show_offers(rows, self._chip)

    def _offer(self, judged: Judged) -> OnOffer:
        entry_id = judged.entry.id
        looking = entry_id in self._looking
        return OnOffer(judged=judged, looking=looking, error=self._failed.get(entry_id))

    # --- having one ----------------------------------------------------------------------------

    def get(self, entry_id: str) -> None:
        """Look at its files, then fetch it, or say why not."""
        if entry_id in self._looking:
            return
        self._failed.pop(entry_id, None)

        def done(choice: Choice) -> None:
            self._end(entry_id)
            self.take(choice)

        def failed(error: Exception) -> None:
            self._end(entry_id)
            self._stopped(error, entry_id)

        look = self._parts.shop.look_entry
        self._looking[entry_id] = self._parts.errand(lambda c: look(entry_id, c), done, failed)
        self.show()

    def stop(self, entry_id: str) -> None:
        """Look no longer."""
        if entry_id in self._looking:
            self._looking[entry_id].cancel()
            self._end(entry_id)

    def _end(self, entry_id: str) -> None:
        self._looking.pop(entry_id, None)
        self.show()

    def _stopped(self, error: Exception, entry_id: str) -> None:
        if isinstance(error, Cancelled):
            return
        if self.ask_for(error, lambda: self.get(entry_id)):
            return
        if isinstance(error, EngineError):
            self._failed[entry_id] = error
            self.show()
        else:
            self._tell(error)

    def ask_for(self, error: Exception, again: Callable[[], None]) -> bool:
        """Ask the person for what the website wants, then go on with `again`. False if it is
        something else."""
        if isinstance(error, TokenMissing | TokenRefused):
            refused = isinstance(error, TokenRefused)
            keep = self.keep_token
            self._parts.asker.token(refused, self.token_page(), lambda text: keep(text, again))
            return True
        if isinstance(error, LicenceNotAccepted):
            self._parts.asker.licence(error.page, again)
            return True
        return False

    def token_page(self) -> str:
        """Where a person gets an access key: a page of the hub itself."""
        return self._parts.shop.page_of("settings/tokens")

    def keep_token(self, text: str, then: Callable[[], None]) -> None:
        def kept(for_good: bool) -> None:
            self._parts.token_told(for_good)
            then()

        self._parts.errand(lambda _: self._parts.shop.keep_token(text), kept, self._tell)

    def take(self, choice: Choice) -> None:
        """Fetch it, unless it does not fit; where the connection may cost money, ask first."""
        if choice.plan is not None and choice.plan.verdict is Verdict.TOO_BIG:
            self._parts.asker.too_big(choice.title, choice, lambda: self._weigh_cost(choice))
        else:
            self._weigh_cost(choice)

    def _weigh_cost(self, choice: Choice) -> None:
        def asked(metered: bool | None) -> None:
            size = choice.offering.size_bytes
            if metered and size is not None:
                self._parts.asker.metered(size, lambda: self._order(choice))
            else:
                self._order(choice)

        self._parts.errand(lambda _: self._parts.shop.metered(), asked, lambda _: asked(None))

    def _order(self, choice: Choice) -> None:
        shop = self._parts.shop
        self._parts.errand(lambda _: shop.wanted(choice), self._parts.start, self._tell)

    # --- the hub -------------------------------------------------------------------------------

    def search(self, text: str) -> None:
        """Ask the hub; "" goes back to the catalogue."""
        self._searching.cancel()
        wanted = text.strip()
        if not wanted:
            self._found(Search())
            return
        if self._parts.offline():
            self._found(Search(text=wanted, phase=Phase.FAILED))
            return
        self._found(Search(text=wanted, phase=Phase.ASKING))
        self._searching.start(
            lambda cancel: self._parts.shop.search(wanted, cancel),
            lambda hits: self._found(Search(text=wanted, phase=Phase.FOUND, hits=hits)),
            lambda error: self._found(Search(text=wanted, phase=Phase.FAILED, error=error)),
        )

    def _found(self, search: Search) -> None:
        self._search = search
        self._parts.view.show_search(search)

    def look(
        self,
        repo: str,
        done: Callable[[tuple[Choice, ...]], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken:
        """What models a repository has."""
        return self._parts.errand(lambda c: self._parts.shop.look(repo, c), done, failed)

    def exactly(self, choice: Choice) -> None:
        """Read what its own header says, then fetch it, or say why not."""
        shop = self._parts.shop

        def failed(error: Exception) -> None:
            if not self.ask_for(error, lambda: self.exactly(choice)):
                self._tell(error)

        self._parts.errand(lambda c: shop.exactly(choice, c), self.take, failed)

    def _tell(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._parts.view.tell(error)

    def close(self) -> None:
        """The window closes."""
        for kind in (self._searching, self._judging):
            kind.cancel()
        for token in self._looking.values():
            token.cancel()
