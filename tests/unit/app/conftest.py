"""A store over a real file, with a clock that ticks."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.conversations.store import ConversationStore
from app.db import Database, open_database

START = datetime(2026, 1, 1, tzinfo=UTC)


class TickingClock:
    """Each look at it is a second later."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(tmp_path / "snug.sqlite3")) as database:
        yield database


@pytest.fixture
def store(database: Database, clock: TickingClock) -> ConversationStore:
    return ConversationStore(database, clock)
