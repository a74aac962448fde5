"""The rows as a Qt model: watched by Qt's own model tester through every change."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from app.conversations.values import Conversation
from ui.shell.chat_model import ROW_ROLE, ChatListModel
from ui.shell.chat_view import ChatListView
from ui.shell.groups import ChatRow, Heading, rows
from ui.theme.lamp import Breath
from ui.theme.theme import Theme

NOW = datetime(2026, 3, 10, 9, 0, tzinfo=UTC)


def listed(*names, **state):
    conversations = [
        Conversation(
            id=name,
            title=f"Title {name}",
            title_is_manual=False,
            pinned=False,
            created_at=NOW,
            updated_at=NOW - timedelta(hours=7 * place),
        )
        for place, name in enumerate(names)
    ]
    return rows(conversations, NOW, **state)


@pytest.fixture
def model(qapp):
    made = ChatListModel()
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield made
    del tester


def shown(model):
    return [model.index(n).data(ROW_ROLE) for n in range(model.rowCount())]


names = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


@given(before=names, after=names)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_list_becomes_any_other(model, before, after):
    model.set_rows(listed(*before))
    model.set_rows(listed(*after))
    assert shown(model) == listed(*after)


def test_a_place_in_the_list_follows_its_conversation(model):
    model.set_rows(listed("a", "b", "c"))
    held = QPersistentModelIndex(model.index_of("c"))
    model.set_rows(listed("c", "x", "a", "b"))
    assert held.data(ROW_ROLE).conversation.id == "c"


def test_headings_can_not_be_chosen_and_rows_speak_their_state(model):
    model.set_rows(listed("a", shown="a", writing=frozenset({"a"})))
    heading, chat = model.index(0), model.index(1)
    assert isinstance(heading.data(ROW_ROLE), Heading)
    assert model.flags(heading) == Qt.ItemFlag.NoItemFlags
    spoken = chat.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Title a, ")
    assert spoken.endswith("open, Snug is writing here")


def test_a_new_title_is_a_wish(model, qtbot):
    model.set_rows(listed("a"))
    with qtbot.waitSignal(model.renamed) as wish:
        assert model.setData(model.index_of("a"), "New")
    assert wish.args == ["a", "New"]
    assert not model.setData(model.index(0), "Heading")
    assert isinstance(shown(model)[1], ChatRow)


def test_thousands_arrive_at_once(model):
    many = listed(*(f"n{n}" for n in range(3000)))
    model.set_rows(many)
    model.set_rows(listed("a"))
    assert shown(model) == listed("a")


def test_the_keyboard_stands_on_a_chat_after_the_first_one_is_gone(qtbot, model):
    theme = Theme("light")
    view = ChatListView(theme, Breath(theme), model)
    qtbot.addWidget(view)
    model.set_rows(listed("a", "b"))
    view.show()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    assert view.current_id() == "a"
    model.set_rows(listed("b"))
    assert view.current_id() == "b"
    model.set_rows([])
    assert view.current_id() is None
