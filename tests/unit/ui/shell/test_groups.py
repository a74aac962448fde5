"""Headings of the sidebar."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.conversations.values import Conversation
from ui.shell.groups import ChatRow, Group, Heading, rows

NOW = datetime(2026, 3, 10, 9, 0, tzinfo=timezone(timedelta(hours=8)))


def conversation(name, when, *, pinned=False):
    return Conversation(
        id=name, title=name, title_is_manual=False, pinned=pinned, created_at=when, updated_at=when
    )


@pytest.mark.parametrize(
    ("age", "group"),
    [
        (timedelta(0), Group.TODAY),
        (timedelta(hours=8, minutes=59), Group.TODAY),
        (timedelta(hours=9, minutes=1), Group.YESTERDAY),
        (timedelta(days=1, hours=8), Group.YESTERDAY),
        (timedelta(days=2), Group.LAST_WEEK),
        (timedelta(days=7), Group.LAST_WEEK),
        (timedelta(days=8), Group.OLDER),
        (timedelta(days=4000), Group.OLDER),
        (timedelta(hours=-5), Group.TODAY),
    ],
)
def test_days_are_the_persons_own(age, group):
    listed = rows([conversation("a", (NOW - age).astimezone(UTC))], NOW)
    assert listed[0] == Heading(group=group)


def test_pinned_first_then_the_newest_with_one_heading_each():
    listed = rows(
        [
            conversation("old", NOW - timedelta(days=30)),
            conversation("kept", NOW - timedelta(days=90), pinned=True),
            conversation("a", NOW - timedelta(hours=2)),
            conversation("b", NOW - timedelta(hours=1)),
        ],
        NOW,
        shown="a",
        writing=frozenset({"b"}),
    )
    names = [r.group if isinstance(r, Heading) else r.conversation.id for r in listed]
    assert names == [Group.PINNED, "kept", Group.TODAY, "b", "a", Group.OLDER, "old"]
    states = {
        r.conversation.id: (r.is_open, r.is_writing) for r in listed if isinstance(r, ChatRow)
    }
    assert states["a"] == (True, False)
    assert states["b"] == (False, True)


def test_nothing_has_no_headings():
    assert rows([], NOW) == []
