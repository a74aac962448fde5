"""The presenter of "Models and downloads": where models are kept, where they come from, and how.

No Qt here; GUI thread. Settings, secrets and files are asked in order on a thread of their own.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from app.authorities import check_authorities
from app.hub_settings import (
    HUGGING_FACE,
    MODELSCOPE,
    NO_PROXY,
    HubSettings,
    hub_of,
    proxy_address,
)
from app.settings import AUTHORITIES, DOWNLOAD_LIMIT_KB, HUB, OTHER_PROGRAMS, PROXY, Settings
from engine.errors import AddressUnusable, Cancelled
from engine.types.cancel import CancelToken
from engine.types.hub import Hub
from ui.settings.ordered import Ordered, Run, T
from ui.settings.sources_values import (
    Field,
    Kept,
    Place,
    Sources,
    Way,
    hub_or_text,
    known_after,
    known_now,
)

Progress = Callable[[float], None]


class Library(Protocol):
    """What is asked of `LibraryService`."""

    @property
    def folder(self) -> Path: ...
    def models(self, *, refresh: bool = False) -> object: ...
    def move(self, folder: Path, progress: Progress, cancel: CancelToken) -> object: ...


class Errand(Protocol):
    """Long work on a thread of its own."""

    def __call__(
        self,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> CancelToken: ...


class SourcesView(Protocol):
    def show_sources(self, now: Sources) -> None: ...
    def refuse(self, field: Field, error: Exception) -> None: ...
    def accept(self, field: Field) -> None:
        """It is kept: nothing is wrong there any more, and what was typed can go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesParts:
    """`library` may take long when it is asked for first; `call` brings a word from any thread to
    this one."""

    run: Run
    errand: Errand
    call: Callable[[Callable[[], None]], None]
    settings: Settings
    hub: HubSettings
    library: Callable[[], Library]


