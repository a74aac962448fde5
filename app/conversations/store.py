"""A person's conversations in SQLite: what is written here survives a kill and a power cut.

Every method is one transaction, is committed before it returns, and may be called from any
thread but the GUI's (a commit waits for the disk). All raise `StorageError` when the disk is
full, the folder read-only or the file held by another program; nothing is half written then.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from app.conversations.rows import (
    CONVERSATION_COLUMNS,
    TURN_COLUMNS,
    like_pattern,
    one_line,
    storable,
    to_conversation,
    to_stored_time,
    to_turn,
)
from app.conversations.titles import title_from
from app.conversations.values import Conversation, Turn, TurnState
from app.db import Database, utc_now
from app.errors import ConversationMissing, DatabaseDamaged
from engine.types.chat import Role

SEARCH_LIMIT_CHARS = 200
_SELECT_CONVERSATION = f"SELECT {CONVERSATION_COLUMNS} FROM conversations"  # noqa: S608 (our names)
_SELECT_TURN = f"SELECT {TURN_COLUMNS} FROM turns"  # noqa: S608 (our names)
_SELECT_TURN_WITHOUT_TEXT = _SELECT_TURN.replace(" text,", " NULL,")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What was asked, unless it is asked again, and the empty turn that waits for the reply."""

    question: Turn | None
    reply: Turn


