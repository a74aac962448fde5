"""Every death of a child at every stage is a value: the text stays, the next load works, and
nothing is left of the dead."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Queue

import pytest

from engine.child.host import ChildHost
from engine.child.wire import encode
from engine.errors import (
    Cancelled,
    EngineCrashed,
    EngineError,
    EngineTimedOut,
    NotLoaded,
    OutOfMemory,
)
from engine.runtimes.fake import Death, Hang, Script, Stage
from engine.types.cancel import CancelToken
from engine.types.generation import Finished, FinishReason, TextDelta
from engine.types.models import Failed, Loaded, LoadProgress
from tests.system.child_talk import (
    QUESTION,
    SPEC,
    WAIT_S,
    ask,
    children,
    collect,
    fake_host,
    is_running,
    load,
    until,
)

DEATHS = {
    "SIGSEGV": {"signal_name": "SIGSEGV"},
    "SIGABRT": {"signal_name": "SIGABRT"},
    "SIGILL": {"signal_name": "SIGILL"},
    "SIGKILL": {"signal_name": "SIGKILL"},
    "exit 0": {"exit_code": 0},
    "exit 3": {"exit_code": 3},
}
PIECES = ("one ", "two ", "three ", "four ")
SAID = {Stage.LOAD: "", Stage.FIRST_TOKEN: "", Stage.REPLY: "one two "}


def error_of(host: ChildHost) -> tuple[str, EngineError]:
    """What was said, and the error that ended the load or the reply."""
    event: object = load(host)
    text = ""
    if isinstance(event, Loaded):
        text, event = ask(host)
    assert isinstance(event, Failed)
    return text, event.error


@pytest.mark.parametrize("cause", DEATHS)
@pytest.mark.parametrize("stage", SAID)
def test_a_death_is_told_and_the_host_stays_usable(stage: Stage, cause: str) -> None:
    death = Death(stage=stage, after_pieces=2, **DEATHS[cause])  # type: ignore[arg-type]
    host = fake_host(Script(pieces=PIECES, death=death))
    for _ in range(2):
        text, error = error_of(host)
        assert text == SAID[stage]
        assert host.pid is None
        assert isinstance(error, EngineCrashed)
        assert (error.cause, error.stage) == (cause, stage.value)
    _, ended = ask(host)
    assert isinstance(ended, Failed)
    assert isinstance(ended.error, NotLoaded)
    assert host.close(WAIT_S)
    assert not children()


def test_memory_that_ran_out_in_the_child_is_told_as_such() -> None:
    words = "terminate called after throwing an instance of 'std::bad_alloc'\n"
    death = Death(stage=Stage.LOAD, signal_name="SIGABRT", last_words=words)
    host = fake_host(Script(death=death))
    event = load(host)
    assert isinstance(event, Failed)
    assert isinstance(event.error, OutOfMemory)
    assert "bad_alloc" in event.error.detail
    assert host.close(WAIT_S)


def test_a_child_that_dies_between_replies_is_replaced_by_the_next_load() -> None:
    host = fake_host(Script(pieces=PIECES))
    load(host)
    first = host.pid
    assert first
    os.kill(first, signal.SIGSEGV)
    until(lambda: host.pid is None)
    assert isinstance(load(host), Loaded)
    assert host.pid not in (None, first)
    assert ask(host)[0] == "".join(PIECES)
    assert host.close(WAIT_S)


def test_a_child_that_died_unnoticed_ends_the_next_reply_with_its_cause() -> None:
    host = fake_host(Script(pieces=PIECES))
    load(host)
    assert host.pid
    os.kill(host.pid, signal.SIGSEGV)
    text, ended = ask(host)
    assert text == ""
    assert isinstance(ended, Failed)
    assert isinstance(ended.error, EngineCrashed)
    assert (ended.error.cause, ended.error.stage) == ("SIGSEGV", "first_token")
    assert host.close(WAIT_S)


def test_a_stopped_child_goes_on_where_it_was() -> None:
    host = fake_host(Script(pieces=("word ",) * 40, pause_s=0.01))
    load(host)
    assert host.pid
    events: Queue[object] = Queue()
    host.generate(QUESTION, events.put, CancelToken())
    assert isinstance(events.get(timeout=WAIT_S), TextDelta)
    os.kill(host.pid, signal.SIGSTOP)
    waiting = threading.Event()
    assert not waiting.wait(0.5)
    os.kill(host.pid, signal.SIGCONT)
    text, ended = collect(events)
    assert text == "word " * 39
    assert isinstance(ended, Finished)
    assert host.close(WAIT_S)


def test_a_stopped_child_does_not_keep_the_program_open() -> None:
    host = fake_host(Script(pieces=("word ",) * 1000, pause_s=0.01))
    load(host)
    assert host.pid
    events: Queue[object] = Queue()
    host.generate(QUESTION, events.put, CancelToken())
    events.get(timeout=WAIT_S)
    os.kill(host.pid, signal.SIGSTOP)
    assert host.close(4.0)
    _, ended = collect(events)
    assert isinstance(ended, Failed)
    assert isinstance(ended.error, Cancelled)
    assert not children()


def test_a_hanging_load_is_ended_when_cancelled() -> None:
    host = fake_host(Script(hang=Hang(stage=Stage.LOAD)))
    events: Queue[object] = Queue()
    cancel = CancelToken()
    host.load(SPEC, events.put, cancel)
    until(lambda: host.pid is not None)
    cancel.cancel()
    event = events.get(timeout=WAIT_S)
    assert isinstance(event, Failed)
    assert isinstance(event.error, Cancelled)
    assert host.pid is None
    assert host.close(WAIT_S)


def test_a_hanging_reply_is_ended_a_while_after_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.child.host._REPLY_PATIENCE_S", 0.3)
    host = fake_host(Script(pieces=PIECES, hang=Hang(stage=Stage.REPLY, after_pieces=2)))
    load(host)
    events: Queue[object] = Queue()
    cancel = CancelToken()
    host.generate(QUESTION, events.put, cancel)
    said = [events.get(timeout=WAIT_S), events.get(timeout=WAIT_S)]
    cancel.cancel()
    _, ended = collect(events)
    assert len(said) == 2
    assert isinstance(ended, Failed)
    assert isinstance(ended.error, EngineTimedOut)
    assert ended.error.stage == "reply"
    assert host.pid is None
    assert isinstance(load(host), Loaded)
    assert host.close(WAIT_S)


def test_a_stop_never_waits_for_the_child() -> None:
    """The window calls it: it may not block, not even when the pipe is full."""
    host = fake_host(Script(pieces=PIECES, pause_s=0.05))
    load(host)
    assert host.pid
    os.kill(host.pid, signal.SIGSTOP)
    long = QUESTION.messages[0].__class__(role=QUESTION.messages[0].role, content="x" * 2_000_000)
    events: Queue[object] = Queue()
    cancel = CancelToken()
    host.generate(QUESTION.__class__(messages=(long,)), events.put, cancel)
    caller = threading.Thread(target=cancel.cancel)
    caller.start()
    caller.join(5)
    assert not caller.is_alive()
    os.kill(host.pid, signal.SIGCONT)
    _, ended = collect(events)
    assert isinstance(ended, Finished)
    assert ended.reason is FinishReason.CANCELLED
    assert host.close(WAIT_S)


def test_unloading_ends_the_process() -> None:
    host = fake_host(Script())
    load(host)
    pid = host.pid
    assert pid
    host.unload()
    until(lambda: not is_running(pid))
    until(lambda: host.pid is None)  # its end is heard a moment later
    until(lambda: not children())
    assert host.close(WAIT_S)


def test_a_cancelled_load_ends_the_process() -> None:
    host = fake_host(Script(load_s=30.0))
    events: Queue[object] = Queue()
    cancel = CancelToken()
    host.load(SPEC, events.put, cancel)
    assert isinstance(events.get(timeout=WAIT_S), LoadProgress)
    cancel.cancel()
    while isinstance(event := events.get(timeout=WAIT_S), LoadProgress):
        pass
    assert isinstance(event, Failed)
    assert isinstance(event.error, Cancelled)
    assert not children()
    assert host.close(WAIT_S)


@pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")
def test_twenty_crashes_leave_nothing() -> None:
    def count() -> tuple[int, int]:
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    host = fake_host(Script(death=Death(stage=Stage.LOAD, signal_name="SIGSEGV")))
    load(host)
    gc.collect()
    before = count()
    for _ in range(20):
        assert isinstance(load(host), Failed)
        assert not children()
    assert count() == before
    assert host.close(WAIT_S)


PARENT = """
import sys
from engine.child.wire import encode
from engine.runtimes.fake import Hang, Script, Stage
from tests.system.child_talk import fake_host, load, QUESTION
from engine.types.cancel import CancelToken
hang = Hang(stage=Stage.REPLY, after_pieces=1) if sys.argv[1] == "hanging" else None
host = fake_host(Script(pieces=("word ",) * 100_000, pause_s=0.001, hang=hang))
load(host)
if sys.argv[1] != "idle":
    host.generate(QUESTION, lambda _: None, CancelToken())
