"""Builds every service with plain constructor calls. The window, the command line, and the tests
all use the same one."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.chat import ChatService
from app.conversations.store import ConversationStore
from app.db import Database, open_database
from app.events import EventBus
from app.fitting import fitting_keeper
from app.history import ConversationService
from app.hub_settings import HubSettings
from app.jobs import Errands, SerialWorker
from app.ledger import Ledger
from app.models import ModelService, nowhere, stock_of
from app.paths import Paths
from app.remote import RemoteService, open_door
from app.secrets import Secrets
from app.settings import EXTRA_SAFE, Settings
from app.supply import Supply, Surroundings, ground
from engine.keeper.routed import RoutedKeeper
from engine.net.door import Door
from engine.ports import Keeper
from engine.types.models import UnloadReason

if TYPE_CHECKING:
    from app.downloads import DownloadService
    from app.library import LibraryService
    from app.shop import Shop


_REPLY_S = 1.0
"""What a reply has to be stored, whoever else took all the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """Everything the program is made of. `close` ends it in the right order."""

    paths: Paths
    settings: Settings
    events: EventBus
    worker: SerialWorker
    database: Database
    conversations: ConversationService
    models: ModelService
    chat: ChatService
    keeper: Keeper
    remote: RemoteService
    ledger: Ledger
    door: Door
    """The one way out: what closes it, closes it for everybody."""
    supply: Supply
    errands: Errands
    """For what takes long and touches no chats."""

    @property
    def library(self) -> "LibraryService":
        return self.supply.library

    @property
    def downloads(self) -> "DownloadService":
        return self.supply.downloads

    @property
    def shop(self) -> "Shop":
        return self.supply.shop

    @property
    def hub(self) -> HubSettings:
        """Settings of the way to models, and the token."""
        return self.supply.hub

    def suspend(self) -> None:
        """The computer is about to sleep: stop, store, and give the memory back. Quick."""
        self.keeper.unload(UnloadReason.SUSPEND)

    def close(self, timeout_s: float) -> bool:
        """Stop replies, store them, pause downloads, free the model. False if something did not
        end in time, which is that of all together."""
        end_s = time.monotonic() + timeout_s

        def left_s() -> float:
            return max(end_s - time.monotonic(), 0.0)

        self.chat.stop_all()
        self.errands.close(0.0)  # all begin to end at once
        self.supply.close(0.0)
        worked_off = self.worker.close(left_s())
        ended = self.chat.close(max(left_s(), _REPLY_S))
        done = self.errands.close(left_s())
        fetched = self.supply.close(left_s())  # also notes that a reply has ended only now
        if worked_off:
            self.database.close()
        return worked_off and ended and fetched and done


def build(
    paths: Paths,
    *,
    make_keeper: Callable[[Paths, ModelService], Keeper] = fitting_keeper,
    model_file: Path | None = None,
    context_length: int | None = None,
) -> Container:
    """Open the person's data and wire the services. Raises `StorageError`.

    A `model_file` that was named answers even where a server would.
    """
    database = open_database(paths.database)
    store = ConversationStore(database)
    events = EventBus()
    settings = Settings(paths.settings)
    ledger = Ledger(paths.ledger)
    secrets = Secrets()
    hub = HubSettings(settings, secrets)
    door = open_door(settings, ledger, hub)
    remote = RemoteService(settings, secrets, door)
    below = ground(paths, settings, events, door, hub)
    models = ModelService(
        paths,
        model_file,
        context_length,
        extra_safe=lambda: settings.get(EXTRA_SAFE),
        remote=remote.current if model_file is None else nowhere,
        stock=stock_of(paths, settings, below.installed),
    )
    keeper = RoutedKeeper(make_keeper(paths, models), remote.make_keeper)
    worker = SerialWorker("snug-data")
    supply = Supply(
        below,
        models,
        Surroundings(
            let_go=lambda path: keeper.unload() if path == models.file else None,
            stop_remote=remote.stop,
            later=lambda work: worker.submit(work, lambda _: None),
        ),
    )
    return Container(
        paths=paths,
        settings=settings,
        events=events,
        worker=worker,
        database=database,
        conversations=ConversationService(store, events),
        models=models,
        chat=ChatService(store=store, keeper=keeper, events=events, models=models),
        keeper=keeper,
        remote=remote,
        ledger=ledger,
        door=door,
        supply=supply,
        errands=Errands("snug-errand"),
    )
