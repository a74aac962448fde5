"""A window over a real container whose model is scripted, for tests and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.chat import ChatService
from app.container import Container
from app.conversations.rows import to_stored_time
from app.conversations.store import ConversationStore
from app.db import open_database
from app.events import EventBus
from app.history import ConversationService
from app.hub_settings import HubSettings
from app.jobs import Errands, SerialWorker
from app.ledger import Ledger
from app.models import ModelChoice, ModelService
from app.paths import Paths
from app.remote import open_door
from app.secrets import Secrets
from app.settings import Settings
from app.supply import Supply, Surroundings, ground
from engine.keeper.plain import PlainKeeper
from engine.ports import Runtime
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.plans import LoadRequest
from tests.unit.ui.servers import FakeServers
from ui.shell.window import Window
from ui.shell.workbench import Workbench
from ui.theme.theme import Theme

NAME = "SmolLM2 135M"


class OneModel(ModelService):
    """Always the same model, which needs no file; or the one elsewhere that was chosen."""

    def choose(self) -> ModelChoice:
        if self.remote is not None:
            return super().choose()
        return ModelChoice(name=NAME, request=LoadRequest(path=Path("fake.gguf")))


def container(folder: Path, runtime: Runtime, servers: FakeServers) -> Container:
    """As `app.container.build`, but with `runtime`, which needs no file, and scripted servers."""
    paths = Paths(data=folder, log=folder / "log")
    paths.ensure()
    database = open_database(paths.database)
    store = ConversationStore(database)
    events = EventBus()
    keeper = PlainKeeper(lambda: runtime)
    models = OneModel(paths, remote=servers.current)
    settings, ledger, secrets = Settings(paths.settings), Ledger(paths.ledger), Secrets()
    hub = HubSettings(settings, secrets)
    door = open_door(settings, ledger, hub)
    return Container(
        paths=paths,
        settings=settings,
        events=events,
        worker=SerialWorker("test-data"),
        database=database,
        conversations=ConversationService(store, events),
        models=models,
        chat=ChatService(store=store, keeper=keeper, events=events, models=models),
        keeper=keeper,
        remote=servers,
        ledger=ledger,
        door=door,
        supply=Supply(ground(paths, settings, events, door, hub), models, Surroundings()),
        errands=Errands("test-errand"),
    )


def seed(made: Container, titles: Sequence[tuple[str, int]]) -> list[str]:
    """Conversations with a question and an answer, `days` old. Returns their ids."""
    store = made.conversations._store
    ids = []
    for title, days in titles:
        conversation, _turn = store.begin(title, f"Please help me with this: {title}")
        when = datetime.now(UTC) - timedelta(days=days)
        with made.database.write() as db:
            db.execute(
                "UPDATE conversations SET updated_at = ? WHERE id = ?",
                (to_stored_time(when), conversation.id),
            )
        ids.append(conversation.id)
    return ids


@dataclass(slots=True, kw_only=True)
class World:
    """The parts of one started window."""

    container: Container
    theme: Theme
    window: Window
    bench: Workbench
    servers: FakeServers
    ids: list[str] = field(default_factory=list)
    open: bool = True

    def close(self) -> None:
        """As the program does at its end."""
        if self.open:
            self.open = False
            self.window.close()
            self.container.close(3.0)
            self.bench.bridge.close()


def build(
    folder: Path,
    script: Script | None = None,
    theme: Theme | None = None,
    servers: FakeServers | None = None,
) -> World:
    servers = servers or FakeServers()
    made = container(folder, FakeRuntime(script or Script()), servers)
    theme = theme or Theme("light")
    window = Window(theme, made.settings)
    bench = Workbench(window, made)
    return World(container=made, theme=theme, window=window, bench=bench, servers=servers)
