"""The presenter of "Appearance": what is chosen holds at once, and is kept for the next start.

No Qt here; GUI thread.
"""

from collections.abc import Callable
from typing import Protocol

from app.settings import LANGUAGE, TEXT_SCALE_PERCENT, THEME, Setting, Settings, T
from ui.settings.ordered import Ordered, Run


class Look(Protocol):
    """What is asked of the theme in force."""

    scale_percent: int

    def choose(self, choice: str) -> None: ...
    def set_scale(self, percent: int) -> None: ...


class AppearanceView(Protocol):
    def show_theme(self, choice: str) -> None: ...
    def show_scale(self, percent: int) -> None: ...
    def show_language(self, choice: str, *, later: bool) -> None:
        """`later`: it is another one than that of this window."""


class AppearancePresenter:
    """`failed` hears that a choice could not be kept; it holds all the same."""

    def __init__(
        self,
        run: Run,
        settings: Settings,
        look: Look,
        view: AppearanceView,
        failed: Callable[[Exception], None],
    ) -> None:
        self._ordered = Ordered(run)
        self._settings = settings
        self._look = look
        self._view = view
        self._failed = failed
        self._spoken = settings.get(LANGUAGE)

    def refresh(self) -> None:
        """What is set now, also by a key or another program."""
        theme, language = self._settings.get(THEME), self._settings.get(LANGUAGE)
        self._view.show_theme(theme)
        self._view.show_scale(self._look.scale_percent)
        self._view.show_language(language, later=language != self._spoken)

    def choose_theme(self, choice: str) -> None:
        self._look.choose(choice)
        self._keep(THEME, choice)

    def choose_scale(self, percent: int) -> None:
        self._look.set_scale(percent)
        self._keep(TEXT_SCALE_PERCENT, percent)

    def choose_language(self, choice: str) -> None:
        self._view.show_language(choice, later=choice != self._spoken)
        self._keep(LANGUAGE, choice)

    def _keep(self, setting: Setting[T], value: T) -> None:
        settings = self._settings
        self._ordered.do(
            setting.key, lambda: settings.set(setting, value), lambda _: None, self._failed
        )

    def close(self) -> None:
        self._ordered.close()
