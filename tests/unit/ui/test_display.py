"""Which display Qt is pointed to, and what the desktop's own variables may not do. Real displays
are tried in tests/system/test_packaged_window.py."""

import os
import shutil
import sys

import pytest

from tests.hands.screen import virtual_screen
from ui import display

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="displays are a Linux matter"
)
WAYLAND, X11, NONE = {"wayland"}, {"xcb"}, set()


@pytest.fixture
def answering(monkeypatch):
    """Say which displays answer; gives those that were asked."""

    def say(kinds):
        asked = []

        def knock(kind, _environment):
            asked.append(kind)
            return "" if kind in kinds else "no"

        monkeypatch.setattr(display, "_knock", knock)
        return asked

    return say


def within(environment):
    with display.made_certain(environment):
        return dict(environment)


@pytest.mark.parametrize(
    ("wished", "there", "told"),
    [
        (None, WAYLAND | X11, "wayland;xcb"),
        (None, X11, "xcb"),
        (None, WAYLAND, "wayland;xcb"),
        ("xcb", WAYLAND | X11, "xcb"),
        ("wayland-egl", WAYLAND | X11, "wayland-egl"),
        ("wayland;xcb", X11, "wayland;xcb"),
        ("wayland", X11, "xcb"),
        ("wayland", WAYLAND, "wayland"),
        ("xcb", WAYLAND, "wayland;xcb"),
        ("nonsense", X11, "xcb"),
        ("nonsense", WAYLAND | X11, "wayland;xcb"),
        ("offscreen", NONE, "offscreen"),
        ("offscreen:size=9", X11, "offscreen:size=9"),
    ],
)
def test_qt_is_pointed_to_a_display_that_answers(answering, wished, there, told):
    answering(there)
    environment = {} if wished is None else {"QT_QPA_PLATFORM": wished}
    assert within(environment).get("QT_QPA_PLATFORM") == told
    assert environment.get("QT_QPA_PLATFORM") == wished


@pytest.mark.parametrize("wished", ["", "wayland", "wayland;xcb"])
def test_x_is_left_alone_where_wayland_does(answering, wished):
    """On many desktops Xwayland starts when somebody asks for X."""
    asked = answering(WAYLAND | X11)
    environment = {"QT_QPA_PLATFORM": wished}
    assert display.reason_for_none(environment) == ""
    within(environment)
    assert set(asked) == WAYLAND


def test_a_platform_that_nobody_ships_is_no_reason_to_give_up(answering):
    answering(X11)
    assert display.reason_for_none({"QT_QPA_PLATFORM": "nonsense"}) == ""


def test_parts_of_another_qt_are_out_of_reach_until_it_is_made(answering):
    answering(X11)
    theirs = {"QT_PLUGIN_PATH": "/usr/lib/qt6", "QT_QPA_PLATFORM_PLUGIN_PATH": "/usr/lib/qt6"}
    environment = {**theirs, "QT_FATAL_WARNINGS": "1", "OTHER": "kept"}
    bus = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"}
    environment |= bus
    seen = within(environment)
    assert seen.pop("QT_PLUGIN_PATH").endswith("PySide6/Qt/plugins")
    assert seen == {"QT_QPA_PLATFORM": "xcb", "OTHER": "kept", **bus}
    assert environment == {**theirs, "OTHER": "kept", **bus}


def test_no_bus_is_started(answering):
    """Not later either: Qt asks whenever it wants something of the desktop."""
    answering(X11)
    environment = {}
    within(environment)
    assert environment == {"DBUS_SESSION_BUS_ADDRESS": "disabled:"}


@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs Xvfb")
@pytest.mark.parametrize(
    ("size", "options", "reason"),
    [
        ("640x480x8", (), "the X display has too few colours"),
        ("640x480x24", ("-extension", "XFIXES"), "the X display knows no XFIXES"),
        ("640x480x16", (), ""),
        ("640x480x24", ("-extension", "GLX", "-extension", "RANDR"), ""),
    ],
)
def test_a_server_that_qt_can_not_live_with_is_none(monkeypatch, size, options, reason):
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with virtual_screen(size, *options) as screen:
        monkeypatch.setenv("DISPLAY", screen["DISPLAY"])
        found = display.reason_for_none({"DISPLAY": screen["DISPLAY"]})
    assert found == (f"no Wayland display; {reason}" if reason else "")


def test_a_left_over_wayland_name_does_not_answer(tmp_path, monkeypatch):
    """As after a crash: the file of the socket is there, and nobody behind it."""
    (tmp_path / "wayland-7").touch()
    for name, value in {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-7"}.items():
        monkeypatch.setenv(name, value)
    for name in ("DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert "wayland-7 does not answer" in display.reason_for_none(os.environ)
