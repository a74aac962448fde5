"""Models and downloads: what a person sets there is what the services use."""

from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel

from app.hub_settings import HUGGING_FACE, MODELSCOPE
from app.settings import AUTHORITIES, DOWNLOAD_LIMIT_KB, HUB, OTHER_PROGRAMS, PROXY
from engine.errors import Cancelled, NoSpace
from tests.servers.authority import Authority
from ui.settings.groups import Group
from ui.settings.sources_values import Field, Kept, Place, Way

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(it, qtbot):
    found = it.show(Group.MODELS)
    qtbot.waitUntil(lambda: now(it) is not None and now(it).token is not Kept.LOOKING)
    return found


def now(it):
    return it.bench.settings.hands.sources.now


def set_to(it, setting, value):
    return lambda: it.container.settings.get(setting) == value


def everything_said(panel):
    return " ".join(label.text() for label in panel.findChildren(QLabel))


# --- where models are kept -----------------------------------------------------------------------


def test_the_folder_is_shown_and_moved(it, panel, qtbot, tmp_path, monkeypatch):
    assert panel._folder.hint.accessibleName() == str(it.container.library.folder)
    model = it.container.library.folder / "one" / "model.bin"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"x" * 1000)
    target = tmp_path / "elsewhere"
    target.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(target))
    qtbot.mouseClick(panel.move_button, LEFT)
    qtbot.waitUntil(lambda: panel._folder.hint.accessibleName() == str(target))
    assert it.container.library.folder == target
    qtbot.waitUntil(panel.move_button.isVisible)


class SlowLibrary:
    """Moves half, then waits to be stopped."""

    def __init__(self, folder):
        self.folder = folder
        self.error = None

    def models(self, *, refresh=False):
        return ()

    def move(self, folder, progress, cancel):
        progress(0.5)
        progress(0.25)
        if self.error is not None:
            raise self.error
        stopped = Event()
        cancel.on_cancel(stopped.set)
        stopped.wait(10)
        raise Cancelled


@pytest.fixture
def slow(it, panel, monkeypatch, tmp_path):
    made = SlowLibrary(tmp_path)
    monkeypatch.setattr(it.container.supply, "_library", made)
    return made


def test_moving_shows_how_far_it_is_and_can_be_stopped(it, panel, slow, qtbot, tmp_path):
    panel.move_wished.emit(tmp_path / "new")
    qtbot.waitUntil(lambda: "50%" in everything_said(panel))
    assert panel.stop.isVisible()
    assert not panel.move_button.isVisible()
    qtbot.mouseClick(panel.stop, LEFT)
    qtbot.waitUntil(panel.move_button.isVisible)
    assert not panel._folder.findChild(type(panel.moving)).isVisible()
    assert panel._said[Field.FOLDER].text == ""


def test_why_it_was_not_moved_stands_below(panel, slow, qtbot, tmp_path):
    slow.error = NoSpace(tmp_path, needed_bytes=3 * 10**9, free_bytes=10**9)
    panel.move_wished.emit(tmp_path / "new")
    qtbot.waitUntil(lambda: "3.0 GB" in everything_said(panel))
    assert panel.move_button.isVisible()


def test_models_of_other_programs_are_used_or_not(it, panel, qtbot):
    assert panel.others.isChecked()
    qtbot.mouseClick(panel.others, LEFT)
    qtbot.waitUntil(set_to(it, OTHER_PROGRAMS, value=False))
    qtbot.waitUntil(lambda: not now(it).others)


# --- where they come from ------------------------------------------------------------------------


def test_another_place_is_chosen(it, panel, qtbot):
    panel.place.picked.emit(list(Place).index(Place.MODELSCOPE))
    qtbot.waitUntil(lambda: it.container.hub.hub() == MODELSCOPE)
    qtbot.waitUntil(lambda: panel.place.text() == "ModelScope")
    panel.place.picked.emit(list(Place).index(Place.HUGGING_FACE))
    qtbot.waitUntil(lambda: it.container.hub.hub() == HUGGING_FACE)


def test_an_address_that_is_none_is_refused_beside_the_field(it, panel, qtbot):
    panel.place.picked.emit(list(Place).index(Place.OTHER))
    assert panel.address.isVisible()
    field = panel.address.fields[0]
    for wrong in ("", "ftp://mirror.example", "https://me:secret@mirror.example"):
        field.setText(wrong)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        qtbot.waitUntil(panel.address.trouble.isVisible)
        assert "secret" not in panel.address.trouble.text
        assert field.accessibleDescription() == panel.address.trouble.text
    assert it.container.settings.get(HUB) == ""
    field.setText("https://mirror.example/")
    qtbot.mouseClick(panel.address.keep, LEFT)
    qtbot.waitUntil(set_to(it, HUB, "https://mirror.example"))
    qtbot.waitUntil(lambda: panel.place.text() == "mirror.example")
    assert not panel.address.trouble.isVisible()
    assert field.accessibleDescription() == ""


def test_the_speed_is_limited(it, panel, qtbot):
    panel.speed.picked.emit(DOWNLOAD_LIMIT_KB.choices.index(2000))
    qtbot.waitUntil(set_to(it, DOWNLOAD_LIMIT_KB, 2000))
    assert panel.speed.text() == "2 MB a second"


# --- the key -------------------------------------------------------------------------------------


