"""Kill -9 at any moment: the person's words are there, and at most a second of the reply is lost.

`SNUG_KILLS` sets how often the streaming child is killed (20 in CI, 200 by hand).
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from app.conversations.store import ConversationStore
from app.db import open_database
from app.migrations import MIGRATIONS
from engine.types.chat import Role

ROOT = Path(__file__).parents[2]
FIRST_SCHEMA = ROOT / "tests" / "data" / "schema-1.sql"
KILLS = int(os.environ.get("SNUG_KILLS", "3"))
QUESTION = "What must never be lost?"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL, file size limits")

STREAM = """
import sys, threading, time
from pathlib import Path
from app.conversations.checkpoint import ReplyCheckpoint
from app.conversations.store import ConversationStore
from app.conversations.values import TurnState
from app.db import open_database
from engine.types.chat import Role

def report(*words):
    print(*words, flush=True)

store = ConversationStore(open_database(Path(sys.argv[1]), busy_timeout_s=float(sys.argv[2])))
conversation = store.create("kill me")
store.add_turn(conversation.id, role=Role.USER, text=sys.argv[3])
turn = store.add_turn(conversation.id, role=Role.ASSISTANT, text="", state=TurnState.PARTIAL)
report("asked", conversation.id)
checkpoint = ReplyCheckpoint(store, lambda error: report("failed", error.code))
checkpoint.begin(turn)
count = 0
pace = threading.Event()
while not pace.wait(0.005):
    checkpoint.append("words, ")
    count += 7
    report("handed", count, time.monotonic())
"""

MIGRATE = """
import sys, threading
from pathlib import Path
from app.db import open_database
from app.migrations import MIGRATIONS

class Stuck:
    def __iter__(self):
        yield "ALTER TABLE turns ADD COLUMN note TEXT NOT NULL DEFAULT ''"
        yield "UPDATE turns SET text = 'half migrated'"
        print("middle", flush=True)
        threading.Event().wait()

open_database(Path(sys.argv[1]), migrations=[*MIGRATIONS[:1], Stuck()])
"""

FILL = """
import resource, sys
from pathlib import Path
from app.conversations.checkpoint import ReplyCheckpoint
from app.conversations.store import ConversationStore
from app.conversations.values import TurnState
from app.db import open_database
from engine.types.chat import Role

path = Path(sys.argv[1])
store = ConversationStore(open_database(path))
conversation = store.create("full")
turn = store.add_turn(conversation.id, role=Role.ASSISTANT, text="", state=TurnState.PARTIAL)
checkpoint = ReplyCheckpoint(store, lambda error: print(error.code, flush=True), interval_s=0.01)
checkpoint.begin(turn)
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(path.name + "-wal").stat().st_size, hard))
checkpoint.append("x" * 100_000)
print(len(checkpoint.finish(TurnState.COMPLETE).text), len(store.turns(conversation.id)[0].text))
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
print(checkpoint.close(), len(store.turns(conversation.id)[0].text))
"""


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


class Streamer:
    """A child that streams a reply, and what it says it has handed over, and when."""

    def __init__(self, path: Path, busy_timeout_s: float = 5) -> None:
        self.process = start(STREAM, str(path), str(busy_timeout_s), QUESTION)
        assert self.process.stdout is not None
        self._lines = iter(self.process.stdout)
        self.conversation_id = next(self._lines).split()[1]
        self.handed: list[tuple[int, float]] = []
        self.failures: list[str] = []
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        for line in self._lines:
            match line.split():
                case ["handed", count, moment] if line.endswith("\n"):
                    self.handed.append((int(count), float(moment)))
                case ["failed", code]:
                    self.failures.append(code)

    def run_for(self, seconds: float) -> None:
        with pytest.raises(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def kill(self) -> float:
        """The moment of the kill. (The child's clock is ours: CLOCK_MONOTONIC is the system's.)"""
        moment = time.monotonic()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return moment

    def handed_before(self, moment: float) -> int:
        return max((count for count, when in self.handed if when <= moment), default=0)


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "snug.sqlite3"
    yield path
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def stored_reply(path: Path, conversation_id: str) -> str:
    """The reply as it is after a start, with the person's words before it."""
    with closing(open_database(path)) as database:
        assert database.moved_aside is None
        store = ConversationStore(database)
        store.recover()
        question, reply = store.turns(conversation_id)
    assert (question.text, question.role, question.state) == (QUESTION, Role.USER, "complete")
    assert reply.state == "failed"
    return reply.text


@pytest.mark.parametrize("round_", range(KILLS))
def test_a_kill_loses_at_most_the_last_second(path: Path, round_: int) -> None:
    child = Streamer(path)
    child.run_for(random.uniform(0.0, 2.5))
    moment = child.kill()
    text = stored_reply(path, child.conversation_id)
    assert text == "words, " * (len(text) // 7)
    assert len(text) >= child.handed_before(moment - 1)


def test_another_program_that_holds_the_file_stops_nothing(path: Path) -> None:
    child = Streamer(path, busy_timeout_s=0.2)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        held_at = len(child.handed)
        child.run_for(2)
        handed_meanwhile = len(child.handed) - held_at
        other.execute("COMMIT")
    child.run_for(1.5)
    moment = child.kill()
    assert handed_meanwhile > 50
    assert child.failures == ["database_busy"]
    assert len(stored_reply(path, child.conversation_id)) >= child.handed_before(moment - 1)


def test_a_kill_in_mid_migration_leaves_the_old_file(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST_SCHEMA.read_text("utf-8"))
    with start(MIGRATE, str(path)) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "middle\n"
        child.kill()
    with closing(open_database(path, migrations=MIGRATIONS[:1])) as database:
        store = ConversationStore(database)
        texts = [t.text for c in store.conversations() for t in store.turns(c.id)]
    assert texts == ["你好", "What is the capital of France?", "The capital"]
    with closing(sqlite3.connect(path.with_name("snug.v1.sqlite3"))) as copy:
        assert copy.execute("SELECT count(*) FROM turns").fetchone() == (4,)


def test_a_file_that_may_not_grow_stops_nothing(path: Path) -> None:
    """Stands for a full disk: the write fails in the system, not in SQLite."""
    with start(FILL, str(path)) as child:
        output, _ = child.communicate(timeout=60)
    assert child.returncode == 0
    assert output.split("\n") == ["not_writable", "100000 0", "True 100000", ""]
