"""What tests of the conversation page start from: a presenter, or a column in a window."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.unit.ui.chat.controller_bench import Bench
from ui.chat.view import ConversationView
from ui.theme.theme import Theme


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def theme() -> Theme:
    return Theme("light")


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> Iterator[ConversationView]:
    made = ConversationView(theme)
    qtbot.addWidget(made)
    made.resize(936, 600)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.hide()