print(host.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("state", ["idle", "talking", "hanging"])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, None])
def test_a_child_does_not_outlive_its_parent(state: str, end: signal.Signals | None) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, state], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with parent:
        assert parent.stdin
        assert parent.stdout
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        if end:
            parent.send_signal(end)
        else:
            parent.stdin.close()  # it ends by itself, without closing the host
        parent.wait(WAIT_S)
        until(lambda: not is_running(pid), timeout_s=2.0)


def test_ctrl_c_in_a_terminal_is_not_for_the_child() -> None:
    host = fake_host(Script(pieces=PIECES))
    load(host)
    assert host.pid
    assert os.getsid(host.pid) != os.getsid(0)
    assert host.close(WAIT_S)


def test_the_program_itself_becomes_a_child_when_asked_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the frozen program does; and it never loads what only a window needs."""
    code = (
        "import sys; sys.modules['PySide6'] = None\n"
        "import ui.main; ui.main.main(['--snug-child', sys.argv[1]])"
    )
    monkeypatch.setattr(
        "engine.child.process.child_command", lambda role: [sys.executable, "-c", code, role]
    )
    host = ChildHost("fake", script=encode(Script(pieces=PIECES)))
    assert isinstance(load(host), Loaded)
    assert ask(host)[0] == "".join(PIECES)
    assert host.close(WAIT_S)


def test_a_child_that_can_not_be_started_is_a_failed_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.child.process.child_command", lambda _: ["./not-there"])
    host = fake_host(Script())
    event = load(host)
    assert isinstance(event, Failed)
    assert "no child process" in str(event.error)
    assert host.close(WAIT_S)


@pytest.mark.parametrize(
    "event",
    [
        '{"number": 1, "event": {"is": "Finished"}}',
        '{"number": 99, "event": {"is": "LoadProgress", "fraction": 0.5}}',
        '{"number": null}',
        '{"event": {"is": "LoadProgress", "fraction": 0.5}}',
        '{"number": 1, "event": {"is": "LoadProgress", "fraction": "__import__"}}',
        "nonsense",
    ],
)
def test_a_child_that_talks_nonsense_is_ended(monkeypatch: pytest.MonkeyPatch, event: str) -> None:
    code = f"import time; print({event!r}, flush=True); time.sleep(60)"
    monkeypatch.setattr(
        "engine.child.process.child_command", lambda _: [sys.executable, "-c", code]
    )
    host = fake_host(Script())
    started = time.monotonic()
    failed = load(host)
    assert time.monotonic() - started < WAIT_S / 2
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, EngineCrashed)
    assert (failed.error.cause, failed.error.stage) == ("no answer", "load")
    assert not children()
    assert host.close(WAIT_S)


def test_a_program_without_streams_has_children_too(tmp_path: Path) -> None:
    """Started from a desktop menu there may be no standard input, output or error at all."""
    code = (
        "import sys; from pathlib import Path; from engine.child.spawn import run_role\n"
        "answer = run_role('fake_probe', {'script': {}, 'answer': {'text': 'yes'}}, timeout_s=60)\n"
        "Path(sys.argv[1]).write_text(answer['text'])"
    )
    written = tmp_path / "answer"
    shell = 'exec "$0" -c "$1" "$2" <&- >&- 2>&-'
    subprocess.run(["sh", "-c", shell, sys.executable, code, str(written)], check=True)
    assert written.read_text() == "yes"
