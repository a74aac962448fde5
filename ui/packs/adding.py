"""Adds the packs that a person wants, and says how far it is. No Qt here; GUI thread."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.packs_brought import Advance, Outcome, PackOffer
from engine.types.cancel import CancelToken
from ui.models.page_values import Errand

_STEPS = 100


class AddingView(Protocol):
    def show_advance(self, now: Advance) -> None: ...
    def show_stopping(self) -> None: ...
    def show_outcomes(self, outcomes: Sequence[Outcome]) -> None: ...
    def show_stopped(self) -> None:
        """A person ended it before anything was added."""

    def show_failure(self, error: Exception) -> None:
        """What nobody expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddingParts:
    """`add` blocks; `call` brings a word from any thread to this one."""

    errand: Errand
    call: Callable[[Callable[[], None]], None]
    add: Callable[
        [Sequence[PackOffer], Callable[[Advance], None], CancelToken], tuple[Outcome, ...]
    ]


class Adding:
    """One piece of work, from its beginning to its end."""

    def __init__(self, parts: AddingParts, view: AddingView) -> None:
        self._parts = parts
        self._view = view
        self._token: CancelToken | None = None
        self._stopping = False
        self._left = False

    @property
    def under_way(self) -> bool:
        return self._token is not None

    def begin(self, offers: Sequence[PackOffer]) -> None:
        """Add them."""
        add = self._parts.add
        self._token = self._parts.errand(
            lambda cancel: add(offers, self._teller(), cancel), self._done, self._failed
        )

    def stop(self) -> None:
        """As soon as it can; what was added before stays."""
        if self._token is not None and not self._stopping:
            self._stopping = True
            self._token.cancel()
            self._view.show_stopping()

    def leave(self) -> None:
        """The view is gone. What is under way goes on to its end, unheard."""
        self._left = True

    def _teller(self) -> Callable[[Advance], None]:
        """Called on the thread that works; tells whole percents only."""
        last = (-1, False)

        def tell(now: Advance) -> None:
            nonlocal last
            step = (int(now.fraction * _STEPS), now.trying)
            if step != last:
                last = step
                self._parts.call(lambda: self._advance(now))

        return tell

    def _advance(self, now: Advance) -> None:
        if self.under_way and not self._stopping and not self._left:
            self._view.show_advance(now)

    def _done(self, outcomes: tuple[Outcome, ...]) -> None:
        self._token = None
        if self._left:
            return
        if outcomes:
            self._view.show_outcomes(outcomes)
        else:
            self._view.show_stopped()

    def _failed(self, error: Exception) -> None:
        self._token = None
        if not self._left:
            self._view.show_failure(error)