class ConversationStore:
    """Conversations and their turns. Ids are uuid4 in hexadecimal."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    # --- conversations ----------------------------------------------------------------------

    def create(self, title: str) -> Conversation:
        """A new conversation with an automatic title."""
        id_ = uuid4().hex
        with self._database.write() as db:
            self._insert_conversation(db, id_, title)
            return _must_find(db, id_)

    def conversations(self, *, limit: int = -1, offset: int = 0) -> tuple[Conversation, ...]:
        """Those not deleted: pinned first, then the newest. `limit` -1 is all."""
        return self._select(
            "WHERE deleted_at IS NULL ORDER BY pinned DESC, updated_at DESC LIMIT ? OFFSET ?",
            limit,
            offset,
        )

    def conversation(self, conversation_id: str) -> Conversation | None:
        """One, deleted or not; None if there is no such one."""
        with self._database.read() as db:
            return _find(db, conversation_id)

    def search(self, words: str, *, limit: int = 50) -> tuple[Conversation, ...]:
        """Conversations with `words` in their title or text, as `conversations` orders them.

        ASCII letters match in either case (SQLite's LIKE). Only the first 200 characters of
        `words` count; empty `words` find nothing.
        """
        words = storable(words.strip()[:SEARCH_LIMIT_CHARS])
        if not words:
            return ()
        pattern = like_pattern(words)
        return self._select(
            r"""WHERE deleted_at IS NULL AND (title LIKE ? ESCAPE '\' OR id IN
                (SELECT conversation_id FROM turns WHERE text LIKE ? ESCAPE '\'))
                ORDER BY pinned DESC, updated_at DESC LIMIT ?""",
            pattern,
            pattern,
            limit,
        )

    def rename(self, conversation_id: str, title: str) -> Conversation | None:
        """The person's own title: no automatic one replaces it. None if it is gone."""
        return self._change(
            conversation_id,
            "UPDATE conversations SET title = ?, title_is_manual = 1 WHERE id = ?",
            one_line(storable(title)),
        )

    def set_pinned(self, conversation_id: str, pinned: bool) -> Conversation | None:
        """None if it is gone."""
        return self._change(
            conversation_id, "UPDATE conversations SET pinned = ? WHERE id = ?", int(pinned)
        )

    def delete(self, conversation_id: str) -> Conversation | None:
        """Out of the list; `restore` brings it back until `purge_deleted`."""
        return self._change(
            conversation_id,
            "UPDATE conversations SET deleted_at = coalesce(deleted_at, ?) WHERE id = ?",
            self._time(),
        )

    def restore(self, conversation_id: str) -> Conversation | None:
        """Undo `delete`. None if it has been purged."""
        return self._change(
            conversation_id, "UPDATE conversations SET deleted_at = ? WHERE id = ?", None
        )

    def purge_deleted(self, older_than: timedelta) -> int:
        """Remove for good what was deleted at least `older_than` ago. Returns how many."""
        with self._database.write() as db:
            return db.execute(
                "DELETE FROM conversations WHERE deleted_at <= ?",
                (to_stored_time(self._now() - older_than),),
            ).rowcount

    # --- turns ------------------------------------------------------------------------------

    def add_turn(
        self,
        conversation_id: str,
        *,
        role: Role,
        text: str,
        state: TurnState = TurnState.COMPLETE,
        model: str = "",
    ) -> Turn:
        """Append a turn; the conversation becomes the newest. Raises `ConversationMissing`."""
        with self._database.write() as db:
            _must_find(db, conversation_id)
            return self._insert_turn(
                db, conversation_id, role=role, text=text, state=state, model=model
            )

    def begin(self, title: str, text: str) -> tuple[Conversation, Exchange]:
        """A new conversation with the person's first turn and its empty reply: all or nothing."""
        id_ = uuid4().hex
        with self._database.write() as db:
            self._insert_conversation(db, id_, title)
            exchange = self._insert_exchange(db, id_, text)
            return _must_find(db, id_), exchange

    def ask(self, conversation_id: str, text: str, *, from_position: int | None = None) -> Exchange:
        """The person's turn and its empty reply, in place of all turns from `from_position` on:
        all or nothing. Raises `ConversationMissing`."""
        with self._database.write() as db:
            _must_find(db, conversation_id)
            if from_position is not None:
                _remove_turns(db, conversation_id, from_position)
            return self._insert_exchange(db, conversation_id, text)

    def ask_again(self, conversation_id: str, question_position: int) -> Turn:
        """An empty reply in place of all turns after the question, in one step."""
        with self._database.write() as db:
            _must_find(db, conversation_id)
            _remove_turns(db, conversation_id, question_position + 1)
            return self._insert_reply(db, conversation_id)

    def update_turn(self, turn_id: str, text: str, state: TurnState, model: str) -> bool:
        """False if the turn is gone (its conversation was purged, or it was removed)."""
        with self._database.write() as db:
            changed = db.execute(
                "UPDATE turns SET text = ?, state = ?, model = ? WHERE id = ?",
                (storable(text), state, storable(model), turn_id),
            )
            return changed.rowcount > 0

    def turns(self, conversation_id: str) -> tuple[Turn, ...]:
        """All turns in order; empty if there is no such conversation.

        A turn on a damaged page of the file comes without text, STOPPED.
        """
        try:
            rows = self._turn_rows(conversation_id, _SELECT_TURN)
        except DatabaseDamaged:
            rows = self._turn_rows(conversation_id, _SELECT_TURN_WITHOUT_TEXT)
            rows = [self._whole_row(row) for row in rows]
        return tuple(to_turn(row, index) for index, row in enumerate(rows))

    def _turn_rows(self, conversation_id: str, select: str) -> list[tuple[Any, ...]]:
        with self._database.read() as db:
            return db.execute(
                f"{select} WHERE conversation_id = ? ORDER BY position",
                (storable(conversation_id),),
            ).fetchall()

    def _whole_row(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        try:
            with self._database.read() as db:
                found = db.execute(f"{_SELECT_TURN} WHERE id = ?", row[:1]).fetchone()
        except DatabaseDamaged:
            return row
        return row if found is None else tuple(found)

    # --- start ------------------------------------------------------------------------------

    def recover(self) -> int:
        """At start, before anything is answered: replies that a crash interrupted become FAILED
        with the text they had, and turns without a conversation get one. Returns how many
        replies were interrupted."""
        with self._database.write() as db:
            self._adopt_orphans(db)
            # The literal lets SQLite use its index of interrupted turns.
            return db.execute("UPDATE turns SET state = 'failed' WHERE state = 'partial'").rowcount

    def _adopt_orphans(self, db: sqlite3.Connection) -> None:
        orphans = db.execute(
            "SELECT DISTINCT conversation_id FROM turns"
            " WHERE conversation_id NOT IN (SELECT id FROM conversations)"
        ).fetchall()
        for (id_,) in orphans:
            rows = db.execute(
                f"{_SELECT_TURN} WHERE conversation_id = ? ORDER BY position LIMIT 1", (id_,)
            ).fetchall()
            title = title_from(to_turn(rows[0]).text, fallback="…")
            self._insert_conversation(db, id_, title)

    # --- pieces -----------------------------------------------------------------------------

    def _insert_conversation(self, db: sqlite3.Connection, id_: str, title: str) -> None:
        now = self._time()
        db.execute(
            "INSERT INTO conversations (id, created_at, updated_at, title) VALUES (?, ?, ?, ?)",
            (id_, now, now, one_line(storable(title))),
        )

    def _insert_exchange(self, db: sqlite3.Connection, conversation_id: str, text: str) -> Exchange:
        question = self._insert_turn(db, conversation_id, role=Role.USER, text=text)
        return Exchange(question=question, reply=self._insert_reply(db, conversation_id))

    def _insert_reply(self, db: sqlite3.Connection, conversation_id: str) -> Turn:
        return self._insert_turn(
            db, conversation_id, role=Role.ASSISTANT, text="", state=TurnState.PARTIAL
        )

    def _insert_turn(
        self,
        db: sqlite3.Connection,
        conversation_id: str,
        *,
        role: Role,
        text: str,
        state: TurnState = TurnState.COMPLETE,
        model: str = "",
    ) -> Turn:
        id_, now = uuid4().hex, self._time()
        db.execute(
            "INSERT INTO turns (id, conversation_id, position, role, state, model, created_at,"
            " text) SELECT ?1, ?2, 1 + coalesce(max(position), -1), ?3, ?4, ?5, ?6, ?7"
            " FROM turns WHERE conversation_id = ?2 AND typeof(position) = 'integer'",
            (id_, conversation_id, role, state, storable(model), now, storable(text)),
        )
        db.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (now, conversation_id))
        return to_turn(db.execute(f"{_SELECT_TURN} WHERE id = ?", (id_,)).fetchone())

    def _time(self) -> int:
        return to_stored_time(self._now())

    def _select(self, rest: str, *values: object) -> tuple[Conversation, ...]:
        with self._database.read() as db:
            rows = db.execute(f"{_SELECT_CONVERSATION} {rest}", values).fetchall()
        return tuple(map(to_conversation, rows))

    def _change(self, conversation_id: str, statement: str, value: object) -> Conversation | None:
        with self._database.write() as db:
            db.execute(statement, (value, conversation_id))
            return _find(db, conversation_id)


def _remove_turns(db: sqlite3.Connection, conversation_id: str, position: int) -> None:
    db.execute(
        "DELETE FROM turns WHERE conversation_id = ? AND position >= ?",
        (conversation_id, position),
    )


def _find(db: sqlite3.Connection, conversation_id: str) -> Conversation | None:
    row = db.execute(
        f"{_SELECT_CONVERSATION} WHERE id = ?", (storable(conversation_id),)
    ).fetchone()
    return None if row is None else to_conversation(row)


def _must_find(db: sqlite3.Connection, conversation_id: str) -> Conversation:
    found = _find(db, conversation_id)
    if found is None:
        raise ConversationMissing(conversation_id)
    return found
