"""Another computer answers in the window: marked before it is used, and one press leads back."""

from threading import Event, current_thread

import pytest
from PySide6.QtCore import Qt

from app.events import ModelLoading, ModelReady
from app.settings import REMOTE_ADDRESS
from engine.errors import KeyRefused, ServerUnreachable
from tests.unit.ui import plans
from tests.unit.ui.servers import NAS
from tests.unit.ui.shell.model_hands import ask, card, press, tell
from ui.models.elsewhere_dialog import ElsewhereDialog

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none
A = NAS.address
MARK = "Answers come from http://nas:8080"


def dialog(it):
    found = it.window.findChildren(ElsewhereDialog)
    return next((made for made in found if made.isVisible()), None)


def mark(it):
    return it.window.page.strip._place.accessibleName()


def pill(it):
    return it.window.page.header.pill.accessibleName()


def opened(it):
    it.bench.elsewhere.open()
    return dialog(it)


def look(it, qtbot, key=""):
    shown = opened(it)
    shown.address.clear()
    qtbot.keyClicks(shown.address, A)
    qtbot.keyClicks(shown.key, key)
    qtbot.keyClick(shown.key, Qt.Key.Key_Return)
    return shown


def use(it, qtbot, key=""):
    shown = look(it, qtbot, key)
    qtbot.waitUntil(shown.use.isEnabled)
    qtbot.mouseClick(shown.use, Qt.MouseButton.LeftButton)


def test_it_is_off_until_a_person_turns_it_on_and_reached_from_the_details(quiet, qtbot):
    tell(quiet, ModelLoading(name="Gemma 3 4B", fraction=0.4))
    assert mark(quiet) == "Privacy: on this computer"
    quiet.bench.model.show_card()
    press(qtbot, card(quiet), "modelCardElsewhere")
    assert dialog(quiet) is not None
    assert card(quiet) is None
    assert quiet.servers.asked == []


def test_a_found_model_answers_and_is_marked_everywhere(make, qtbot):
    it = make()
    use(it, qtbot)
    assert mark(it) == MARK  # before anything could be asked
    qtbot.waitUntil(lambda: it.servers.chosen is not None)
    assert it.servers.chosen.model == "qwen3-32b"
    qtbot.waitUntil(lambda: pill(it) == f"Model: qwen3-32b, {MARK}")
    ask(it, qtbot)
    qtbot.waitUntil(lambda: it.bench.conversation.last_answer() != "")
    assert mark(it) == MARK


def test_one_press_on_the_strip_leads_back(make, qtbot):
    it = make()
    use(it, qtbot)
    qtbot.waitUntil(lambda: it.servers.chosen is not None)
    press(qtbot, it.window, "answerHere")
    qtbot.waitUntil(lambda: mark(it) == "Privacy: on this computer")
    assert it.servers.chosen is None
    qtbot.waitUntil(lambda: pill(it) == "Model: SmolLM2 135M")
    assert it.window.focusWidget() is it.window.page.composer.field


def test_the_details_lead_back_too(make, qtbot):
    it = make()
    use(it, qtbot)
    qtbot.waitUntil(lambda: it.servers.chosen is not None)
    qtbot.waitUntil(lambda: pill(it) == f"Model: qwen3-32b, {MARK}")
    it.bench.model.show_card()
    assert "What you write is sent there." in card(it)._sentence.text()
    press(qtbot, card(it), "modelCardHere")
    qtbot.waitUntil(lambda: pill(it) == "Model: SmolLM2 135M")


def test_what_was_chosen_before_is_marked_from_the_start(make, qtbot):
    it = make(begin=False)
    it.servers.chosen = NAS
    it.bench.begin()
    assert mark(it) == MARK
    assert pill(it).endswith(MARK)
    qtbot.waitUntil(lambda: pill(it) == f"Model: qwen3-32b, {MARK}")


def test_a_model_here_that_comes_late_takes_no_mark_away(quiet):
    quiet.servers.chosen = NAS
    quiet.bench.elsewhere.begin()
    tell(
        quiet,
        ModelLoading(name="Gemma 3 4B", fraction=0.9),
        ModelReady(info=plans.loaded(plans.plan())),
    )
    assert pill(quiet) == f"Model: qwen3-32b, {MARK}"


