"""A remote service whose server, keychain and disk are scripted, for tests and pictures."""

from dataclasses import dataclass, field
from threading import Event

from engine.types.cancel import CancelToken
from engine.types.remote import RemoteModel

NAS = RemoteModel(address="http://nas:8080/v1", model="qwen3-32b", context_length=32_768)


@dataclass(slots=True, kw_only=True)
class FakeServers:
    """As `app.remote.RemoteService`. `found` may be an error; `held` answers when it is set."""

    found: tuple[str, ...] | Exception = ("qwen3-32b", "gemma-3-27b")
    keychain: bool = True
    offline: bool = False
    keys: dict[str, str] = field(default_factory=dict)
    chosen: RemoteModel | None = None
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    held: Event | None = None

    def current(self) -> RemoteModel | None:
        return self.chosen

    def use(self, model: RemoteModel) -> None:
        self.chosen = model

    def stop(self) -> None:
        self.chosen = None

    def set_offline(self, offline: bool) -> None:
        self.offline = offline

    def models(self, address: str, key: str | None, cancel: CancelToken) -> tuple[str, ...]:
        self.asked.append((address, key))
        if self.held is not None:
            cancel.on_cancel(self.held.set)
            self.held.wait(10)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    def keep_key(self, address: str, key: str) -> bool:
        if self.keychain:
            self.keys[address] = key
        return self.keychain

    def has_key(self, address: str) -> bool:
        return address in self.keys
