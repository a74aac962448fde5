"""Which heading of the sidebar a conversation stands under. Pure; days are the person's own."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from enum import Enum, auto
from itertools import groupby

from app.conversations.values import Conversation


class Group(Enum):
    PINNED = auto()
    TODAY = auto()
    YESTERDAY = auto()
    LAST_WEEK = auto()
    """The five days before yesterday and the one before those: a week with today."""
    OLDER = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    group: Group


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    """One conversation in the list. `day` is when it was last used, in local time."""

    conversation: Conversation
    day: date
    is_open: bool = False
    is_writing: bool = False


Row = Heading | ChatRow


def group_of(conversation: Conversation, today: date, zone: tzinfo | None) -> Group:
    """`zone` None is the system's."""
    if conversation.pinned:
        return Group.PINNED
    age = today - conversation.updated_at.astimezone(zone).date()
    if age < timedelta(days=1):
        return Group.TODAY
    if age < timedelta(days=2):
        return Group.YESTERDAY
    return Group.LAST_WEEK if age <= timedelta(days=7) else Group.OLDER


def in_order(conversations: Iterable[Conversation]) -> list[Conversation]:
    """Pinned first, then the newest."""
    return sorted(conversations, key=lambda c: (c.pinned, c.updated_at), reverse=True)


def rows(
    conversations: Iterable[Conversation],
    now: datetime,
    *,
    shown: str | None = None,
    writing: frozenset[str] = frozenset(),
) -> list[Row]:
    """The list with its headings. `now` is in local time and knows its zone."""
    result: list[Row] = []
    zone = now.tzinfo

    def group(conversation: Conversation) -> Group:
        return group_of(conversation, now.date(), zone)

    for heading, members in groupby(in_order(conversations), group):
        result.append(Heading(group=heading))
        result.extend(
            ChatRow(
                conversation=one,
                day=one.updated_at.astimezone(zone).date(),
                is_open=one.id == shown,
                is_writing=one.id in writing,
            )
            for one in members
        )
    return result