def enter_key(panel, qtbot, text):
    qtbot.mouseClick(panel.enter, LEFT)
    field = panel.token.fields[0]
    assert field.echoMode() == field.EchoMode.Password
    field.setText(text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_without_a_keychain_the_key_is_said_to_last_until_the_end(it, panel, qtbot):
    assert "none for huggingface.co" in panel._token.hint.text()
    assert not panel.forget.isVisible()
    enter_key(panel, qtbot, "hf_secret")
    qtbot.waitUntil(lambda: now(it).token is Kept.SESSION)
    assert "only until Snug closes" in panel._token.hint.text()
    assert "hf_secret" not in everything_said(panel)
    assert panel.token.fields[0].text() == ""
    assert it.container.hub.token() == "hf_secret"
    qtbot.mouseClick(panel.forget, LEFT)
    qtbot.waitUntil(lambda: not panel.forget.isVisible())
    assert it.container.hub.token() is None


def test_with_one_it_is_said_to_be_kept(it, panel, qtbot, monkeypatch):
    kept = {}

    def keep(text):
        kept["token"] = text
        return True

    monkeypatch.setattr(it.container.hub, "keep_token", keep)
    enter_key(panel, qtbot, "hf_secret")
    qtbot.waitUntil(lambda: now(it).token is Kept.FOR_GOOD)
    assert "keychain" in panel._token.hint.text()
    assert kept == {"token": "hf_secret"}


def test_what_can_be_no_key_is_refused(panel, qtbot):
    enter_key(panel, qtbot, "ключ")
    qtbot.waitUntil(panel.token.trouble.isVisible)
    assert "can be no key" in panel.token.trouble.text


def test_a_key_belongs_to_one_place(it, panel, qtbot):
    enter_key(panel, qtbot, "hf_secret")
    qtbot.waitUntil(lambda: now(it).token is Kept.SESSION)
    panel.place.picked.emit(list(Place).index(Place.MODELSCOPE))
    qtbot.waitUntil(lambda: "none for modelscope.cn" in panel._token.hint.text())


# --- details -------------------------------------------------------------------------------------


@pytest.fixture
def details(panel):
    panel.details.fold.setChecked(True)
    return panel.details


def test_no_hard_word_stands_outside_the_fold(panel):
    shown = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert shown
    assert not [text for text in shown if "proxy" in text.lower() or "certificate" in text.lower()]


def test_a_proxy_has_an_address_a_name_and_a_password(it, details, qtbot):
    details.way.picked.emit(list(Way).index(Way.PROXY))
    address, name, password = details.form.fields
    address.setText("me:secret@office:3128")
    qtbot.mouseClick(details.form.keep, LEFT)
    qtbot.waitUntil(details.form.trouble.isVisible)
    assert "secret" not in details.form.trouble.text
    address.setText("office:3128")
    name.setText("me")
    password.setText("s3cret/@")
    qtbot.mouseClick(details.form.keep, LEFT)
    qtbot.waitUntil(set_to(it, PROXY, "http://office:3128"))
    qtbot.waitUntil(lambda: now(it).login is Kept.SESSION)
    assert it.container.hub.route().proxy == "http://me:s3cret%2F%40@office:3128"
    assert (name.text(), password.text()) == ("", "")
    assert "only until Snug closes" in details._login.text()
    qtbot.mouseClick(details.forget, LEFT)
    qtbot.waitUntil(lambda: it.container.hub.route().proxy == "http://office:3128")
    details.way.picked.emit(list(Way).index(Way.STRAIGHT))
    qtbot.waitUntil(set_to(it, PROXY, "none"))
    details.way.picked.emit(list(Way).index(Way.SYSTEM))
    qtbot.waitUntil(set_to(it, PROXY, ""))


def choose(details, qtbot, monkeypatch, file):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    qtbot.mouseClick(details.choose, LEFT)


def test_a_file_without_certificates_is_refused(it, details, qtbot, tmp_path, monkeypatch):
    wrong = tmp_path / "notes.pem"
    wrong.write_text("no certificate at all")
    choose(details, qtbot, monkeypatch, wrong)
    trouble = details.trouble
    qtbot.waitUntil(trouble.isVisible)
    assert "no certificates" in trouble.text
    assert it.container.settings.get(AUTHORITIES) == ""


def test_a_file_of_authorities_is_trusted_until_it_is_not(
    it, details, qtbot, tmp_path, monkeypatch
):
    file = Authority(tmp_path).pem
    choose(details, qtbot, monkeypatch, file)
    qtbot.waitUntil(set_to(it, AUTHORITIES, str(file)))
    qtbot.waitUntil(details.drop.isVisible)
    qtbot.mouseClick(details.drop, LEFT)
    qtbot.waitUntil(set_to(it, AUTHORITIES, ""))


# --- the end -------------------------------------------------------------------------------------


def test_the_window_may_close_while_a_store_of_secrets_is_silent(it, qtbot, monkeypatch):
    held, asked = Event(), Event()

    def ask(_hub):
        asked.set()
        held.wait(10)

    monkeypatch.setattr(it.container.hub, "token_of", ask)
    it.show(Group.MODELS)
    qtbot.waitUntil(asked.is_set)
    assert it.bench.settings.hands.sources.now is not None  # all else is shown meanwhile
    it.close()
    held.set()
