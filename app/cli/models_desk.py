"""What the commands of `snug models` stand on, and how they name a model and answer."""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from app import logs
from app.cli.ending import undisturbed
from app.cli.model_words import Listed, model_as_json
from app.cli.waiting import wait_for
from app.cli.words import UsageMistake, say
from app.events import EventBus
from app.hub_settings import HubSettings
from app.ledger import Ledger
from app.library import LibraryService
from app.models import ModelService, stock_of
from app.paths import Paths
from app.remote import RemoteService, open_door
from app.secrets import Secrets
from app.settings import Settings
from app.supply import Supply, Surroundings, ground
from engine.types.library import InstalledModel

_CLOSE_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The services, and the events they publish."""

    supply: Supply
    events: EventBus
    as_json: bool

    @property
    def library(self) -> LibraryService:
        return self.supply.library

    def answer(self, body: Mapping[str, object], text: Callable[[], str]) -> int:
        """One object for scripts, or `text` for people."""
        said = json.dumps(body, ensure_ascii=False) if self.as_json else text()
        if said:
            say(said)
        return 0

    def model(self, name: str) -> InstalledModel:
        """By id, or the beginning of one, by path, or by the name that is shown."""
        models = self.library.models()
        ways: tuple[Callable[[InstalledModel], bool], ...] = (
            lambda model: model.id == name,
            lambda model: str(model.path) == name,
            lambda model: model.name.casefold() == name.casefold(),
            lambda model: model.id.startswith(name),
        )
        for way in ways:
            found = [model for model in models if way(model)]
            if len(found) == 1:
                return found[0]
            if found:
                ids = ", ".join(model.id for model in found)
                raise UsageMistake(f"several models are called so: {ids}")
        raise UsageMistake(f"there is no model {name!r}: see snug models list")

    def as_values(self, models: Sequence[InstalledModel]) -> list[dict[str, object]]:
        """The stable form for scripts, with verdicts."""
        return [model_as_json(one) for one in self.judged(models)]

    def judged(self, models: Sequence[InstalledModel]) -> list[Listed]:
        plans = wait_for(lambda cancel: self.library.verdicts(models, cancel))
        chosen = self.library.chosen_id
        return [
            Listed(
                model=model,
                plan=plans.get(model.id),
                used=self.library.last_used(model.id),
                chosen=model.id == chosen,
            )
            for model in models
        ]


@contextmanager
def open_desk(arguments: argparse.Namespace) -> Iterator[Desk]:
    """Everything is closed at the end, downloads too."""
    logs.start(arguments.paths)
    events = EventBus()
    supply = _supply(arguments.paths, events)
    try:
        yield Desk(supply=supply, events=events, as_json=arguments.json)
    finally:
        with undisturbed():
            supply.close(_CLOSE_S)


def _supply(paths: Paths, events: EventBus) -> Supply:
    settings, secrets = Settings(paths.settings), Secrets()
    hub = HubSettings(settings, secrets)
    door = open_door(settings, Ledger(paths.ledger), hub)
    on = ground(paths, settings, events, door, hub)
    models = ModelService(paths, stock=stock_of(paths, settings, on.installed))
    remote = RemoteService(settings, secrets, door)
    return Supply(on, models, Surroundings(stop_remote=remote.stop))
