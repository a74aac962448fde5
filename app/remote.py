"""Answers from another computer: which server, whether at all, and the switch that closes the door.

Off until a person turns it on, here or in another program. `current` and `offline` are quick, and
any thread may ask; everything else waits for a disk, a store of secrets or a network.
"""

from app.hub_settings import HubSettings
from app.ledger import Ledger
from app.secrets import Secrets
from app.settings import OFFLINE, REMOTE_ADDRESS, REMOTE_MODEL, REMOTE_ON, Settings
from engine.errors import AddressUnusable, KeyRefused
from engine.net.address import parse_address
from engine.net.door import Door
from engine.net.requests import is_sendable
from engine.ports import Keeper
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from engine.types.remote import RemoteModel


class RemoteService:
    """The person's choice of a server, kept in `settings`; keys in `secrets`, by address."""

    def __init__(self, settings: Settings, secrets: Secrets, door: Door) -> None:
        self._settings = settings
        self._secrets = secrets
        self._door = door

    def current(self) -> RemoteModel | None:
        """The model that answers instead of one of this computer, None if it is off, or if what
        is kept of it is no address."""
        on, address, model = self._settings.now(REMOTE_ON, REMOTE_ADDRESS, REMOTE_MODEL)
        if not (on and address and model):
            return None
        try:
            return RemoteModel(address=parse_address(address), model=model)
        except AddressUnusable:
            return None

    def use(self, model: RemoteModel) -> None:
        """Answer with it from now on. Asks nobody. Raises `AddressUnusable`, `SettingRejected` or
        `StorageError`."""
        address = parse_address(model.address)
        self._settings.change(  # never the old address with the new model
            (REMOTE_ADDRESS, address), (REMOTE_MODEL, model.model), (REMOTE_ON, True)
        )

    def stop(self) -> None:
        """Answer on this computer again; the address and the key stay known."""
        self._settings.set(REMOTE_ON, False)

    def models(self, address: str, key: str | None, cancel: CancelToken) -> tuple[str, ...]:
        """What the server has; empty where it does not tell. `key` None is the one that is kept.
        Raises a `RemoteError` or `Cancelled`."""
        from engine.runtimes.remote.server import Manners, Server  # noqa: PLC0415 - rare

        address = parse_address(address)
        server = Server(self._door, address, key or self.key_of(address), Manners())
        return server.models(Purpose.LIST_MODELS, cancel) or ()

    def keep_key(self, address: str, key: str) -> bool:
        """False: the store of secrets does not keep it, so it is known for this session only. An
        empty `key` forgets; False then: the store may still have it. Raises `AddressUnusable`, or
        `KeyRefused` for what can be no key."""
        address, key = parse_address(address), key.strip()
        if not key:
            return self._secrets.delete(_name(address))
        if not is_sendable(key):
            raise KeyRefused(address, "a key has letters, digits and signs only")
        return self._secrets.set(_name(address), key)

    def keeps_another_key(self, address: str) -> bool:
        """Whether an older key is still kept, which the next session would use."""
        return self._secrets.keeps_another(_name(parse_address(address)))

    def has_key(self, address: str) -> bool:
        """Raises `AddressUnusable`."""
        return self.key_of(parse_address(address)) is not None

    def key_of(self, address: str) -> str | None:
        """The key for an address in its one form."""
        return self._secrets.get(_name(address))

    @property
    def offline(self) -> bool:
        """Whether the door is closed."""
        return is_offline(self._settings)

    def set_offline(self, offline: bool) -> None:
        """True closes the door and ends what is on its way. Raises `StorageError` if that can not
        be remembered; it holds all the same."""
        try:
            self._settings.set(OFFLINE, offline)
        finally:
            if offline:
                self._door.end_all()

    def make_keeper(self) -> Keeper:
        """The keeper of models behind servers."""
        from engine.keeper.plain import PlainKeeper  # noqa: PLC0415 - rare
        from engine.runtimes.remote.runtime import RemoteRuntime  # noqa: PLC0415

        return PlainKeeper(lambda: RemoteRuntime(self._door, self.key_of))


def is_offline(settings: Settings) -> bool:
    """What the person wants now, also where another program was told."""
    return bool(settings.now(OFFLINE)[0])


def open_door(settings: Settings, ledger: Ledger, hub: HubSettings) -> Door:
    """The one door of a program: it minds `settings` and writes into `ledger`."""
    return Door(lambda: is_offline(settings), ledger.write, begun=ledger.write, route=hub.route)


def remote_service(settings: Settings, ledger: Ledger) -> RemoteService:
    """With a door of its own."""
    secrets = Secrets()
    door = open_door(settings, ledger, HubSettings(settings, secrets))
    return RemoteService(settings, secrets, door)


def _name(address: str) -> str:
    return f"server:{address}"
