"""The steps from an empty database to the one we use; `app/db.py` runs them.

Append only: a step that has shipped is never changed (its schema is kept in `tests/data/`).
"""

from collections.abc import Iterable

Migration = Iterable[str]
"""Statements that lead from one `user_version` to the next, run in one transaction."""

MIGRATIONS: tuple[Migration, ...] = (
    (
        # Times are microseconds since 1970, UTC. Long texts come last in a row, so that the
        # other columns are read without them.
        """CREATE TABLE conversations (
            id TEXT NOT NULL PRIMARY KEY,
            title_is_manual INTEGER NOT NULL DEFAULT 0,
            pinned INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            deleted_at INTEGER,
            title TEXT NOT NULL
        )""",
        """CREATE INDEX conversations_by_age ON conversations (pinned DESC, updated_at DESC)
            WHERE deleted_at IS NULL""",
        """CREATE TABLE turns (
            id TEXT NOT NULL PRIMARY KEY,
            conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            role TEXT NOT NULL,
            state TEXT NOT NULL,
            model TEXT NOT NULL DEFAULT '',
            created_at INTEGER NOT NULL,
            text TEXT NOT NULL,
            UNIQUE (conversation_id, position)
        )""",
        "CREATE INDEX turns_interrupted ON turns (conversation_id) WHERE state = 'partial'",
    ),
)
