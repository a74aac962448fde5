"""The smaller parts of the window: banner, dialogs, regions, text sizes, show requests."""

import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QWidget

from app.show_request import ShowRequests, ask_to_show
from ui.messages import Message, Tone
from ui.shell import commands, dialogs
from ui.shell.banner import Notices
from ui.shell.dialogs import allowed, shown_address
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none


def message(title, tone):
    return Message(title=title, sentence="", tone=tone)


def test_the_worst_notice_is_shown_and_of_equals_the_newest():
    notices = Notices()
    assert notices.current is None
    notices.put("a", message("info", Tone.INFO))
    notices.put("b", message("bad", Tone.BAD))
    notices.put("c", message("warn", Tone.WARN))
    assert notices.current[0] == "b"
    notices.put("d", message("worse", Tone.BAD))
    assert notices.current[0] == "d"
    notices.drop("d")
    notices.drop("b")
    assert notices.current[0] == "c"
    notices.drop("unknown")


@pytest.mark.parametrize(
    "address",
    ["https://example.org/a?b=c#d", "HTTP://example.org", "mailto:someone@example.org"],
)
def test_these_links_may_be_opened(address):
    assert allowed(address) is not None


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.org",
        "https:",
        "https:///path",
        "example.org",
        "",
        "smb://host/share",
        "vscode://x",
        "\\\\host\\share",
    ],
)
def test_nothing_else_is_ever_opened(address):
    assert allowed(address) is None


def test_no_letter_can_pose_as_another():
    assert "xn--" in shown_address(allowed("https://аpple.com/"))  # noqa: RUF001 - Cyrillic


@pytest.fixture
def opened(monkeypatch):
    urls = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url.toString()))
    return urls


@pytest.fixture
def parent(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("button", "result"), [("linkOpen", ["https://a.org"]), ("linkCancel", [])]
)
def test_a_link_opens_only_after_a_look_at_it(qtbot, parent, opened, button, result):
    dialog = dialogs.ask_to_open(Theme("light"), "https://a.org", parent)
    assert dialog.findChild(QPlainTextEdit, "linkAddress").toPlainText() == "https://a.org"
    assert opened == []
    qtbot.mouseClick(dialog.findChild(QAbstractButton, button), Qt.MouseButton.LeftButton)
    assert opened == result


def test_escape_and_enter_are_the_safe_choice(qtbot, parent, opened):
    dialog = dialogs.ask_to_open(Theme("light"), "https://a.org", parent)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.result() == 0
    assert opened == []


def test_forbidden_links_get_no_dialog(parent):
    assert dialogs.ask_to_open(Theme("light"), "file:///etc/passwd", parent) is None


def test_details_can_be_copied(qtbot, parent):
    dialog = dialogs.show_details(Theme("dark"), "The model stopped.", "code: -3", parent)
    copy = dialog.findChild(QAbstractButton, "detailsCopy")
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "code: -3"
    dialog.accept()


@pytest.mark.parametrize(
    ("now", "direction", "then"),
    [(100, 1, 110), (100, -1, 90), (200, 1, 200), (85, -1, 85), (93, 1, 100), (93, -1, 90)],
)
def test_text_sizes_go_step_by_step(now, direction, then):
    assert commands.next_scale((85, 90, 100, 110, 200), now, direction) == then


def test_a_second_start_is_noticed_once(tmp_path):
    requests = ShowRequests(tmp_path)
    assert requests.taken() is None
    ask_to_show(tmp_path)
    assert requests.taken() == ()
    assert requests.taken() is None


def test_what_a_snug_that_was_ending_was_asked_for_is_for_the_next(tmp_path):
    ask_to_show(tmp_path, [tmp_path / "a.gguf"])
    assert ShowRequests(tmp_path).taken() == (tmp_path / "a.gguf",)


def test_an_old_request_is_none(tmp_path):
    ask_to_show(tmp_path, [tmp_path / "a.gguf"])
    for request in (tmp_path / "show-requests").iterdir():
        os.utime(request, (1, 1))
    assert ShowRequests(tmp_path).taken() is None


@pytest.mark.parametrize("age", ["old", "new"])
def test_a_request_that_can_not_be_deleted_is_served_once(tmp_path, monkeypatch, age):
    """As another person writes it, with sudo: else the window would come forward every second."""
    monkeypatch.setattr("app.show_request._forget", lambda _request: None)
    ask_to_show(tmp_path)
    (request,) = (tmp_path / "show-requests").iterdir()
    if age == "old":
        os.utime(request, (1, 1))
    requests = ShowRequests(tmp_path)
    assert requests.taken() == (() if age == "new" else None)
    assert requests.taken() is None
    ask_to_show(tmp_path, [tmp_path / "a.gguf"])
    assert requests.taken() == (tmp_path / "a.gguf",)


def test_several_starts_at_once_lose_no_file(tmp_path):
    """As a file manager does it that opens each of several files by itself."""
    requests = ShowRequests(tmp_path)
    files = (tmp_path / "a model.gguf", tmp_path / "模型.gguf", tmp_path / "c.pack")
    for file in files:
        ask_to_show(tmp_path, [file])
    ask_to_show(tmp_path, files[:1])
    assert requests.taken() == files


@pytest.mark.parametrize("text", ["", "{}", "[1, null]", "[", "\xff"])
def test_a_request_that_makes_no_sense_opens_nothing(tmp_path, text):
    ask_to_show(tmp_path)
    (request,) = (tmp_path / "show-requests").iterdir()
    request.write_text(text, encoding="latin-1")
    requests = ShowRequests(tmp_path)
    assert requests.taken() == ()
    assert requests.taken() is None


def test_asking_without_a_folder_is_harmless(tmp_path):
    ask_to_show(tmp_path / "missing")
