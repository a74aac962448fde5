"""Builds every service with plain constructor calls. The window, the command line, and the tests
all use the same one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.chat import ChatService
from app.conversations.store import ConversationStore
from app.db import Database, open_database
from app.events import EventBus
from app.fitting import fitting_keeper
from app.history import ConversationService
from app.jobs import SerialWorker
from app.ledger import Ledger
from app.models import ModelService, nowhere
from app.paths import Paths
from app.remote import RemoteService, remote_service
from app.settings import EXTRA_SAFE, Settings
from engine.keeper.routed import RoutedKeeper
from engine.ports import Keeper
from engine.types.models import UnloadReason


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

    def suspend(self) -> None:
        """The computer is about to sleep: stop, store, and give the memory back. Quick."""
        self.keeper.unload(UnloadReason.SUSPEND)

    def close(self, timeout_s: float) -> bool:
        """Stop replies, store them, free the model. False if something did not end in time."""
        self.chat.stop_all()
        worked_off = self.worker.close(timeout_s)
        ended = self.chat.close(timeout_s)
        if worked_off:
            self.database.close()
        return worked_off and ended


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
    remote = remote_service(settings, ledger)
    models = ModelService(
        paths,
        model_file,
        context_length,
        extra_safe=lambda: settings.get(EXTRA_SAFE),
        remote=remote.current if model_file is None else nowhere,
    )
    keeper = RoutedKeeper(make_keeper(paths, models), remote.make_keeper)
    return Container(
        paths=paths,
        settings=settings,
        events=events,
        worker=SerialWorker("snug-data"),
        database=database,
        conversations=ConversationService(store, events),
        models=models,
        chat=ChatService(store=store, keeper=keeper, events=events, models=models),
        keeper=keeper,
        remote=remote,
        ledger=ledger,
    )
