"""One question to a child: its answer, its error, its death, its silence; and nothing left over."""

import functools
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from engine.child import roles
from engine.child.process import LINE_LIMIT_BYTES, Child
from engine.child.roles import Role
from engine.child.spawn import run_role
from engine.child.wire import encode
from engine.errors import (
    Cancelled,
    EngineCrashed,
    EngineError,
    EngineStopped,
    EngineTimedOut,
    ModelDamaged,
    OutOfMemory,
)
from engine.runtimes.fake import Death, Hang, Script, Stage
from engine.types.cancel import CancelToken

TIMEOUT_S = 30.0


def ask(script: Script, role: str = "fake_probe", **argument: object) -> dict[str, object]:
    return run_role(role, {"script": encode(script), **argument}, timeout_s=TIMEOUT_S)


def children() -> list[psutil.Process]:
    """Those that are still there when a busy system has had time to bury them."""
    deadline = time.monotonic() + 5
    while (found := psutil.Process().children(recursive=True)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def test_an_answer_crosses_whole() -> None:
    answer = {"text": "ünï\n\ud83d", "numbers": [1, 2.5, None, True], "long": "x" * 200_000}
    assert ask(Script(), answer=answer) == answer
    assert not children()


def test_an_error_of_our_tree_crosses_as_itself() -> None:
    with pytest.raises(ModelDamaged) as caught:
        ask(Script(error=ModelDamaged(Path("m.gguf"), "tensor 7")))
    assert (caught.value.path, caught.value.detail) == (Path("m.gguf"), "tensor 7")


def test_a_foreign_exception_becomes_one_of_ours() -> None:
    with pytest.raises(EngineStopped, match="KeyError"):
        run_role("fake_probe", {}, timeout_s=TIMEOUT_S)


@pytest.mark.parametrize(
    ("role", "stage"), [("fake_probe", Stage.PROBE), ("fake_rehearse", Stage.REHEARSAL)]
)
@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGILL", "SIGTERM"])
def test_a_death_names_its_signal_and_stage(name: str, role: str, stage: Stage) -> None:
    death = Death(stage=stage, signal_name=name, last_words="driver says no\n")
    with pytest.raises(EngineCrashed) as caught:
        ask(Script(death=death), role)
    assert (caught.value.cause, caught.value.stage) == (name, stage.value)
    assert "driver says no" in caught.value.detail
    assert not children()


@pytest.mark.parametrize("code", [0, 3])
def test_an_exit_without_an_answer_is_a_crash(code: int) -> None:
    with pytest.raises(EngineCrashed) as caught:
        ask(Script(death=Death(stage=Stage.PROBE, exit_code=code)))
    assert caught.value.cause == f"exit {code}"


@pytest.mark.parametrize(
    "death",
    [
        Death(stage=Stage.PROBE, signal_name="SIGABRT", last_words="what(): std::bad_alloc"),
        Death(stage=Stage.PROBE, exit_code=1, last_words="MemoryError\n"),
    ],
)
def test_deaths_that_mean_memory(death: Death) -> None:
    with pytest.raises(OutOfMemory):
        ask(Script(death=death))


@pytest.mark.parametrize(
    "death",
    [
        Death(stage=Stage.PROBE, signal_name="SIGKILL"),
        Death(stage=Stage.PROBE, exit_code=137),
    ],
)
@pytest.mark.parametrize(("before", "after"), [(4, 5), (None, None), (None, 1)])
def test_a_kill_means_memory_if_the_system_may_have_done_it(
    monkeypatch: pytest.MonkeyPatch, before: int | None, after: int | None, death: Death
) -> None:
    counted = iter((before, after))
    monkeypatch.setattr("engine.child.process.oom_kills", lambda: next(counted))
    with pytest.raises(OutOfMemory, match="SIGKILL while probe"):
        ask(Script(death=death))


@pytest.mark.parametrize(
    "death",
    [
        Death(stage=Stage.PROBE, signal_name="SIGKILL"),
        Death(stage=Stage.PROBE, exit_code=137),
    ],
)
def test_a_kill_by_somebody_else_is_a_crash(monkeypatch: pytest.MonkeyPatch, death: Death) -> None:
    monkeypatch.setattr("engine.child.process.oom_kills", lambda: 4)
    with pytest.raises(EngineCrashed) as caught:
        ask(Script(death=death))
    assert caught.value.cause == "SIGKILL"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's own")
@pytest.mark.skipif(psutil.swap_memory().total > 0, reason="it would be swapped out instead")
def test_a_child_that_the_system_ends_for_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.system.limits import memory_group

    program(monkeypatch, "kept = [bytes([1]) * 2**20 for _ in range(400)]")
    with memory_group(64 * 2**20) as enter:
        if enter is None:
            pytest.skip("no memory cgroup can be made here")
        start = functools.partial(subprocess.Popen, preexec_fn=enter)
        monkeypatch.setattr("engine.child.process.subprocess.Popen", start)
        with pytest.raises(OutOfMemory, match="SIGKILL while probe"):
            run_role("fake_probe", {}, timeout_s=TIMEOUT_S)
    assert not children()


def test_a_hanging_child_is_ended_when_its_time_is_over() -> None:
    script = Script(hang=Hang(stage=Stage.PROBE))
    with pytest.raises(EngineTimedOut) as caught:
        run_role("fake_probe", {"script": encode(script)}, timeout_s=0.5)
    assert (caught.value.stage, caught.value.timeout_s) == ("probe", 0.5)
    assert not children()


def test_cancelling_ends_a_hanging_child() -> None:
    cancel = CancelToken()
    timer = threading.Timer(0.3, cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        run_role(
            "fake_probe",
            {"script": encode(Script(hang=Hang(stage=Stage.PROBE)))},
            timeout_s=TIMEOUT_S,
            cancel=cancel,
        )
    timer.join()
    assert not children()


def test_what_is_cancelled_already_starts_nothing() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        run_role("fake_probe", {}, timeout_s=TIMEOUT_S, cancel=cancel)


def test_a_role_that_does_not_exist_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        run_role("nonsense", {}, timeout_s=TIMEOUT_S)


# --- a child that says what it should not -------------------------------------------------------


def program(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Children run `code` instead of ours."""
    monkeypatch.setattr(
        "engine.child.process.child_command", lambda _: [sys.executable, "-c", code]
    )


@pytest.mark.parametrize(
    "code",
    [
        "print('nonsense')",
        "print('[1, 2]')",
        "print('{}')",
        "print('{\"result\": 7}')",
        'print(\'{"error": {"is": "error", "code": "os.system", "text": "x"}}\')',
        'print(\'{"error": ["is"]}\')',
        "print('[' * 100000)",
        "print('9' * 100000)",
        "import sys; sys.stdout.buffer.write(bytes(range(256)) + b'\\n')",
        "import os, time; os.close(1); time.sleep(60)",
        f"import time; print('x' * {LINE_LIMIT_BYTES + 9}); time.sleep(60)",
    ],
)
def test_rubbish_is_no_answer(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    program(monkeypatch, code)
    monkeypatch.setattr("engine.child.process._SILENT_S", 0.5)
    with pytest.raises(EngineCrashed) as caught:
        run_role("fake_probe", {}, timeout_s=TIMEOUT_S)
    assert caught.value.cause == "no answer"
    assert not children()


def test_a_flood_of_lines_stays_out_of_our_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    program(monkeypatch, "while True: print('{}' * 1000, flush=True)")
    before = psutil.Process().memory_info().rss
    child = Child("fake_probe", {})
    while not child._inbox.full():  # from here on it has to wait for us
        time.sleep(0.01)
    grown = psutil.Process().memory_info().rss - before
    child.end(0.0)
    assert grown < 30 * 2**20
    assert not children()


def test_native_prints_do_not_reach_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    target = "tests.unit.engine.child.shouting:role"
    code = (
        "import sys; from engine.child import entry, roles\n"
        f"roles.ROLES['fake_probe'] = roles.Role(target={target!r}, stage='probe')\n"
        "entry.main(['fake_probe'])"
    )
    program(monkeypatch, code)
    assert run_role("fake_probe", {"exit": None}, timeout_s=TIMEOUT_S) == {"heard": True}
    with pytest.raises(EngineCrashed) as caught:
        run_role("fake_probe", {"exit": 9}, timeout_s=TIMEOUT_S)
    assert "from native code" in caught.value.detail
    assert "from Python" in caught.value.detail


# --- what a child is ------------------------------------------------------------------------


def running() -> Child:
    """A child that waits until told to end."""
    script = Script(hang=Hang(stage=Stage.PROBE))
    return Child("fake_probe", {"script": encode(script)})


def until(condition: Callable[[], object], timeout_s: float = 10.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's own")
def test_a_child_is_the_first_to_be_ended_when_memory_is_short() -> None:
    def score(pid: int | str) -> int:
        return int(Path(f"/proc/{pid}/oom_score_adj").read_text())

    child = running()
    wanted = min(1000, score("self") + 500)
    until(lambda: score(child.pid) == wanted)
    child.end(0.0)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's own")
def test_a_child_leaves_no_core() -> None:
    child = running()
    limits = Path(f"/proc/{child.pid}/limits")
    until(lambda: re.search(r"^Max core file size +0 ", limits.read_text(), re.MULTILINE))
    child.end(0.0)


def test_a_child_ends_when_its_parent_lets_go() -> None:
    """The way that works on every system: the end of its standard input."""
    child = running()
    child._outbox.put(None)
    until(lambda: not child.alive)
    child.end(0.0)


@pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")
def test_the_threads_and_descriptors_of_dead_children_are_gone() -> None:
    def count() -> tuple[int, int]:
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    gc.collect()
    before = count()
    for _ in range(20):
        with pytest.raises(EngineError):
            ask(Script(death=Death(stage=Stage.PROBE, signal_name="SIGSEGV")))
    assert count() == before
    assert not children()


@pytest.mark.parametrize("started", [0, 1, 2])
def test_a_child_without_threads_is_none(monkeypatch: pytest.MonkeyPatch, started: int) -> None:
    """Memory is so short that the system gives no thread any more."""
    left = iter(range(started))

    class Scarce(threading.Thread):
        def start(self) -> None:
            if next(left, None) is None:
                raise RuntimeError("can't start new thread")
            super().start()

    monkeypatch.setattr("engine.child.process.Thread", Scarce)
    with pytest.raises(OutOfMemory):
        running()
    assert not children()


def test_a_stopped_child_is_ended_too() -> None:
    child = running()
    os.kill(child.pid, signal.SIGSTOP)
    started = time.monotonic()
    child.end(0.0)
    assert time.monotonic() - started < 5
    assert not children()


def test_every_role_has_a_stage() -> None:
    assert roles.stage_of(roles.HOST) == "load"
    assert all(isinstance(role, Role) and role.stage for role in roles.ROLES.values())
