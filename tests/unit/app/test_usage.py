"""When models answered last: noted by events, written seldom, shared between programs."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.conversations.values import Turn
from app.events import ModelReady, ReplyEnded
from app.usage import Usage
from engine.errors import NotLoaded
from engine.types.models import LoadedInfo, LoadSpec
from engine.types.plans import Layout
from engine.types.remote import RemoteModel

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
MODEL, OTHER = Path("a.gguf"), Path("b.gguf")


class Desk:
    def __init__(self, folder: Path) -> None:
        self.file = folder / "usage.json"
        self.now_s = 0.0
        self.later: list[Callable[[], None]] = []
        self.usage = self.another()

    def another(self) -> Usage:
        return Usage(
            self.file,
            self.later.append,
            lambda: NOON + timedelta(seconds=self.now_s),
            lambda: self.now_s,
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def ready(path: Path, remote: RemoteModel | None = None) -> ModelReady:
    spec = LoadSpec(path=path, layout=Layout(context_length=512), remote=remote)
    return ModelReady(info=LoadedInfo(spec=spec, name="m", backend="cpu", load_ms=1.0, notices=()))


def ended(error: NotLoaded | None = None) -> ReplyEnded:
    turn: Turn = None  # type: ignore[assignment]
    return ReplyEnded(turn=turn, error=error)


def test_a_reply_counts_for_the_model_in_memory(desk: Desk) -> None:
    desk.usage.hear(ended())
    assert desk.usage.last_used(MODEL) is None
    desk.usage.hear(ready(MODEL))
    assert desk.usage.last_used(MODEL) is None
    desk.usage.hear(ended(NotLoaded()))
    assert desk.usage.last_used(MODEL) is None
    desk.usage.hear(ended())
    assert desk.usage.last_used(MODEL) == NOON
    desk.usage.hear(ready(Path(), RemoteModel(address="http://nas/v1", model="m")))
    desk.now_s = 9.0
    desk.usage.hear(ended())
    assert desk.usage.last_used(MODEL) == NOON


def test_it_is_written_at_most_once_a_minute_and_never_at_once(desk: Desk) -> None:
    for second in (0.0, 10.0, 59.0):
        desk.now_s = second
        desk.usage.answered(MODEL)
    assert len(desk.later) == 1
    assert not desk.file.exists()
    desk.later.pop()()
    assert desk.another().last_used(MODEL) == NOON + timedelta(seconds=59)
    desk.now_s = 61.0
    desk.usage.answered(MODEL)
    assert len(desk.later) == 1


def test_several_programs_forget_nothing_of_each_other(desk: Desk) -> None:
    other = desk.another()
    desk.usage.answered(MODEL)
    other.answered(OTHER)
    for write in (desk.usage.write, other.write):
        write()
    assert desk.another().last_used(MODEL) == NOON
    assert desk.another().last_used(OTHER) == NOON


@pytest.mark.parametrize("content", ["[]", "{", '{"a.gguf": 7, "b.gguf": "yesterday"}'])
def test_a_file_that_makes_no_sense_tells_nothing(desk: Desk, content: str) -> None:
    desk.file.write_text(content)
    assert desk.usage.last_used(MODEL) is None
    assert desk.usage.last_used(OTHER) is None
    desk.usage.answered(MODEL)
    desk.usage.write()
    assert desk.another().last_used(MODEL) == NOON


def test_a_disk_that_can_not_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    usage = Usage(tmp_path / "file" / "usage.json")
    usage.answered(MODEL)
    assert usage.last_used(MODEL) is not None
