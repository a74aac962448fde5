"""The one door to SQLite: opening, migrating, and who may write when.

A commit survives a power cut (WAL with synchronous FULL). Called from any thread: one writer
behind a lock, readers beside it. It must never delete a file: what can not be read is moved
aside, what a newer Snug wrote is left alone. Open a file once per process only (SQLite's POSIX
locks are the process's, and reading the header drops them).
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock

from app.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    DiskFull,
    NotWritable,
    StorageError,
    from_os_error,
)
from app.migrations import MIGRATIONS, Migration

_MAGIC = b"SQLite format 3\x00"
_PRAGMAS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",  # macOS: fsync alone leaves data in the drive's cache
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # what a person deleted is overwritten
    "PRAGMA trusted_schema = OFF",
    "PRAGMA journal_size_limit = 16777216",
)
_WRITE_FAILURES = {
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_DIR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMSIZE,
}
_CLASSES: dict[int, type[StorageError]] = {
    sqlite3.SQLITE_BUSY: DatabaseBusy,
    sqlite3.SQLITE_LOCKED: DatabaseBusy,
    sqlite3.SQLITE_CORRUPT: DatabaseDamaged,
    sqlite3.SQLITE_NOTADB: DatabaseDamaged,
    sqlite3.SQLITE_FULL: DiskFull,
    sqlite3.SQLITE_READONLY: NotWritable,
    sqlite3.SQLITE_CANTOPEN: NotWritable,
    sqlite3.SQLITE_PERM: NotWritable,
}


def utc_now() -> datetime:
    return datetime.now(UTC)


class Database:
    """An open, migrated file. `moved_aside` names the unreadable file it replaces, if any."""

    def __init__(
        self,
        path: Path,
        writer: sqlite3.Connection,
        busy_timeout_s: float,
        moved_aside: Path | None,
    ) -> None:
        self.path = path
        self.moved_aside = moved_aside
        self._writer = writer
        self._busy_timeout_s = busy_timeout_s
        self._writing = Lock()
        self._pool = Lock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: on disk when the block ends, undone if it raises. A `StorageError`
        says why it could not be written. Do not nest."""
        with self._writing, _mapped(self.path):
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                _roll_back(self._writer)
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that only reads and never waits for the writer. Fetch within the block."""
        with _mapped(self.path):
            connection = self._borrow()
            try:
                yield connection
            finally:
                self._give_back(connection)

    def close(self) -> None:
        """Wait for the running write, then close. Safe to call twice."""
        with self._pool:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        with self._writing:
            self._writer.close()

    def _borrow(self) -> sqlite3.Connection:
        with self._pool:
            if self._idle:
                return self._idle.pop()
            if self._closed:
                raise StorageError(self.path, "closed")
        connection = _connect(self.path, self._busy_timeout_s)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._pool:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()


def open_database(
    path: Path,
    *,
    migrations: Sequence[Migration] = MIGRATIONS,
    busy_timeout_s: float = 5.0,
    now: Callable[[], datetime] = utc_now,
) -> Database:
    """Open or create the file at `path`, private to this person, and bring it up to date.

    An unreadable file is kept under another name (`Database.moved_aside`). Raises
    `DatabaseTooNew`, `DatabaseBusy`, `DiskFull`, `NotWritable` or `StorageError`.
    """
    _make_private(path)
    claimed = _header_version(path)
    if claimed > len(migrations):
        raise DatabaseTooNew(path, claimed, len(migrations))
    try:
        writer = _open_writer(path, migrations, busy_timeout_s)
        return Database(path, writer, busy_timeout_s, None)
    except DatabaseDamaged:
        moved = _move_aside(path, now())
    _make_private(path)
    writer = _open_writer(path, migrations, busy_timeout_s)
    return Database(path, writer, busy_timeout_s, moved)


def quick_check(path: Path) -> str:
    """SQLite's verdict on the file, "ok" if it is sound. Changes nothing. Raises `StorageError`."""
    with _mapped(path), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as looking:
        (verdict,) = looking.execute("PRAGMA quick_check(1)").fetchone()
        return str(verdict)


def _open_writer(
    path: Path, migrations: Sequence[Migration], busy_timeout_s: float
) -> sqlite3.Connection:
    with _mapped(path):
        connection = _connect(path, busy_timeout_s)
        try:
            found = _version(connection, path, len(migrations))  # before anything is written
            connection.execute("PRAGMA journal_mode = WAL")
            _migrate(connection, path, migrations, found)
            _touch(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _connect(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
    )
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    for pragma in _PRAGMAS:
        connection.execute(pragma)
    return connection


def _touch(connection: sqlite3.Connection) -> None:
    """Read the first page of each table: where that fails, nothing can be read."""
    for table in ("conversations", "turns"):
        connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall()  # noqa: S608 (our names)


def _version(connection: sqlite3.Connection, path: Path, known: int) -> int:
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if not 0 <= found <= known:
        raise DatabaseTooNew(path, found, known)
    return found


def _migrate(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration], found: int
) -> None:
    if found == len(migrations):
        return
    connection.execute("PRAGMA foreign_keys = OFF")  # tables may be rebuilt
    for version in range(found, len(migrations)):
        if version > 0:
            _copy(connection, _beside(path, f"v{version}"))
        _apply(connection, migrations[version], version + 1)
    connection.execute("PRAGMA foreign_keys = ON")
    # Into the file itself, where an older Snug looks before it touches anything.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _apply(connection: sqlite3.Connection, migration: Migration, version: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in migration:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _roll_back(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _copy(connection: sqlite3.Connection, target: Path) -> None:
    """A copy appears under its name only when it is whole."""
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        _make_private(part)
        with closing(sqlite3.connect(part)) as copy:
            connection.backup(copy)
        part.replace(target)
    except OSError as error:
        raise from_os_error(target, error) from error


def _header_version(path: Path) -> int:
    """`user_version` from the header, changing nothing; 0 for new files and what is not SQLite's.

    It lies in bytes 60 to 63 (sqlite.org/fileformat.html).
    """
    try:
        with path.open("rb") as file:
            header = file.read(64)
    except OSError as error:
        raise from_os_error(path, error) from error
    if len(header) < 64 or not header.startswith(_MAGIC):
        return 0
    return int.from_bytes(header[60:64], "big", signed=True)


def _make_private(path: Path) -> None:
    """Create the file if need be; SQLite gives its side files the same permissions."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        elif os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except OSError as error:
        raise from_os_error(path, error) from error


def _move_aside(path: Path, now: datetime) -> Path:
    """Rename an unreadable file together with its log; nothing is deleted."""
    target = _beside(path, f"damaged-{now:%Y%m%dT%H%M%S%f}")
    try:
        for end in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                path.with_name(path.name + end).rename(target.with_name(target.name + end))
    except OSError as error:
        raise from_os_error(path, error) from error
    return target


def _beside(path: Path, mark: str) -> Path:
    return path.with_name(f"{path.stem}.{mark}{path.suffix}")


@contextmanager
def _mapped(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(path, error) from error


def _translate(path: Path, error: sqlite3.Error) -> StorageError:
    code = getattr(error, "sqlite_errorcode", 0)
    if code in _WRITE_FAILURES:
        return NotWritable(path, str(error))
    return _CLASSES.get(code & 0xFF, StorageError)(path, str(error))
