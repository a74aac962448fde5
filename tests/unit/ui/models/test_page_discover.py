"""The Models page as a person uses it: finding models, bringing some, and the room it has."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from engine.errors import AlreadyThere, ServerSilent, TokenMissing
from engine.types.downloads import DownloadState as S
from engine.types.hub import HubHit
from engine.types.library import Trouble
from tests.unit.ui.models import stock
from tests.unit.ui.models.page_window import CLICK

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform


@pytest.fixture
def world(page_window):
    return page_window


# --- discover ---


def test_get_says_name_and_size(world, qtbot):
    world.show(qtbot)
    get = world.find("get:smollm3-3b")
    assert get.text() == "Get 2.0 GB"
    assert get.accessibleName() == "Get SmolLM3 3B, 2.0 GB"
    assert world.find("offer:smollm3-3b:hint", QWidget).accessibleName() == "Best for this computer"


def test_a_search_goes_out_with_enter_only_and_shows_what_a_place_has(world, qtbot):
    world.shop.hits = (
        HubHit(repo="maker/thing", downloads=4_200, likes=1, gated=True, licence=""),
    )
    world.shop.choices = (
        stock.choice(),
        stock.choice(quantization="Q8_0", exact=False, recommended=False),
    )
    world.show(qtbot)
    field = world.page.discover.field
    qtbot.keyClicks(field, "thing")
    world.errands.run()
    assert not world.shop.calls
    qtbot.keyClick(field, Qt.Key.Key_Return)
    world.errands.run()
    assert world.shop.calls == [("search", "thing")]
    assert not world.page.offers.isVisible()
    world.press(qtbot, "look:maker/thing")
    dialog = world.dialog("choiceDialog")
    go = dialog.findChild(QAbstractButton, "choiceGet")
    assert go.text() == "Get 2.0 GB"
    assert not dialog.findChild(QAbstractButton, "choice:1").isVisible()
    qtbot.mouseClick(dialog.findChild(QAbstractButton, "choiceFold"), CLICK)
    other = dialog.findChild(QAbstractButton, "choice:1")
    assert "Q8_0" in other.text()
    qtbot.mouseClick(other, CLICK)
    qtbot.mouseClick(go, CLICK)
    world.errands.run()
    assert ("exactly", "Q8_0") in world.shop.calls
    assert world.downloads.calls


def test_escape_empties_the_search_and_leads_back(world, qtbot):
    world.show(qtbot)
    field = world.page.discover.field
    qtbot.keyClicks(field, "x")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    world.errands.run()
    assert world.page.discover.note.text() == "Nothing was found for “x”."
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert world.page.offers.isVisible()
    assert not world.page.discover.note.isVisible()


def test_offline_is_said_where_the_search_is(world, qtbot):
    world.offline = True
    world.show(qtbot)
    qtbot.keyClicks(world.page.discover.field, "x")
    qtbot.keyClick(world.page.discover.field, Qt.Key.Key_Return)
    said = "Snug is set to stay offline. You can turn that off under Privacy in the settings."
    assert world.page.discover.note.text() == said
    assert world.heard == [said]


# --- bringing ---


def test_what_is_brought_is_copied_or_used_where_it_is(world, qtbot):
    world.library.brought = stock.Brought(models=(stock.model("Stick"),), size_bytes=33 * 10**8)
    world.show(qtbot)
    world.hands.bring([stock.Path("stick")])
    world.errands.run()
    dialog = world.dialog("addDialog")
    copy = dialog.findChild(QAbstractButton, "addCopy")
    assert copy.isChecked()
    assert "3.3 GB" in copy.text()
    qtbot.mouseClick(dialog.findChild(QAbstractButton, "addInPlace"), CLICK)
    qtbot.mouseClick(dialog.findChild(QAbstractButton, "addGo"), CLICK)
    world.errands.run()
    assert world.library.calls[-1] == ("add", stock.Way.IN_PLACE)
    assert world.said == ["Stick is ready to use."]


def test_from_a_stick_there_is_only_copying(world, qtbot):
    brought = stock.Brought(models=(stock.model("Stick"),), removable=True, size_bytes=1)
    world.library.brought = brought
    world.show(qtbot)
    world.hands.bring([stock.Path("stick")])
    world.errands.run()
    dialog = world.dialog("addDialog")
    assert not dialog.findChild(QAbstractButton, "addInPlace").isVisible()


def test_what_is_no_model_is_said(world, qtbot):
    refused = ((stock.Path("letter.pdf"), Trouble.DAMAGED),)
    world.library.brought = stock.Brought(refused=refused)
    world.show(qtbot)
    world.hands.bring([stock.Path("letter.pdf")])
    world.errands.run()
    assert world.page.notice.text == "letter.pdf is not a model that Snug can use."


def test_a_folder_that_held_other_things_need_have_no_model(world, qtbot):
    packs = stock.Path("packs").absolute()
    refused = ((packs, Trouble.NOT_A_CHAT_MODEL), (stock.Path("letter.pdf"), Trouble.DAMAGED))
    world.library.brought = stock.Brought(refused=refused[:1])
    world.show(qtbot)
    world.hands.bring([packs], [packs])
    world.errands.run()
    assert world.page.notice.text == ""
    world.library.brought = stock.Brought(refused=refused)
    world.hands.bring([packs, stock.Path("letter.pdf")], [packs])
    world.errands.run()
    assert world.page.notice.text == "letter.pdf is not a model that Snug can use."


def test_who_deletes_the_words_is_back_at_the_suggestions(world, qtbot):
    world.shop.hits = ()
    world.show(qtbot)
    field = world.page.discover.field
    qtbot.keyClicks(field, "x")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    world.errands.run()
    assert world.page.discover.searching
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    assert not world.page.discover.searching


@pytest.mark.parametrize(
    ("troubles", "said"),
    [
        ((Trouble.CUT_OFF,), "0.gguf: Its file is not complete."),
        ((Trouble.CUT_OFF, Trouble.DAMAGED), "There is no model here that Snug can use."),
    ],
)
def test_the_reason_is_that_of_the_file(world, qtbot, troubles, said):
    refused = tuple((stock.Path(f"{i}.gguf"), trouble) for i, trouble in enumerate(troubles))
    world.library.brought = stock.Brought(refused=refused)
    world.show(qtbot)
    world.hands.bring([path for path, _ in refused])
    world.errands.run()
    assert world.page.notice.text == said
    assert world.said == [said]


def test_what_is_here_already_is_no_failure(world, qtbot):
    world.library.fails = AlreadyThere(stock.Path("m"))
    world.show(qtbot)
    world.controller.shelf.add(stock.Brought(models=(stock.model("M"),)), stock.Way.COPY)
    world.errands.run()
    assert world.said == ["This model is among your models already. Nothing was copied or changed."]
    assert world.page.notice.text == ""


# --- room and keyboard ---


def test_with_little_room_the_badge_stands_below_and_the_label_is_dropped(world, qtbot):
    world.show(qtbot, size=(720, 900))
    assert world.find("model:gemma-3-4b:fitBelow", QWidget).isVisible()
    assert not world.find("model:gemma-3-4b:fit", QWidget).isVisible()
    assert world.find("model:gemma-3-4b:slot", QWidget).isVisible()


@pytest.mark.parametrize(("width", "scale"), [(720, 100), (720, 200), (456, 100), (936, 200)])
def test_nothing_is_cut_off_at_the_side(world, qtbot, width, scale):
    world.downloads.listed = [
        stock.status("Mistral Nemo 12B", S.FAILED, error=ServerSilent("x")),
        stock.status("Gated", S.FAILED, error=TokenMissing("x")),
    ]
    world.show(qtbot, size=(width, 900), scale=scale)
    body = world.page._body
    assert body.width() <= world.page.width()
    for button in world.window.findChildren(QAbstractButton):
        if button.isVisible() and body.isAncestorOf(button):
            left = button.mapTo(world.page, QPoint(0, 0)).x()
            assert left >= 0
            assert left + button.width() <= world.page.width()


def test_tab_goes_as_the_page_is_read(world, qtbot):
    world.downloads.listed = [stock.status("Run", S.RUNNING)]
    world.show(qtbot)
    world.page.add.setFocus(Qt.FocusReason.TabFocusReason)
    seen = []
    for _ in range(12):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget().objectName())
    assert seen == [
        "more:gemma-3-4b",
        "use:qwen3-1.7b",
        "more:qwen3-1.7b",
        "why:huge",
        "more:huge",
        "more:broken",
        "pause:run",
        "cancel:run",
        "use:llama-8b",
        "more:llama-8b",
        "chip:here",
        "searchModels",
    ]


def test_a_row_that_goes_hands_the_keyboard_on(world, qtbot):
    world.show(qtbot)
    world.find("more:huge").setFocus()
    world.library.models_there = [
        model for model in world.library.models_there if model.name != "Huge"
    ]
    world.controller.refresh()
    world.errands.run()
    assert world.find("more:broken").hasFocus()


def test_a_long_name_is_cut_and_whole_in_its_tooltip(world, qtbot):
    name = "A model with a name that never ends and nobody reads " * 3
    world.library.models_there = [stock.model(name.strip())]
    world.show(qtbot)
    row = world.page.yours.rows[0]
    row.name.grab()
    assert row.name.toolTip() == name.strip()
    assert row.name.width() < world.page.width()
    QApplication.sendEvent(
        row.name, QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), row.name.mapToGlobal(QPoint(1, 1)))
    )


def test_the_theme_and_the_text_size_reach_every_row(world, qtbot):
    world.downloads.listed = [stock.status("Run", S.RUNNING)]
    world.show(qtbot)
    before = world.page.yours.rows[0].height()
    world.theme.set_scale(200)
    world.theme.choose("dark")
    qtbot.waitUntil(lambda: world.page.yours.rows[0].height() > 1.5 * before)
    colours = world.theme.colours
    image = world.page.grab().toImage()
    assert image.pixelColor(4, image.height() - 4) == colours.window
