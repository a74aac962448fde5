"""The Models page as a person uses it: the models that are here, and those on their way."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QMenu,
    QProgressBar,
    QWidget,
)

from engine.errors import LicenceNotAccepted, NoSpace, ServerSilent, TokenMissing
from engine.types.downloads import DownloadState as S
from tests.unit.ui.models import stock
from tests.unit.ui.models.page_window import CLICK, visible
from ui.models.installed_row import InstalledRow
from ui.models.page import ModelsPage
from ui.theme.fit import FitSlot
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform


@pytest.fixture
def world(page_window):
    return page_window


# --- models on this computer ---


def test_each_model_has_the_one_button_that_fits_it(world, qtbot):
    world.show(qtbot)
    assert visible(world, "use:") == ["use:qwen3-1.7b", "use:llama-8b"]
    assert visible(world, "why:") == ["why:huge", "why:gpt-oss-20b"]
    assert world.find("model:gemma-3-4b", QWidget).accessibleName() == "Gemma 3 4B. In use"
    assert world.find("use:qwen3-1.7b").accessibleName() == "Use Qwen3 1.7B"
    assert world.find("why:huge").accessibleName() == "Why is Huge too big?"
    assert world.find("more:huge").accessibleName() == "More for Huge"
    slot = world.find("model:gemma-3-4b:slot", QWidget)
    assert slot.accessibleName() == "Needs 4 of 9 GB"


def test_an_empty_list_says_that_it_is_looking(world, qtbot):
    page = ModelsPage(Theme("light", 100), lambda _: None, print, print)
    qtbot.addWidget(page)
    assert not page.looking.isHidden()
    world.show(qtbot)
    assert world.find("lookingForModels", QLabel).isHidden()


def test_use_marks_the_row_and_the_keyboard_stays_in_it(world, qtbot):
    world.show(qtbot)
    use = world.find("use:qwen3-1.7b")
    use.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(use, Qt.Key.Key_Space)
    world.errands.run()
    assert world.library.calls == [("use", "qwen3-1.7b")]
    assert world.find("more:qwen3-1.7b").hasFocus()
    assert "use:gemma-3-4b" in visible(world, "use:")


def menu_entries(world, qtbot, model_id):
    world.press(qtbot, f"more:{model_id}")
    menu = world.window.findChild(QMenu, "modelActions")
    names = [action.objectName() for action in menu.actions() if action.objectName()]
    return menu, names


@pytest.mark.parametrize(("model_id", "removable"), [("gemma-3-4b", True), ("llama-8b", False)])
def test_only_models_of_ones_own_can_be_removed(world, qtbot, model_id, removable):
    world.show(qtbot)
    menu, names = menu_entries(world, qtbot, model_id)
    assert ("model-remove" in names) is removable
    assert names[:3] == ["model-details", "model-check", "model-folder"]
    menu.close()


def choose(menu, name):
    next(action for action in menu.actions() if action.objectName() == name).trigger()
    menu.close()


def test_removing_says_what_it_frees_and_keeps_by_default(world, qtbot):
    world.show(qtbot)
    menu, _ = menu_entries(world, qtbot, "huge")
    choose(menu, "model-remove")
    dialog = world.dialog("removeDialog")
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "Delete Huge?" in said
    assert "3.3 GB of space back" in said
    assert "Your chats stay." in said
    assert dialog.focusWidget().objectName() == "removeDialogCancel"
    qtbot.mouseClick(dialog.findChild(QAbstractButton, "removeDialogGo"), CLICK)
    world.errands.run()
    assert world.library.calls == [("remove", ("huge", True))]
    assert "more:huge" not in visible(world, "more:")


def test_details_and_checks_come_from_the_menu(world, qtbot):
    world.show(qtbot)
    menu, _ = menu_entries(world, qtbot, "huge")
    choose(menu, "model-details")
    assert world.details[0][0] == "Huge"
    assert "huge.gguf" in world.details[0][1]
    menu, _ = menu_entries(world, qtbot, "huge")
    choose(menu, "model-check")
    world.errands.run()
    assert world.said == ["Huge is complete and undamaged."]


def test_why_names_what_would_work_instead(world, qtbot):
    world.show(qtbot)
    world.press(qtbot, "why:gpt-oss-20b")
    dialog = world.dialog("whyDialog")
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "needs 13 GB of memory" in said
    assert "SmolLM3 3B fits" in said
    qtbot.mouseClick(dialog.findChild(QAbstractButton, "whyGet"), CLICK)
    world.errands.run()
    assert world.downloads.calls == [("start", "SmolLM3 3B")]


def test_what_is_here_already_is_not_named_instead(world, qtbot):
    world.show(qtbot)
    world.controller.shop.set_here(frozenset({"SmolLM3 3B"}))
    world.press(qtbot, "why:gpt-oss-20b")
    dialog = world.dialog("whyDialog")
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "SmolLM3 3B" not in said


def test_coming_back_from_another_program_looks_at_the_disk_again(world, qtbot, monkeypatch):
    world.show(qtbot)
    looks = []

    def models(_library, *, refresh=False):
        looks.append(refresh)
        return ()

    monkeypatch.setattr(stock.FakeLibrary, "models", models)
    QApplication.sendEvent(world.page, QEvent(QEvent.Type.ActivationChange))
    world.errands.run()
    assert True in looks


# --- downloads ---


def test_every_state_of_a_download_has_its_buttons(world, qtbot):
    error = LicenceNotAccepted("x", "https://hub.example/p")
    world.downloads.listed = [
        stock.status("Run", S.RUNNING, left_s=200),
        stock.status("Wait", S.WAITING),
        stock.status("Rest", S.PAUSED),
        stock.status("Check", S.CHECKING),
        stock.status("Full", S.FAILED, error=NoSpace(stock.Path("m"), 2, 1)),
        stock.status("Gated", S.FAILED, error=TokenMissing("x")),
        stock.status("Licence", S.FAILED, error=error),
        stock.status("Done", S.DONE),
    ]
    world.show(qtbot, size=(1000, 1600))
    assert visible(world, "pause:") == ["pause:run"]
    assert visible(world, "play:") == ["play:rest"]
    assert visible(world, "first:") == ["first:wait"]
    assert visible(world, "useNow:") == ["useNow:done"]
    words = {name: world.find(name).text() for name in visible(world, "resume:")}
    assert words == {
        "resume:full": "Resume",
        "resume:gated": "Enter the key…",
        "resume:licence": "Open the page…",
    }
    assert world.find("pause:run").accessibleName() == "Pause Run"
    assert world.find("cancel:run").accessibleName() == "Cancel Run"
    assert world.find("progress:run", QProgressBar).accessibleName() == "Download Run, 45%"


def test_pausing_and_going_on_never_leads_the_keyboard_to_cancel(world, qtbot):
    world.downloads.listed = [stock.status("Run", S.RUNNING)]
    world.show(qtbot)
    pause = world.find("pause:run")
    pause.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(pause, Qt.Key.Key_Space)
    world.errands.run()
    world.controller.fetch.happened(stock.status("Run", S.PAUSED))
    assert world.find("play:run").hasFocus()
    qtbot.keyClick(world.find("play:run"), Qt.Key.Key_Space)
    world.errands.run()
    assert world.downloads.calls == [("pause", "run"), ("resume", "run")]


def test_the_bar_never_goes_back(world, qtbot):
    world.downloads.listed = [stock.status("Run", S.RUNNING, 2.0)]
    world.show(qtbot)
    bar = world.find("progress:run", QProgressBar)
    before = bar.value()
    world.controller.fetch.happened(stock.status("Run", S.RUNNING, 1.0))
    assert bar.value() == before


def test_much_is_not_thrown_away_without_asking(world, qtbot):
    small, large = stock.status("Small", S.PAUSED, 0.4, 1), stock.status("Large", S.PAUSED, 1.5)
    world.downloads.listed = [small, large]
    world.show(qtbot)
    world.press(qtbot, "cancel:small")
    assert world.downloads.calls == [("cancel", "small")]
    world.press(qtbot, "cancel:large")
    dialog = world.dialog("dropDialog")
    assert len(world.downloads.calls) == 1
    qtbot.mouseClick(dialog.findChild(QAbstractButton, "dropDialogGo"), CLICK)
    world.errands.run()
    assert world.downloads.calls[-1] == ("cancel", "large")


def test_a_failure_stays_on_the_screen_with_its_exact_words(world, qtbot):
    world.downloads.listed = [stock.status("M", S.FAILED, error=ServerSilent("hub.example"))]
    world.show(qtbot)
    row = world.find("download:m", QWidget)
    assert row.accessibleName() == ("M, The connection dropped at 1.5 of 3.3 GB. Nothing is lost.")
    world.press(qtbot, "details:m")
    assert world.details == [("M", "server_silent: hub.example")]


def test_a_key_is_hidden_while_it_is_typed_and_told_where_it_is_kept(world, qtbot):
    world.downloads.listed = [stock.status("M", S.FAILED, error=TokenMissing("x"))]
    world.shop.for_good = False
    world.show(qtbot)
    world.press(qtbot, "resume:m")
    dialog = world.dialog("tokenDialog")
    field = dialog.field
    assert dialog.focusWidget() is field
    qtbot.keyClicks(field, "hf_key")
    assert field.displayText() != "hf_key"
    qtbot.mouseClick(dialog.findChild(QAbstractButton, "tokenPage"), CLICK)
    assert world.opened == ["https://hub.example/settings/tokens"]
    qtbot.keyClick(field, Qt.Key.Key_Return)
    world.errands.run()
    assert world.shop.calls == [("keep_token", "hf_key")]
    assert world.said == ["The key is kept only until Snug closes."]
    assert world.downloads.calls == [("resume", "m")]


def test_ready_leads_to_the_chat_with_it(world, qtbot):
    world.downloads.listed = [stock.status("Gemma 3 4B", S.DONE)]
    world.show(qtbot)
    assert "more:gemma-3-4b" not in visible(world, "more:")  # it is shown once
    world.press(qtbot, "useNow:gemma-3-4b")
    assert world.library.calls == [("use", "gemma-3-4b")]
    assert ("put_away", "gemma-3-4b") in world.downloads.calls
    assert world.chats == 1


def test_slots_stand_one_below_the_other_however_wide_in_use_is(world, qtbot):
    world.show(qtbot)
    for row in world.page.yours.rows:
        if isinstance(row, InstalledRow):
            row._in_use._text = "A long way to say that it is in use"
            row.set_room(row._room)
    QApplication.processEvents()
    slots = [w for w in world.page.yours.findChildren(FitSlot) if w.isVisible()]
    assert len(slots) > 1
    assert len({slot.mapTo(world.page, slot.rect().topLeft()).x() for slot in slots}) == 1
