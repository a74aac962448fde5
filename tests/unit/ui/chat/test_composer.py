"""Where a person writes: keys, height, long texts, and that nothing typed is lost."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.chat.composer import Composer
from ui.chat.draft import FIELD_LIMIT, Draft, Drafts
from ui.theme.fonts import Role
from ui.theme.theme import Theme


@pytest.fixture
def theme(qapp):
    return Theme("light")


@pytest.fixture
def composer(qtbot, theme):
    window = QWidget()
    window.resize(760, 600)
    qtbot.addWidget(window)
    made = Composer(theme)
    column = QVBoxLayout(window)
    column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
    column.addStretch(1)
    column.addWidget(made)
    made.set_window_height(800)
    window.show()
    made.field.setFocus()
    yield made
    window.close()


@pytest.fixture
def sent(composer):
    texts = []
    composer.submitted.connect(texts.append)
    composer.listen()
    return texts


def paste(composer, text="", html="", urls=()):
    data = QMimeData()
    if text:
        data.setText(text)
    if html:
        data.setHtml(html)
    if urls:
        data.setUrls([QUrl(url) for url in urls])
    if composer.field.canInsertFromMimeData(data):
        composer.field.insertFromMimeData(data)


def test_enter_sends_and_shift_enter_starts_a_line(composer, sent, qtbot):
    qtbot.keyClicks(composer.field, "one")
    qtbot.keyClick(composer.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.field, "two")
    qtbot.keyClick(composer.field, Qt.Key.Key_Return)
    assert sent == ["one\ntwo"]
    assert composer.draft.typed == "one\ntwo"


def test_what_was_sent_before_anybody_listens_is_sent_then(composer, qtbot):
    texts = []
    composer.submitted.connect(texts.append)
    qtbot.keyClicks(composer.field, "early")
    qtbot.keyClick(composer.field, Qt.Key.Key_Return)
    assert texts == []
    composer.listen()
    assert texts == ["early"]


def test_nothing_is_not_sent(composer, sent, qtbot):
    assert not composer.send.isEnabled()
    qtbot.keyClicks(composer.field, "  ")
    qtbot.keyClick(composer.field, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert sent == []


def test_the_field_grows_to_eight_lines_and_then_scrolls(composer, theme):
    line = theme.line_height(Role.READING)
    assert composer.field.height() == line
    composer.show_draft(Draft(typed="\n".join("abc")))
    assert composer.field.height() == 3 * line
    composer.show_draft(Draft(typed="\n" * 30))
    assert composer.field.height() == 8 * line
    composer.set_window_height(300)
    assert composer.field.height() == 300 * 0.4 // line * line
    composer.clear()
    assert composer.field.height() == line


def test_up_in_an_empty_field_wishes_to_edit(composer, qtbot):
    with qtbot.waitSignal(composer.edit_last_wished):
        qtbot.keyClick(composer.field, Qt.Key.Key_Up)
    qtbot.keyClicks(composer.field, "x")
    with qtbot.assertNotEmitted(composer.edit_last_wished):
        qtbot.keyClick(composer.field, Qt.Key.Key_Up)


def test_only_plain_text_comes_in(composer):
    paste(composer, html="<h1>Big</h1>")
    assert composer.draft.empty
    paste(composer, text="plain\r\ntext\0", html="<h1>Big</h1>")
    assert composer.draft.typed == "plain\ntext"
    assert "<h1" not in composer.field.toHtml()


def test_dropped_files_are_not_their_addresses(composer):
    paste(composer, text="file:///etc/passwd", urls=["file:///etc/passwd"])
    assert composer.draft.empty


@pytest.mark.parametrize("text", ["x" * 2_000_000, "line\n" * 100_000])
def test_a_huge_paste_is_held_whole_and_at_once(composer, sent, qtbot, text):
    qtbot.keyClicks(composer.field, "About this:")
    started = time.perf_counter()
    paste(composer, text=text)
    qtbot.keyClicks(composer.field, " why")
    assert time.perf_counter() - started < 0.3
    qtbot.keyClick(composer.field, Qt.Key.Key_Return)
    assert sent == [f"About this: why\n\n{text}"]


def test_a_held_text_can_be_taken_away_again(composer, qtbot):
    paste(composer, text="a" * (FIELD_LIMIT + 1))
    paste(composer, text="b" * (FIELD_LIMIT + 1))
    chip = composer.findChild(object, "removeHeldText-0")
    assert chip.accessibleName() == "Remove Long text, 20 thousand characters"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert [held[0] for held in composer.draft.held] == ["b"]


def test_stop_takes_the_place_of_send_and_typing_goes_on(composer, qtbot):
    composer.set_working(working=True)
    assert composer.stop.isVisible()
    assert not composer.send.isVisible()
    qtbot.keyClicks(composer.field, "next")
    assert composer.draft.typed == "next"
    with qtbot.waitSignal(composer.stop_wished):
        qtbot.mouseClick(composer.stop, Qt.MouseButton.LeftButton)
    composer.set_working(working=False)
    assert composer.send.isVisible()


def test_undo_does_not_bring_back_another_draft(composer, qtbot):
    composer.show_draft(Draft(typed="first"))
    composer.show_draft(Draft(typed="second"))
    qtbot.keySequence(composer.field, QKeySequence.StandardKey.Undo)
    assert composer.draft.typed == "second"


def test_parts_have_their_names(composer):
    assert composer.field.accessibleName() == "Message"
    assert composer.send.accessibleName() == "Send"
    assert composer.stop.accessibleName() == "Stop"


texts = st.text(alphabet="ab \n", max_size=12)


@given(first=texts, second=texts)
def test_adding_never_loses_a_word(first, second):
    words = Draft().with_text(first).with_text(second).text.split()
    assert words == first.split() + second.split()


def test_long_texts_are_held_in_order():
    long = "x" * (FIELD_LIMIT + 1)
    draft = Draft(typed="a").with_text(long).with_text("b")
    assert draft == Draft(typed="a\n\nb", held=(long,))
    assert draft.without_held(0) == Draft(typed="a\n\nb")


def test_drafts_are_kept_by_conversation():
    drafts = Drafts()
    drafts.put("a", Draft(typed="for a"))
    drafts.put(None, Draft(typed="new"))
    drafts.put("b", Draft(typed=" "))
    assert drafts.get("a").typed == "for a"
    assert drafts.get(None).typed == "new"
    assert drafts.get("b") == Draft()
    drafts.put("a", Draft())
    assert drafts.get("a").empty


def test_what_was_added_while_a_message_was_sent_stays():
    assert Draft(typed="Hello").without_sent("Hello") == Draft()
    assert Draft(typed="Hello and more").without_sent("Hello") == Draft(typed="and more")
    assert Draft(typed="Other").without_sent("Hello") == Draft(typed="Other")
    assert Draft(typed="Hello", held=("long",)).without_sent("Hello\n\nlong") == Draft()
