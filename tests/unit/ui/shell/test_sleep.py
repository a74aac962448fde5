"""The computer's sleep, as the system or the clock tells of it."""

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ui.shell import sleep
from ui.shell.sleep import Sleep

_LOGIND = """
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtDBus import QDBusConnection, QDBusMessage
from ui.shell.sleep import Sleep

app = QCoreApplication([])
bus = QDBusConnection.systemBus()
assert bus.registerService("org.freedesktop.login1")
told = []
heard = Sleep()
heard.about_to_sleep.connect(lambda: told.append("sleep"))
heard.begin()

def say(begins):
    manager = "org.freedesktop.login1.Manager"
    signal = QDBusMessage.createSignal("/org/freedesktop/login1", manager, "PrepareForSleep")
    signal.setArguments([begins])
    assert bus.send(signal)

say(False)
say(True)
heard.about_to_sleep.connect(app.quit)
QTimer.singleShot(10_000, app.quit)
app.exec()
heard.end()
print(*told)
"""


class Clocks:
    """The wall's and the process's own, set by hand."""

    def __init__(self):
        self.wall_s = 1000.0
        self.running_s = 50.0

    def go(self, wall_s, running_s):
        self.wall_s += wall_s
        self.running_s += running_s


@pytest.fixture
def clocks():
    return Clocks()


@pytest.fixture
def heard(qapp, clocks, monkeypatch):
    monkeypatch.setattr(Sleep, "_listen", lambda _self: False)
    made = Sleep(wall=lambda: clocks.wall_s, running=lambda: clocks.running_s)
    made.times = 0

    def count():
        made.times += 1

    made.about_to_sleep.connect(count)
    made.begin()
    yield made
    made.end()
    assert not made._timer.isActive()


@pytest.mark.parametrize(
    ("wall_s", "running_s", "times"),
    [
        (10.0, 10.0, 0),
        (3600.0, 10.0, 1),
        (39.0, 10.0, 0),  # a clock that was put right
        (3600.0, 3600.0, 0),  # the process was only held up
        (-3600.0, 10.0, 0),
    ],
)
def test_the_clock_tells_a_sleep_from_a_delay(heard, clocks, wall_s, running_s, times):
    clocks.go(10.0, 10.0)
    heard.look()
    clocks.go(wall_s, running_s)
    heard.look()
    clocks.go(10.0, 10.0)
    heard.look()
    assert heard.times == times


def test_what_the_system_told_is_not_told_again(heard, clocks):
    heard.logind(True)
    clocks.go(3600.0, 1.0)
    heard.logind(False)
    heard.look()
    assert heard.times == 1
    clocks.go(3600.0, 1.0)
    heard.look()
    assert heard.times == 2


def test_a_broken_bus_costs_nothing(qapp, monkeypatch):
    def broken(_self):
        msg = "no bus"
        raise RuntimeError(msg)

    monkeypatch.setattr(Sleep, "_listen", broken)
    made = Sleep()
    made.begin()
    assert made._timer.isActive()
    made.end()


def test_without_the_library_the_clock_is_enough(qapp, monkeypatch):
    monkeypatch.setitem(sys.modules, "PySide6.QtDBus", None)
    made = Sleep()
    assert not made._listen_to_logind()


@pytest.mark.parametrize(
    ("message", "parameter", "suspends"),
    [(0x0218, 0x0004, True), (0x0218, 0x0012, False), (0x0100, 0x0004, False)],
)
def test_windows_says_it_with_a_message(message, parameter, suspends):
    told = []
    power = sleep._PowerMessages(lambda: told.append(True))
    sent = sleep._Msg(None, message, parameter)
    address = ctypes.addressof(sent)
    assert power.nativeEventFilter(b"windows_generic_MSG", address) == (False, 0)
    assert power.nativeEventFilter(b"xcb_generic_event_t", address) == (False, 0)
    assert told == ([True] if suspends else [])


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("dbus-run-session") is None, reason="needs D-Bus"
)
def test_logind_is_heard_on_a_real_bus():
    script = 'DBUS_SYSTEM_BUS_ADDRESS="$DBUS_SESSION_BUS_ADDRESS" exec "$0" -c "$1"'
    asked = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script, sys.executable, _LOGIND],
        cwd=Path(__file__).parents[4],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert asked.stdout.split() == ["sleep"], asked.stderr
