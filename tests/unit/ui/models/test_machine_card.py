"""The card with this computer's memory."""

import pytest

from app.memory import MemoryNow
from ui.models.machine_card import MachineCard, total_words, usable_words, used_words
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none
GB = 2**30


def memory(total=16.0, usable=9.4, used=4.05):
    return MemoryNow(
        total_bytes=int(total * GB), usable_bytes=int(usable * GB), used_bytes=int(used * GB)
    )


@pytest.mark.parametrize(("total", "words"), [(16, "16 GB"), (15.6, "16 GB"), (23.5, "24 GB")])
def test_a_computer_has_what_its_maker_says(total, words):
    assert total_words(memory(total)) == f"This computer has {words} of memory"


def test_what_is_free_is_rounded_down():
    assert usable_words(memory()).startswith("Snug can use about 9.4 GB of it right now.")
    assert "about 12 GB" in usable_words(memory(usable=12.9))
    assert "about 510 MB" in usable_words(memory(usable=0.5))


def test_what_snug_uses_is_told_in_plain_numbers():
    assert used_words(memory()) == "4 GB used by Snug"
    assert used_words(memory(used=0)) == "Snug uses none now"


def test_the_bar_is_read_out(qtbot):
    card = MachineCard(Theme("light"))
    qtbot.addWidget(card)
    card.show_memory(memory())
    assert card._bar.accessibleName() == "4 GB used by Snug, 5.3 GB left"
    assert card.accessibleName() == "This computer has 16 GB of memory"


def test_with_little_room_the_bar_stands_below(qtbot):
    card = MachineCard(Theme("light"))
    qtbot.addWidget(card)
    card.show_memory(memory())
    card.set_narrow(narrow=True)
    card.resize(600, 200)
    card.show()
    qtbot.waitUntil(lambda: card._bar_box.y() > card._line.y())
