"""The presenter of the sidebar."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.conversations.values import Conversation, Turn, TurnState
from app.events import ConversationDeleted, ConversationSaved, TurnAdded
from engine.types.chat import Role
from ui.shell.chats import PAGE, ChatList
from ui.shell.groups import ChatRow

NOW = datetime(2026, 3, 10, 9, 0, tzinfo=UTC)


def conversation(name, hours=0, **other):
    when = NOW - timedelta(hours=hours)
    values = {"title": name, "title_is_manual": False, "pinned": False, **other}
    return Conversation(id=name, created_at=when, updated_at=when, **values)


class Service:
    def __init__(self, listed=()):
        self.listed = list(listed)
        self.asked = []
        self.failure = None

    def recent(self, limit, offset=0):
        self.asked.append(("recent", limit, offset))
        return self.listed[offset : offset + limit]

    def search(self, text):
        return [one for one in self.listed if text in one.title]

    def __getattr__(self, name):
        def record(*arguments):
            self.asked.append((name, *arguments))
            if self.failure:
                raise self.failure
            return "# text"

        return record


class View:
    def __init__(self):
        self.rows = []
        self.searching = None
        self.changed = []
        self.deleted = []
        self.troubles = []

    def show_rows(self, listed, *, searching):
        self.rows, self.searching = listed, searching

    def conversation_changed(self, changed):
        self.changed.append(changed.title)

    def conversation_deleted(self, conversation_id, *, was_shown):
        self.deleted.append((conversation_id, was_shown))

    def show_trouble(self, error):
        self.troubles.append(error)

    @property
    def names(self):
        return [row.conversation.id for row in self.rows if isinstance(row, ChatRow)]


def now_and_here(work, done, failed):
    try:
        result = work()
    except OSError as error:
        failed(error)
    else:
        done(result)


@pytest.fixture
def view():
    return View()


def chats(view, service, run=now_and_here):
    return ChatList(run=run, conversations=service, view=view, now=lambda: NOW)


def test_pages_are_read_one_after_the_other_and_no_further(view):
    service = Service(conversation(f"c{n}", n) for n in range(PAGE + 3))
    it = chats(view, service)
    it.load_more()
    it.load_more()
    it.load_more()
    assert service.asked == [("recent", PAGE, 0), ("recent", PAGE, PAGE)]
    assert len(view.names) == PAGE + 3


def test_a_page_is_not_asked_for_twice_while_it_is_read(view):
    waiting = []
    service = Service([conversation("a")])
    it = chats(view, service, lambda *work: waiting.append(work))
    it.load_more()
    it.load_more()
    assert len(waiting) == 1


def test_a_shown_conversation_gets_its_title_when_the_list_arrives(view):
    it = chats(view, Service([conversation("a"), conversation("b")]))
    it.mark_shown("b")
    it.load_more()
    assert view.changed == ["b"]


def test_what_happened_meanwhile_is_newer_than_the_page(view):
    it = chats(view, Service([conversation("a", title="old")]))
    it.handle(ConversationSaved(conversation=conversation("a", title="new")))
    it.load_more()
    assert [row.conversation.title for row in view.rows if isinstance(row, ChatRow)] == ["new"]


def test_a_message_moves_its_conversation_to_the_top(view):
    it = chats(view, Service([conversation("a", 1), conversation("b", 2)]))
    it.load_more()
    said = Turn(
        id="t",
        conversation_id="b",
        position=0,
        role=Role.USER,
        text="x",
        state=TurnState.COMPLETE,
        model="",
        created_at=NOW,
    )
    it.handle(TurnAdded(turn=said))
    it.handle(TurnAdded(turn=replace(said, conversation_id="unknown")))
    assert view.names == ["b", "a"]


def test_search_lists_what_was_found_until_it_is_cleared(view):
    it = chats(view, Service([conversation("tea"), conversation("soup")]))
    it.load_more()
    it.search(" te ")
    assert (view.names, view.searching) == (["tea"], True)
    it.search("")
    assert (sorted(view.names), view.searching) == (["soup", "tea"], False)


def test_a_late_search_result_does_not_replace_a_newer_one(view):
    waiting = []
    it = chats(
        view,
        Service([conversation("tea"), conversation("soup")]),
        lambda work, done, failed: waiting.append((work, done)),
    )
    it.search("te")
    it.search("so")
    for work, done in reversed(waiting):
        done(work())
    assert view.names == ["soup"]


def test_deleting_tells_whether_it_was_shown_and_undo_restores(view):
    service = Service([conversation("a"), conversation("b")])
    it = chats(view, service)
    it.load_more()
    it.mark_shown("a")
    it.delete("a")
    it.delete("b")
    it.handle(ConversationDeleted(conversation_id="a"))
    assert view.deleted == [("a", True), ("b", False)]
    assert view.names == ["b"]
    back = []
    it.restore("a", lambda: back.append(True))
    assert ("restore", "a") in service.asked
    assert back == [True]


def test_a_failed_deletion_is_told_and_offers_no_undo(view):
    service = Service([conversation("a")])
    service.failure = OSError("read-only")
    it = chats(view, service)
    it.delete("a")
    assert view.deleted == []
    assert len(view.troubles) == 1


def test_titles_are_one_line_and_empty_or_equal_ones_change_nothing(view):
    service = Service([conversation("a")])
    it = chats(view, service)
    it.load_more()
    for title in ("a", "  ", "", " new \n title "):
        it.rename("a", title)
    assert [asked for asked in service.asked if asked[0] == "rename"] == [
        ("rename", "a", "new title")
    ]


def test_pin_turns_round(view):
    service = Service([conversation("a"), conversation("b", pinned=True)])
    it = chats(view, service)
    it.load_more()
    for name in ("a", "b", "unknown"):
        it.toggle_pin(name)
    assert service.asked[1:] == [("set_pinned", "a", True), ("set_pinned", "b", False)]


def test_next_chat_goes_round(view):
    it = chats(view, Service([conversation("a", 1), conversation("b", 2), conversation("c", 3)]))
    assert it.neighbour(1) is None
    it.load_more()
    assert (it.neighbour(1), it.neighbour(-1)) == ("a", "c")
    it.mark_shown("c")
    assert (it.neighbour(1), it.neighbour(-1)) == ("a", "b")
