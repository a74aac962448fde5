"""Opening, migrating and refusing database files."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.conversations.store import ConversationStore
from app.db import Database, open_database
from app.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    DiskFull,
    NotWritable,
    StorageError,
)
from app.migrations import MIGRATIONS
from engine.types.chat import Role

FIRST_SCHEMA = Path(__file__).parents[2] / "data" / "schema-1.sql"
ADD_COLUMN = ("ALTER TABLE turns ADD COLUMN note TEXT NOT NULL DEFAULT ''",)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "snug.sqlite3"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    database = open_database(path)
    yield database
    database.close()


def first_release(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST_SCHEMA.read_text("utf-8"))


def schema_of(path: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql NOT NULL")
        return {(name, " ".join(sql.split())) for name, sql in rows}


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_commit_is_as_safe_as_sqlite_can_make_it(database: Database) -> None:
    with database.write() as db:
        found = [
            db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert found == ["wal", 2, 1, 5000]


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_files_are_private(database: Database) -> None:
    with database.write() as db:
        db.execute("PRAGMA user_version")
    modes = {
        file.name: stat.S_IMODE(file.stat().st_mode) for file in database.path.parent.iterdir()
    }
    assert set(modes) == {"snug.sqlite3", "snug.sqlite3-wal", "snug.sqlite3-shm"}
    assert set(modes.values()) == {0o600}


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_a_file_that_others_could_read_becomes_private(path: Path) -> None:
    first_release(path)
    path.chmod(0o644)
    open_database(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_first_schema_is_what_the_migrations_start_with(path: Path, tmp_path: Path) -> None:
    first_release(tmp_path / "first.sqlite3")
    open_database(path, migrations=MIGRATIONS[:1]).close()
    assert schema_of(path) == schema_of(tmp_path / "first.sqlite3")


def test_the_first_release_opens_with_all_it_held(path: Path) -> None:
    first_release(path)
    with closing(open_database(path)) as database:
        store = ConversationStore(database)
        assert [c.title for c in store.conversations()] == [
            "旅行计划",
            "What is the capital of France?",
        ]
        capital = store.conversations()[1]
        assert [t.text for t in store.turns(capital.id)] == [capital.title, "The capital"]


def test_a_migration_leaves_a_copy_of_the_version_before(path: Path) -> None:
    first_release(path)
    before = schema_of(path)
    open_database(path, migrations=[*MIGRATIONS[:1], ADD_COLUMN]).close()
    copy = path.with_name("snug.v1.sqlite3")
    assert schema_of(copy) == before
    assert "note" in dict(schema_of(path))["turns"]
    assert not list(path.parent.glob("*.part"))
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM turns").fetchone() == (4,)


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    first_release(path)
    before = schema_of(path)
    with pytest.raises(StorageError, match="no such table"):
        open_database(path, migrations=[*MIGRATIONS[:1], (*ADD_COLUMN, "DROP TABLE nowhere")])
    assert schema_of(path) == before
    open_database(path, migrations=MIGRATIONS[:1]).close()


@pytest.mark.parametrize("version", [len(MIGRATIONS) + 5, -1])
def test_a_newer_database_is_refused_and_left_as_it_is(path: Path, version: int) -> None:
    first_release(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = files(path.parent)
    with pytest.raises(DatabaseTooNew) as raised:
        open_database(path)
    assert (raised.value.found_version, raised.value.known_version) == (version, len(MIGRATIONS))
    assert raised.value.code == "database_too_new"
    assert files(path.parent) == before


@pytest.mark.parametrize(
    "content",
    [b"\0" * 8192, b"not a database at all " * 500, b"SQLite format 3\0" + b"\xff" * 5000],
    ids=["zeros", "text", "bent header"],
)
def test_an_unreadable_file_is_kept_and_a_new_one_started(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    with closing(open_database(path, now=lambda: now)) as database:
        assert database.moved_aside == path.with_name("snug.damaged-20260102T030405000000.sqlite3")
        assert database.moved_aside.read_bytes() == content
        assert ConversationStore(database).create("new").title == "new"


def test_a_file_cut_off_half_way_is_kept(path: Path) -> None:
    first_release(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with closing(open_database(path)) as database:
        assert database.moved_aside is not None
        assert database.moved_aside.stat().st_size == len(content) // 2


@pytest.mark.parametrize("content", [None, b""], ids=["missing", "empty"])
def test_a_missing_or_empty_file_is_a_new_one(path: Path, content: bytes | None) -> None:
    if content is not None:
        path.write_bytes(content)
    with closing(open_database(path)) as database:
        assert database.moved_aside is None
    assert [file.name for file in path.parent.iterdir()] == ["snug.sqlite3"]


def test_a_lost_log_file_does_not_stop_the_start(path: Path) -> None:
    open_database(path).close()
    path.with_name("snug.sqlite3-wal").write_bytes(b"rubbish")
    with closing(open_database(path)) as database:
        assert database.moved_aside is None


def test_a_folder_that_can_not_be_is_not_writable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(NotWritable):
        open_database(tmp_path / "file" / "snug.sqlite3")


def test_an_exception_undoes_the_transaction(database: Database) -> None:
    store = ConversationStore(database)

    def fail_half_way() -> None:
        with database.write() as db:
            db.execute("INSERT INTO conversations VALUES ('x', 0, 0, 0, 0, NULL, 'lost')")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert store.conversations() == ()
    assert store.create("kept").title == "kept"


def test_another_program_s_lock_is_busy_and_reading_goes_on(path: Path) -> None:
    with (
        closing(open_database(path, busy_timeout_s=0.05)) as database,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        store = ConversationStore(database)
        store.create("before")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseBusy):
            store.create("refused")
        assert [c.title for c in store.conversations()] == ["before"]
        other.execute("COMMIT")
        store.create("after")
        assert [c.title for c in store.conversations()] == ["after", "before"]


def test_a_full_disk_is_named_and_leaves_a_working_store(database: Database) -> None:
    store = ConversationStore(database)
    conversation = store.create("full")
    with database.write() as db:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(DiskFull):
        store.add_turn(conversation.id, role=Role.USER, text="x" * 100_000)
    assert store.turns(conversation.id) == ()
    assert store.add_turn(conversation.id, role=Role.USER, text="short").position == 0


def test_a_damaged_page_hides_one_text_only(path: Path) -> None:
    with closing(open_database(path)) as database:
        store = ConversationStore(database)
        conversation = store.create("page")
        for text in ("before", "x" * 50_000, "after"):
            store.add_turn(conversation.id, role=Role.USER, text=text)
    content = path.read_bytes()
    overflow = content.index(b"x" * 4000) // 4096 * 4096 + 8192  # a page further on in the chain
    with path.open("r+b") as file:
        file.seek(overflow)
        file.write(b"\xff" * 4)  # the number of the next page
    with closing(open_database(path)) as database:
        store = ConversationStore(database)
        turns = store.turns(conversation.id)
        assert [turn.text for turn in turns] == ["before", "", "after"]
        assert [turn.state for turn in turns] == ["complete", "stopped", "complete"]
        with pytest.raises(DatabaseDamaged, match="malformed"), database.read() as db:
            db.execute("SELECT text FROM turns").fetchall()


def test_readers_see_whole_transactions_while_another_thread_writes(database: Database) -> None:
    store = ConversationStore(database)
    conversation = store.create("busy")

    def write() -> None:
        for number in range(60):
            store.add_turn(conversation.id, role=Role.USER, text=str(number))

    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(write) for _ in range(2)]
        while not all(job.done() for job in jobs):
            positions = [turn.position for turn in store.turns(conversation.id)]
            assert positions == list(range(len(positions)))
        for job in jobs:
            job.result()
    assert len(store.turns(conversation.id)) == 120


def test_a_closed_database_says_so(database: Database) -> None:
    database.close()
    database.close()
    with pytest.raises(StorageError, match="closed"), database.read():
        pass
    with pytest.raises(StorageError, match="closed"), database.write():
        pass
