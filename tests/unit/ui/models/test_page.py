"""The Models page as a person sees and uses it: rows, buttons, keyboard, room."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QProgressBar, QWidget

from engine.errors import LicenceNotAccepted, NoSpace, ServerSilent, TokenMissing
from engine.types.downloads import DownloadState as S
from engine.types.hub import HubHit
from engine.types.library import Owner, Trouble
from engine.types.plans import Verdict
from tests.unit.ui.models import stock
from tests.unit.ui.models.page_world import PageWorld
from ui.models.page import ModelsPage
from ui.models.page_controller import ModelsController
from ui.models.page_hands import Around, PageHands
from ui.theme.style import sheet
from ui.theme.theme import Theme

CLICK = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform


class World(PageWorld):
    """With the real page and its dialogs."""

    def show(self, qtbot, size=(1000, 900), scale=100):
        self.theme = Theme("light", scale)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.setStyleSheet(sheet(self.theme))
        self.details, self.opened, self.said, self.heard, self.chats = [], [], [], [], 0
        self.hands = PageHands(self.theme, self._around())
        self.page = ModelsPage(self.theme, self.hands.make_row, self.heard.append, self._say)
        self.page.setParent(self.window)
        self.page.resize(*size)
        self.window.resize(*size)
        self.hands.page = self.page
        made = ModelsController(self.parts(), self.page, self.hands, self.hands.token_told)
        self.controller = self.hands.controller = made
        self.hands.connect_page()
        self.controller.begin()
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.errands.run()
        QApplication.processEvents()  # rows appear
        return self

    def _around(self):
        return Around(
            window=self.window,
            open_address=self.opened.append,
            show_details=lambda title, exact: self.details.append((title, exact)),
            say=self._say,
            announce=self.heard.append,
            to_chat=self._to_chat,
        )

    def _say(self, icon, words):
        self.said.append(words)

    def _to_chat(self):
        self.chats += 1

    def find(self, name, kind=QAbstractButton):
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def press(self, qtbot, name):
        qtbot.mouseClick(self.find(name), CLICK)
        self.errands.run()

    def dialog(self, name):
        found = self.window.findChild(QWidget, name)
        assert found is not None, name
        assert found.isVisible()
        return found


@pytest.fixture
def world():
    made = World()
    made.library.models_there = [
        stock.model("Gemma 3 4B"),
        stock.model("Qwen3 1.7B", Owner.PROGRAM),
        stock.model("Huge"),
        stock.model("Broken", trouble=Trouble.PARTS_MISSING),
        stock.model("Llama 8B", Owner.OLLAMA),
    ]
    made.library.chosen = "gemma-3-4b"
    made.library.plans = {
        "gemma-3-4b": stock.plan(Verdict.FITS, 4),
        "qwen3-1.7b": stock.plan(Verdict.FITS, 2),
        "huge": stock.plan(Verdict.TOO_BIG, 44),
    }
    made.shop.judgements = [
        stock.judged("smollm3-3b", Verdict.FITS, 3, size_gb=2.0, best=True),
        stock.judged("gpt-oss-20b", Verdict.TOO_BIG, 13, size_gb=12.1),
    ]
    return made


def visible(world, prefix):
    buttons = world.window.findChildren(QAbstractButton)
    return [b.objectName() for b in buttons if b.isVisible() and b.objectName().startswith(prefix)]


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
    world.press(qtbot, "useNow:gemma-3-4b")
    assert world.library.calls == [("use", "gemma-3-4b")]
    assert ("put_away", "gemma-3-4b") in world.downloads.calls
    assert world.chats == 1


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
    said = "You are offline. Chatting works; downloads wait."
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
    assert world.page.notice.text == "This file is not a model that Snug can use."


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
