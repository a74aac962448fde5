"""Where the program starts: window, command line, or terminal; each in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ui import display, main

ROOT = Path(__file__).parents[3]


def child(code, home, **environment):
    """A Python that runs `code` with no display but what is given."""
    kept = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    kept.pop("QT_QPA_PLATFORM", None)
    kept |= {"PYTHONPATH": str(ROOT), "SNUG_HOME": str(home), **environment}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=kept,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process, timeout_s=60):
    out, err = process.communicate(timeout=timeout_s)
    return process.returncode, out, err


@pytest.fixture
def called(monkeypatch):
    calls = []

    def cli(arguments, window_check=None):
        calls.append(list(arguments))
        return 5

    monkeypatch.setattr("app.cli.main", cli)
    return calls


def test_a_command_goes_to_the_command_line_with_its_exit_code(called):
    assert main.main(["inspect", "x.gguf"]) == 5
    assert called == [["inspect", "x.gguf"]]


@pytest.mark.parametrize(
    ("terminal", "command"),
    [(True, ["chat"]), (False, ["ask", "What is the capital of France?"])],
)
def test_without_a_display_it_talks_in_the_terminal(called, monkeypatch, capsys, terminal, command):
    monkeypatch.setattr(display, "reason_for_none", lambda: "no X display")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: terminal, raising=False)
    assert main.main([]) == 5
    assert called == [command]
    assert "no X display" in capsys.readouterr().err


def test_commands_never_import_qt(tmp_path):
    code = "import sys, ui.main; ui.main.main(['--help']) if 0 else None\n"
    code += "try: ui.main.main(['doctor', '--nonsense'])\nexcept SystemExit: pass\n"
    code += "sys.exit(any(m.startswith('PySide6') for m in sys.modules))"
    assert finished(child(code, tmp_path))[0] == 0


def test_missing_streams_become_a_file(tmp_path):
    code = "import sys; sys.stdout = sys.stderr = None\n"
    code += "import ui.main; ui.main.give_streams(); print('heard')\n"
    assert finished(child(code, tmp_path)) == (0, "", "")
    assert (tmp_path / "log" / "output.log").read_text() == "heard\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are a Linux matter")
@pytest.mark.parametrize(
    ("environment", "usable"),
    [
        ({}, False),
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
        ({"QT_QPA_PLATFORM": "xcb"}, False),
        ({"DISPLAY": ":9876"}, False),
        ({"WAYLAND_DISPLAY": "wayland-none"}, False),
        ({"QT_QPA_PLATFORM": "nonsense"}, False),
        ({"QT_QPA_PLATFORM": "nonsense;offscreen"}, True),
    ],
)
def test_a_display_is_knocked_at_before_qt_is(tmp_path, environment, usable):
    code = "import sys; from ui import display; sys.exit(bool(display.reason_for_none()))"
    assert finished(child(code, tmp_path, **environment))[0] == (0 if usable else 1)


START = """
import sys, ui.main
from ui.shell import application, workbench
begin = workbench.Workbench.begin
def told(self):
    begin(self)
    print("alive", flush=True)
workbench.Workbench.begin = told
painted = application.Services.begin
def first(self):
    heavy = {"llama_cpp", "numpy", "keyring", "jinja2", "markdown_it", "pygments"}
    print("painted", sorted(heavy & set(sys.modules)), flush=True)
    painted(self)
application.Services.begin = first
sys.exit(ui.main.main([]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("moment", ["painted", "alive"])
def test_it_starts_lean_and_ends_cleanly_when_told(tmp_path, number, moment):
    process = child(START, tmp_path, QT_QPA_PLATFORM="offscreen")
    assert process.stdout.readline() == "painted []\n"
    if moment == "alive":
        assert process.stdout.readline() == "alive\n"
    started = time.monotonic()
    process.send_signal(number)
    code, _, err = finished(process)
    assert (code, err) == (0, "")
    print(f"ending took {time.monotonic() - started:.1f} s")


UNKEPT = """
import os, sys, ui.main
from PySide6.QtCore import QTimer
from ui.shell import application, workbench
begin = workbench.Workbench.begin
def told(self):
    begin(self)
    QTimer.singleShot(0, lambda: print(self.window.page.banner.message.sentence, flush=True))
workbench.Workbench.begin = told
close = application.Services.close
def hang(self, timeout_s):
    return close(self, timeout_s) and not os.environ["STUCK"]
application.Services.close = hang
sys.exit(ui.main.main([]))
"""


@pytest.mark.parametrize("stuck", ["", "yes"])
def test_where_nothing_can_be_kept_it_says_so_and_answers_all_the_same(tmp_path, stuck):
    """Something is in the way of the data folder; root would write into any other. Copies of chats
    do not stay where a thread does not end."""
    in_the_way, borrowed = tmp_path / "file", tmp_path / "tmp"
    in_the_way.touch()
    borrowed.mkdir()
    place = {"QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(borrowed)}
    place |= {"LANGUAGE": "en", "LC_ALL": "C.UTF-8", "STUCK": stuck}
    process = child(UNKEPT, in_the_way / "snug", **place)
    assert process.stdout.readline().startswith("What you write or add is gone when you close")
    assert [path.name for path in borrowed.glob("*/snug.sqlite3")] == ["snug.sqlite3"]
    process.terminate()
    assert finished(process)[::2] == (0, "")
    assert list(borrowed.iterdir()) == []


def test_a_second_start_asks_the_first_to_show_itself(tmp_path):
    first = child(START, tmp_path, QT_QPA_PLATFORM="offscreen")
    assert first.stdout.readline() == "painted []\n"
    code, out, err = finished(child(START, tmp_path, QT_QPA_PLATFORM="offscreen"))
    assert (code, err) == (0, "")
    assert out == "Snug is open already; its window comes to the front.\n"
    assert first.stdout.readline() == "alive\n"
    deadline = time.monotonic() + 30
    while any((tmp_path / "show-requests").iterdir()):
        assert time.monotonic() < deadline, "the first does not hear of it"
        time.sleep(0.05)
    first.terminate()
    assert finished(first)[0] == 0


def test_files_to_open_are_no_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main.files_to_open(["--open", "a.gguf"]) == (tmp_path / "a.gguf",)
    assert main.files_to_open(["--open"]) == ()
    assert main.files_to_open(["ask", "--open"]) is None
    assert main.files_to_open([]) is None