def test_a_key_is_kept_by_the_keychain_or_said_to_last_for_the_session(make, qtbot):
    it = make()
    use(it, qtbot, "secret")
    qtbot.waitUntil(lambda: it.servers.chosen is not None)
    assert it.servers.keys == {A: "secret"}
    assert not it.window.page.banner.holds("key")
    it.servers.keychain = False
    use(it, qtbot, "another")
    qtbot.waitUntil(lambda: it.window.page.banner.holds("key"))
    assert it.window.page.banner.message.title == "The key is kept only until Snug is closed."


def test_nothing_of_it_is_asked_on_the_window_s_thread(quiet, qtbot, monkeypatch):
    threads = set()
    for name in ("models", "has_key", "keep_key", "use"):
        real = getattr(quiet.servers, name)

        def seen(*given, real=real):
            threads.add(current_thread().name)
            return real(*given)

        monkeypatch.setattr(type(quiet.servers), name, lambda _self, *given, f=seen: f(*given))
    use(quiet, qtbot, "secret")
    qtbot.waitUntil(lambda: quiet.servers.chosen is not None)
    assert threads == {"snug-remote", "test-data"}


def test_a_server_that_is_silent_keeps_nobody_and_can_be_given_up(quiet, qtbot):
    quiet.servers.held = Event()
    shown = look(quiet, qtbot)
    qtbot.waitUntil(lambda: bool(quiet.servers.asked))
    assert shown.search.text() == "Stop looking"
    done = []
    quiet.bench.bridge.run(lambda: 1, done.append, done.append)
    qtbot.waitUntil(lambda: done == [1])  # chats are stored meanwhile
    qtbot.mouseClick(shown.search, Qt.MouseButton.LeftButton)
    assert shown.search.text() == "Find models"
    assert quiet.servers.held.is_set()


def test_to_close_the_dialog_gives_up_the_question(quiet, qtbot):
    quiet.servers.held = Event()
    shown = look(quiet, qtbot)
    qtbot.waitUntil(lambda: bool(quiet.servers.asked))
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert quiet.servers.held.is_set()
    assert mark(quiet) == "Privacy: on this computer"


def test_to_close_the_window_gives_it_up_too(quiet, qtbot):
    quiet.servers.held = Event()
    look(quiet, qtbot)
    qtbot.waitUntil(lambda: bool(quiet.servers.asked))
    quiet.close()
    assert quiet.servers.held.is_set()


def test_trouble_is_told_in_the_dialog_and_nothing_changes(quiet, qtbot):
    quiet.servers.found = KeyRefused(A, "401")
    shown = look(quiet, qtbot, "wrong")
    qtbot.waitUntil(shown._trouble.isVisible)
    assert (
        shown._trouble.text
        == "The other computer wants another key. Write it into the field above."
    )
    assert quiet.servers.chosen is None
    assert not quiet.window.page.banner.isVisible()


def test_a_choice_that_can_not_be_kept_is_told_and_not_marked(quiet, qtbot, monkeypatch):
    def refuse(_self, _model):
        raise ServerUnreachable(A)

    monkeypatch.setattr(type(quiet.servers), "use", refuse)
    use(quiet, qtbot)
    qtbot.waitUntil(lambda: quiet.window.page.banner.holds("trouble"))
    assert mark(quiet) == "Privacy: on this computer"


def test_the_offline_switch_brings_answers_back_to_this_computer(make, qtbot):
    it = make()
    use(it, qtbot)
    qtbot.waitUntil(lambda: it.servers.chosen is not None)
    shown = opened(it)
    qtbot.mouseClick(shown.offline, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: mark(it) == "Privacy: on this computer")
    assert it.servers.offline
    assert it.servers.chosen is None
    assert shown._warning.text.startswith("Snug is set to stay offline")
    assert not shown.here.isVisible()
    qtbot.mouseClick(shown.offline, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not it.servers.offline)
    qtbot.waitUntil(shown.search.isEnabled)


def test_the_address_of_last_time_is_still_there(quiet):
    quiet.container.settings.set(REMOTE_ADDRESS, A)
    assert opened(quiet).address.text() == A
