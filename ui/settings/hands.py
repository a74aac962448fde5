"""Brings the panels of the Settings page and their presenters together. It decides nothing.

GUI thread.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import assert_never, cast

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app import about
from app.container import Container
from ui import messages
from ui.plan_words import joined
from ui.settings import ledger_words
from ui.settings.about import AboutPresenter
from ui.settings.about_panel import AboutPanel
from ui.settings.appearance import AppearancePresenter, Look
from ui.settings.appearance_panel import AppearancePanel
from ui.settings.groups import Group, SettingsNav
from ui.settings.ordered import Run
from ui.settings.page import SettingsPage
from ui.settings.parts import Panel
from ui.settings.privacy import Log, PrivacyParts, PrivacyPresenter
from ui.settings.privacy_panel import PrivacyPanel
from ui.settings.sources import Errand, SourcesParts, SourcesPresenter
from ui.settings.sources_panel import SourcesPanel
from ui.theme.theme import Theme

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What the page asks of the window. `set_offline` and `offline_moved` mark the whole window;
    `open_address` asks before it opens a browser."""

    run: Run
    errand: Errand
    call: Callable[[Callable[[], None]], None]
    say: Callable[[str, str], None]
    log: Log
    set_offline: Callable[[bool], None]
    offline_moved: Callable[[], None]
    open_address: Callable[[str], object]


class SettingsHands:
    """Makes each panel when it is first looked at."""

    def __init__(
        self, theme: Theme, nav: SettingsNav, container: Container, around: Around
    ) -> None:
        self._theme = theme
        self._container = container
        self._around = around
        self.appearance: AppearancePresenter | None = None
        self.sources: SourcesPresenter | None = None
        self.privacy: PrivacyPresenter | None = None
        self.about: AboutPresenter | None = None
        self.page = SettingsPage(theme, nav, self._make)
        self.page.shown.connect(lambda _name: self.refresh())
        self.page.show_group(Group.APPEARANCE)
        theme.changed.connect(self._follow_theme)

    def refresh(self) -> None:
        """What is true now, in the group that is shown."""
        match self.page.group:
            case Group.APPEARANCE if self.appearance is not None:
                self.appearance.refresh()
            case Group.MODELS if self.sources is not None:
                self.sources.refresh()
            case Group.PRIVACY if self.privacy is not None:
                self.privacy.look()

    def close(self) -> None:
        for presenter in (self.appearance, self.sources, self.privacy, self.about):
            if presenter is not None:
                presenter.close()

    def _follow_theme(self) -> None:
        """The text size can be changed by keys as well."""
        if self.appearance is not None and self.page.group is Group.APPEARANCE:
            panel = self.page.panel(Group.APPEARANCE)
            cast("AppearancePanel", panel).show_scale(self._theme.scale_percent)

    def _make(self, group: Group) -> Panel:
        match group:
            case Group.APPEARANCE:
                return self._make_appearance()
            case Group.MODELS:
                return self._make_sources()
            case Group.PRIVACY:
                return self._make_privacy()
            case Group.ABOUT:
                return self._make_about()
            case _:
                assert_never(group)

    def _make_appearance(self) -> Panel:
        panel = AppearancePanel(self._theme)
        look = cast("Look", self._theme)
        settings, run = self._container.settings, self._around.run
        made = self.appearance = AppearancePresenter(run, settings, look, panel, self._not_kept)
        panel.theme_wished.connect(made.choose_theme)
        panel.scale_wished.connect(made.choose_scale)
        panel.language_wished.connect(made.choose_language)
        return panel

    def _make_sources(self) -> Panel:
        panel, around, container = SourcesPanel(self._theme), self._around, self._container
        parts = SourcesParts(
            run=around.run,
            errand=around.errand,
            call=around.call,
            settings=container.settings,
            hub=container.hub,
            library=lambda: container.library,
        )
        made = self.sources = SourcesPresenter(parts, panel)
        panel.move_wished.connect(made.move)
        panel.stop_wished.connect(made.stop_moving)
        panel.others_wished.connect(made.use_others)
        panel.place_wished.connect(made.choose_place)
        panel.address_wished.connect(lambda text: made.set_address(text, other=True))
        panel.token_wished.connect(made.keep_token)
        panel.limit_wished.connect(made.choose_limit)
        panel.unfolded.connect(self._reveal)
        panel.details.way_wished.connect(made.choose_way)
        panel.details.proxy_wished.connect(made.set_proxy)
        panel.details.forget_wished.connect(made.forget_login)
        panel.details.authorities_wished.connect(made.set_authorities)
        return panel

    def _make_privacy(self) -> Panel:
        panel, around = PrivacyPanel(self._theme), self._around
        remote = self._container.remote
        parts = PrivacyParts(
            run=around.run,
            log=around.log,
            offline=lambda: remote.offline,
            set_offline=around.set_offline,
            moved=around.offline_moved,
            today=lambda: datetime.now().astimezone().date(),
            head=ledger_words.file_head,
            line_of=ledger_words.file_line,
        )
        made = self.privacy = PrivacyPresenter(parts, panel)
        panel.looked.connect(made.look)
        panel.offline_wished.connect(made.set_offline)
        panel.save_wished.connect(made.save)
        panel.saved.connect(self._saved)
        page = self.page
        panel.list.reached.connect(lambda part: page.reveal_part(panel.list, part))
        panel.list.grew.connect(lambda grown: page.keep_place(grown, panel.list))
        return panel

    def _make_about(self) -> Panel:
        panel, around, page = AboutPanel(self._theme), self._around, self.page
        made = self.about = AboutPresenter(around.run, about.read, about.text_of, panel)
        panel.looked.connect(made.look)
        panel.part_wished.connect(made.open)
        panel.text_left.connect(made.leave_text)
        panel.address_wished.connect(around.open_address)
        panel.folder_wished.connect(_show_folder)
        panel.list.reached.connect(lambda part: page.reveal_part(panel.list, part))
        return panel

    def _reveal(self, widget: QWidget) -> None:
        self.page.reveal(widget)

    def _saved(self, target: Path) -> None:
        said = translate("Settings", "Saved as “{name}”").format(name=target.name)
        self._around.say("circle-check", said)

    def _not_kept(self, error: Exception) -> None:
        said = messages.of_error(error)
        self._around.say("circle-alert", joined(said.title, said.sentence))


def _show_folder(folder: Path) -> None:
    """In the system's own way."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