class SourcesPresenter:
    """See the module."""

    def __init__(self, parts: SourcesParts, view: SourcesView) -> None:
        self._parts = parts
        self._view = view
        self._ordered = Ordered(parts.run)
        self._moving: CancelToken | None = None
        self.now: Sources | None = None

    def refresh(self) -> None:
        """What is set now, also by another program."""
        self._ordered.do("read", self._read, self._found, lambda _: None)

    def close(self) -> None:
        self._ordered.close()
        if self._moving is not None:
            self._moving.cancel()

    # --- what is set ---------------------------------------------------------------------------

    def _read(self) -> Sources:
        parts = self._parts
        hub_text, proxy, authorities, limit_kb, others = parts.settings.now(
            HUB, PROXY, AUTHORITIES, DOWNLOAD_LIMIT_KB, OTHER_PROGRAMS
        )
        return Sources(
            folder=parts.library().folder,
            others=others,
            limit_kb=limit_kb,
            hub=hub_or_text(hub_text),
            proxy=proxy.strip(),
            authorities=authorities,
        )

    def _found(self, read: Sources) -> None:
        before = self.now
        if before is not None:
            same = before.hub == read.hub
            read = replace(
                read,
                token=before.token if same else Kept.LOOKING,
                login=before.login,
                editing_hub=before.editing_hub,
                editing_proxy=before.editing_proxy,
                moved=before.moved,
            )
        self._show(read)
        self._look_for_secrets(read.hub)

    def _look_for_secrets(self, hub: Hub) -> None:
        keys = self._parts.hub

        def look() -> tuple[bool, bool]:
            return keys.token_of(hub) is not None, keys.proxy_login_kept()

        def found(there: tuple[bool, bool]) -> None:
            if self.now is not None and self.now.hub == hub:
                token, login = there
                self._change(
                    token=known_now(self.now.token, there=token),
                    login=known_now(self.now.login, there=login),
                )

        self._ordered.do("secrets", look, found, lambda _: None)

    def _show(self, now: Sources) -> None:
        self.now = now
        self._view.show_sources(now)

    def _change(self, **changes: object) -> None:
        if self.now is not None:
            self._show(replace(self.now, **changes))  # type: ignore[arg-type]

    def _set(self, field: Field, work: Callable[[], None], then: Callable[[], None]) -> None:
        def done(_nothing: None) -> None:
            self._view.accept(field)
            then()

        def failed(error: Exception) -> None:
            self._view.refuse(field, error)
            self.refresh()

        self._ordered.do(field.name, work, done, failed)

    # --- models --------------------------------------------------------------------------------

    def use_others(self, use: bool) -> None:
        parts = self._parts

        def work() -> None:
            parts.settings.set(OTHER_PROGRAMS, use)
            parts.library().models(refresh=True)

        self._change(others=use)
        self._set(Field.OTHERS, work, self.refresh)

    def move(self, folder: Path) -> None:
        """Take the whole library to `folder`."""
        if self._moving is not None:
            return
        library, call = self._parts.library, self._parts.call

        def work(cancel: CancelToken) -> None:
            library().move(folder, lambda part: call(lambda: self._moved_on(part)), cancel)

        self._view.accept(Field.FOLDER)
        self._change(moved=0.0)
        self._moving = self._parts.errand(work, lambda _: self._move_over(None), self._move_over)

    def _moved_on(self, part: float) -> None:
        if self._moving is not None and self.now is not None:
            self._change(moved=max(part, self.now.moved or 0.0))

    def stop_moving(self) -> None:
        if self._moving is not None:
            self._moving.cancel()

    def _move_over(self, error: Exception | None) -> None:
        self._moving = None
        self._change(moved=None)
        if error is not None and not isinstance(error, Cancelled):
            self._view.refuse(Field.FOLDER, error)
        self.refresh()

    # --- where from, and how fast --------------------------------------------------------------

    def choose_limit(self, limit_kb: int) -> None:
        settings = self._parts.settings
        self._change(limit_kb=limit_kb)
        self._set(Field.SPEED, lambda: settings.set(DOWNLOAD_LIMIT_KB, limit_kb), self.refresh)

    def choose_place(self, place: Place) -> None:
        if place is Place.OTHER:
            self._change(editing_hub=True)
        else:
            self.set_address("modelscope" if place is Place.MODELSCOPE else "")

    def set_address(self, text: str, *, other: bool = False) -> None:
        """`other`: a person wrote it, so that it may not be empty."""
        settings = self._parts.settings

        def work() -> None:
            if other and not text.strip():
                raise AddressUnusable("", "empty")
            hub = hub_of(text)
            known = {HUGGING_FACE: "", MODELSCOPE: "modelscope"}
            settings.set(HUB, known.get(hub, hub.address))

        self._set(Field.ADDRESS, work, self._address_kept)

    def _address_kept(self) -> None:
        self._change(editing_hub=False)
        self.refresh()

    def keep_token(self, text: str) -> None:
        """Keep it for the place that is in use; "" forgets it."""
        keys = self._parts.hub

        def done(kept: bool) -> None:
            self._view.accept(Field.TOKEN)
            self._change(token=known_after(text, kept=kept))

        self._ordered.forget("secrets")
        self._ordered.do(
            Field.TOKEN.name,
            lambda: keys.keep_token(text),
            done,
            lambda error: self._view.refuse(Field.TOKEN, error),
        )

    # --- the way there -------------------------------------------------------------------------

    def choose_way(self, way: Way) -> None:
        if way is Way.PROXY:
            self._change(editing_proxy=True)
            return
        settings, text = self._parts.settings, NO_PROXY if way is Way.STRAIGHT else ""
        self._set(Field.PROXY, lambda: settings.set(PROXY, text), self._way_kept)

    def set_proxy(self, address: str, name: str, password: str) -> None:
        """An empty `name` leaves what is kept of it."""
        parts = self._parts

        def work() -> bool | None:
            found = proxy_address(address)
            if found in ("", NO_PROXY):
                raise AddressUnusable("", "empty")
            parts.settings.set(PROXY, found)
            return parts.hub.keep_proxy_login(name, password) if name else None

        def done(kept: bool | None) -> None:
            self._view.accept(Field.PROXY)
            if kept is not None:
                self._change(login=known_after(name, kept=kept))
            self._way_kept()

        self._ordered.forget("secrets")
        self._ordered.do(
            Field.PROXY.name, work, done, lambda error: self._view.refuse(Field.PROXY, error)
        )

    def forget_login(self) -> None:
        keys = self._parts.hub
        self._ordered.forget("secrets")
        self._ordered.do(
            "login",
            lambda: keys.keep_proxy_login("", ""),
            lambda kept: self._change(login=known_after("", kept=kept)),
            lambda error: self._view.refuse(Field.PROXY, error),
        )

    def _way_kept(self) -> None:
        self._change(editing_proxy=False)
        self.refresh()

    def set_authorities(self, file: Path | None) -> None:
        """Trust what is in `file` too; None: only what this computer trusts."""
        settings = self._parts.settings

        def work() -> None:
            if file is not None:
                check_authorities(file)
            settings.set(AUTHORITIES, "" if file is None else str(file))

        self._set(Field.AUTHORITIES, work, self.refresh)
