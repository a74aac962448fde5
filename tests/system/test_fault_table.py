"""The fault table: every way to die at every stage, what a person sees, and the next start.

Deaths in a child leave the program alive. Deaths in the program itself (a configuration that had
earned its place) end it; then the next start must not load that model by itself, and must work.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.child.spawn import run_role
from engine.child.wire import encode
from engine.hardware.probe import read_report
from engine.runtimes.fake import Death, Script, Stage
from engine.types.hardware import DeviceProblem

ROOT = Path(__file__).resolve().parents[2]
CAUSES = ("SIGSEGV", "SIGABRT", "SIGILL", "SIGKILL", "exit 0")
IN_THE_PROGRAM = (Stage.LOAD, Stage.FIRST_TOKEN, Stage.REPLY)
PIECES = tuple(f"w{n} " for n in range(20))
GOOD = Script(pieces=PIECES)
WHOLE = "".join(PIECES).strip()


def death(cause: str, stage: Stage) -> Death:
    if cause.startswith("SIG"):
        return Death(stage=stage, signal_name=cause, after_pieces=3)
    return Death(stage=stage, exit_code=0, after_pieces=3)


def deadly(cause: str, stage: Stage, pause_s: float = 0.0) -> Script:
    return Script(pieces=PIECES, pause_s=pause_s, death=death(cause, stage))


def start(
    home: Path, *, extra_safe: bool = False, **scripts: Script
) -> subprocess.CompletedProcess[str]:
    """One start of the program with one question, in a process of its own."""
    named = {"rehearsal": GOOD, "here": GOOD, "child": GOOD} | scripts
    text = json.dumps({name: encode(script) for name, script in named.items()})
    argv = [sys.executable, "-m", "tests.system.faulty", str(home), text]
    argv.append("yes" if extra_safe else "no")
    return subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def seen(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def assert_died(done: subprocess.CompletedProcess[str], cause: str) -> None:
    wanted = -signal.Signals[cause] if cause.startswith("SIG") else 0
    assert (done.returncode, done.stdout) == (wanted, ""), done.stderr


# --- probe --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", CAUSES)
def test_a_driver_that_kills_its_probe_is_a_device_with_a_problem(cause: str) -> None:
    def ask(_role: str, argument: Mapping[str, object], *, timeout_s: float) -> object:
        script = encode(Script(death=death(cause, Stage.PROBE)))
        return run_role("fake_probe", {**argument, "script": script}, timeout_s=timeout_s)

    report = read_report(("vulkan",), run_role=ask)
    (device,) = report.devices
    assert (device.backend, device.problem) == ("vulkan", DeviceProblem.PROBE_CRASHED)
    assert report.memory.total_bytes > 0


# --- rehearsal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", CAUSES)
def test_death_in_the_rehearsal_sends_the_model_into_a_child(cause: str, tmp_path: Path) -> None:
    first = seen(start(tmp_path, rehearsal=deadly(cause, Stage.REHEARSAL)))
    assert first["start"] == {"in_child": True, "ubatch": 128}
    assert (first["reply"]["text"].strip(), first["reply"]["state"]) == (WHOLE, "complete")
    again = seen(start(tmp_path))
    assert again["start"] == {"in_child": True, "ubatch": 128}


def test_a_rehearsal_without_memory_each_time_is_told_as_that(tmp_path: Path) -> None:
    death = Death(stage=Stage.REHEARSAL, exit_code=1, last_words="std::bad_alloc")
    first = seen(start(tmp_path, rehearsal=Script(death=death)))
    assert first["start"]["code"] == "out_of_memory"
    assert first["start"]["title"]
    assert first["reply"]["state"] == "failed"
    again = seen(start(tmp_path))
    assert (again["start"]["in_child"], again["reply"]["state"]) == (False, "complete")


# --- in a child ---------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", IN_THE_PROGRAM)
@pytest.mark.parametrize("cause", CAUSES)
def test_death_in_the_child_leaves_the_program_and_the_text(
    cause: str, stage: Stage, tmp_path: Path
) -> None:
    first = seen(start(tmp_path, extra_safe=True, child=deadly(cause, stage)))
    code = "model_held_back" if stage is Stage.LOAD else "engine_crashed"  # thrice at the start
    assert first["reply"]["code"] == code
    assert first["reply"]["title"]
    assert first["reply"]["action"]
    assert first["reply"]["state"] == "failed"
    written = "".join(PIECES[:3]).strip() if stage is Stage.REPLY else ""
    assert first["reply"]["text"].strip() == written
    again = seen(start(tmp_path, extra_safe=True))
    assert again["start"]["code"] == "model_held_back"  # not by itself
    if stage is Stage.LOAD:
        assert again["reply"]["code"] == "model_held_back"  # and after three deaths, only expressly
    else:
        assert (again["reply"]["text"].strip(), again["reply"]["state"]) == (WHOLE, "complete")
        assert again["answered_by"]["in_child"]


# --- in the program -----------------------------------------------------------------------------


@pytest.mark.parametrize("stage", IN_THE_PROGRAM)
@pytest.mark.parametrize("cause", CAUSES)
def test_after_a_death_of_the_program_the_next_start_is_careful(
    cause: str, stage: Stage, tmp_path: Path
) -> None:
    # Slow enough for the writer of the reply to have its first words on disk.
    pause_s = 0.4 if stage is Stage.REPLY else 0.0
    assert_died(start(tmp_path, here=deadly(cause, stage, pause_s)), cause)
    again = seen(start(tmp_path, here=deadly(cause, stage)))
    assert again["start"]["code"] == "model_held_back"
    assert again["start"]["action"]
    assert again["answered_by"] == {"in_child": True, "ubatch": 128}
    assert (again["reply"]["text"].strip(), again["reply"]["state"]) == (WHOLE, "complete")
    if stage is Stage.REPLY:
        assert any(text.startswith("w0 ") for text in again["texts"])
    if stage is not Stage.LOAD:
        assert again["texts"].count("Hello?") == 2  # no question is ever lost
    third = seen(start(tmp_path, here=deadly(cause, stage)))
    assert third["start"] == {"in_child": True, "ubatch": 128}
