"""Message buses that answer, hang, or are not there, with the library that Qt uses."""

import ctypes
import shutil
import socket
import subprocess
import sys
import time

import pytest

from ui import buses

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a Linux matter")
SESSION = "DBUS_SESSION_BUS_ADDRESS"
NOWHERE = {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/none"}
"""The computer's own bus is no part of this."""


@pytest.fixture
def _with_library():
    try:
        ctypes.CDLL("libdbus-1.so.3")
    except OSError:
        pytest.skip("no libdbus here")


def after(environment):
    given = {**NOWHERE, **environment}
    buses.avoid_silent_ones(given)
    return {name: value for name, value in given.items() if name not in NOWHERE}


@pytest.mark.usefixtures("_with_library")
def test_a_bus_that_takes_calls_and_answers_none_is_avoided(tmp_path, monkeypatch):
    monkeypatch.setattr(buses, "_PATIENCE_S", 0.3)
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(str(tmp_path / "bus"))
        hanging.listen()
        assert after({SESSION: f"unix:path={tmp_path}/bus"}) == {SESSION: "disabled:"}
        in_its_usual_place = {"XDG_RUNTIME_DIR": str(tmp_path)}
        assert after(in_its_usual_place) == {**in_its_usual_place, SESSION: "disabled:"}


@pytest.mark.parametrize(
    "address", ["unix:path=/none", "nonsense", "unix:path=/\udcff", "disabled:"]
)
def test_where_no_bus_is_nothing_is_changed(address):
    assert after({SESSION: address}) == {SESSION: address}


@pytest.mark.parametrize("name", ["locked", "x" * 300])  # root may look into the first
def test_a_folder_that_nobody_may_look_into_is_no_bus(tmp_path, name):
    """As after `su`: the variable still names the other person's."""
    (tmp_path / "locked").mkdir(0o000)
    theirs = {"XDG_RUNTIME_DIR": str(tmp_path / name)}
    assert after(theirs) == theirs
    buses.start_none(theirs)
    assert theirs[SESSION] == "disabled:"


@pytest.mark.usefixtures("_with_library")
@pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="needs dbus-daemon")
def test_a_bus_that_answers_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(buses, "_PATIENCE_S", 60.0)
    address = f"unix:path={tmp_path}/bus"
    daemon = ["dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1"]
    with subprocess.Popen([*daemon, f"--address={address}"], stdout=subprocess.PIPE) as bus:
        assert bus.stdout
        bus.stdout.readline()
        started = time.monotonic()
        assert after({SESSION: address}) == {SESSION: address}
        print(f"asking took {time.monotonic() - started:.3f} s")
        bus.terminate()
