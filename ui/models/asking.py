"""Asks another computer which models it has, and the keychain for its key: decisions, no Qt.

Whatever may wait goes through `Run`; an answer that nobody waits for any more is dropped.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

from engine.types.cancel import CancelToken
from engine.types.remote import RemoteModel

T = TypeVar("T")


class Run(Protocol):
    """`Bridge.run_on` with a worker of its own."""

    def __call__(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None: ...


class Servers(Protocol):
    """What is asked of `app/remote.py`. `current` and `offline` are known at once; all else may
    wait for the disk, the keychain or the network."""

    @property
    def offline(self) -> bool: ...
    def set_offline(self, offline: bool) -> None: ...
    def current(self) -> RemoteModel | None: ...
    def use(self, model: RemoteModel) -> None: ...
    def stop(self) -> None: ...
    def models(self, address: str, key: str | None, cancel: CancelToken) -> tuple[str, ...]: ...
    def keep_key(self, address: str, key: str) -> bool: ...
    def has_key(self, address: str) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """How far it is. `models` are those of the server at `address`, as a person wrote it; empty
    once it has `answered` if it does not tell."""

    address: str = ""
    looking: bool = False
    answered: bool = False
    models: tuple[str, ...] = ()
    error: Exception | None = None
    has_key: bool = False
    """A key for this address is kept already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a person wants to use. `key` is "" where none was written."""

    model: RemoteModel
    key: str = ""


class Asking:
    """One inquiry after the other; `show` hears of every change."""

    def __init__(self, servers: Servers, run: Run, show: Callable[[Inquiry], None]) -> None:
        self._servers = servers
        self._run = run
        self._show = show
        self._cancel = CancelToken()
        self._key = ""
        self.now = Inquiry()

    def begin_with(self, address: str) -> None:
        """Another address, or the first one: what was found elsewhere no longer counts."""
        address = address.strip()
        if address == self.now.address:
            return
        self._cancel.cancel()
        self._become(Inquiry(address=address))
        if address:
            look = partial(self._servers.has_key, address)
            self._run(look, partial(self._key_known, address), lambda _: None)

    def find(self, address: str, key: str) -> None:
        """Ask which models there are; an empty `key` is the one that is kept, if any."""
        self.begin_with(address)
        if not self.now.address or self.now.looking:
            return
        self._key = key.strip()
        self._cancel = cancel = CancelToken()
        self._become(replace(self._nothing_found(), looking=True))
        ask = partial(self._servers.models, self.now.address, self._key or None, cancel)
        self._run(ask, partial(self._found, cancel), partial(self._failed, cancel))

    def cancel(self) -> None:
        self._cancel.cancel()
        if self.now.looking:
            self._become(replace(self.now, looking=False))

    def forget(self) -> None:
        """A key was changed: what it opened is not to be chosen with another."""
        self._cancel.cancel()
        self._become(self._nothing_found())

    def _nothing_found(self) -> Inquiry:
        return Inquiry(address=self.now.address, has_key=self.now.has_key)

    def chosen(self, model: str) -> Chosen | None:
        """`model` of the server, with the key that found it; None if that can not be."""
        now, model = self.now, model.strip()
        if not now.answered or not model or (now.models and model not in now.models):
            return None
        return Chosen(model=RemoteModel(address=self.now.address, model=model), key=self._key)

    def _found(self, cancel: CancelToken, models: tuple[str, ...]) -> None:
        if not cancel.cancelled:
            self._become(replace(self.now, looking=False, answered=True, models=models))

    def _failed(self, cancel: CancelToken, error: Exception) -> None:
        if not cancel.cancelled:
            self._become(replace(self.now, looking=False, error=error))

    def _key_known(self, address: str, has_key: bool) -> None:
        if address == self.now.address:
            self._become(replace(self.now, has_key=has_key))

    def _become(self, now: Inquiry) -> None:
        if now != self.now:
            self.now = now
            self._show(now)
