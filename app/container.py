"""Builds every service with plain constructor calls. The window, the command line, and the tests
all use the same one."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app import models
from app.chat import ChatService
from app.conversations.store import ConversationStore
from app.db import Database, open_database
from app.events import EventBus
from app.history import ConversationService
from app.jobs import SerialWorker
from app.paths import Paths
from app.settings import Settings
from engine.host import InProcessHost
from engine.ports import Host, Runtime


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """Everything the program is made of. `close` ends it in the right order."""

    paths: Paths
    settings: Settings
    events: EventBus
    worker: SerialWorker
    database: Database
    conversations: ConversationService
    chat: ChatService
    host: Host

    def close(self, timeout_s: float) -> bool:
        """Stop replies, store them, free the model. False if something did not end in time."""
        self.chat.stop_all()
        worked_off = self.worker.close(timeout_s)
        ended = self.chat.close(timeout_s)
        if worked_off:
            self.database.close()
        return worked_off and ended


def llama_runtime() -> Runtime:
    """The runtime for GGUF files, imported when the first model is loaded."""
    from engine.runtimes.llamacpp.runtime import LlamaRuntime  # noqa: PLC0415 - heavy, and rare

    return LlamaRuntime()


def build(
    paths: Paths,
    *,
    make_runtime: Callable[[], Runtime] = llama_runtime,
    model_file: Path | None = None,
    context_length: int | None = None,
) -> Container:
    """Open the person's data and wire the services. Raises `StorageError`."""
    database = open_database(paths.database)
    store = ConversationStore(database)
    events = EventBus()
    host = InProcessHost(make_runtime)
    chat = ChatService(
        store=store,
        host=host,
        events=events,
        choose_model=partial(models.choose, paths, model_file, context_length),
    )
    return Container(
        paths=paths,
        settings=Settings(paths.settings),
        events=events,
        worker=SerialWorker("snug-data"),
        database=database,
        conversations=ConversationService(store, events),
        chat=chat,
        host=host,
    )
