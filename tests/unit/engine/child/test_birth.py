"""How a child is started and what its end is called: tables, on every system."""

import os
import sys
from pathlib import Path

import pytest

from engine.child import command
from engine.child.causes import cause_of, death
from engine.child.oom import oom_kills
from engine.child.process import Child
from engine.errors import EngineCrashed, OutOfMemory, ProgramReplaced


@pytest.mark.parametrize(
    ("returncode", "cause"),
    [
        (-11, "SIGSEGV"),
        (-6, "SIGABRT"),
        (-9, "SIGKILL"),
        (137, "SIGKILL"),
        (0, "exit 0"),
        (3, "exit 3"),
        (-77, "signal 77"),
        (0xC0000005, "SIGSEGV"),
        (0xC000001D, "SIGILL"),
        (0xC0000409, "SIGABRT"),
        (0xC0000135, "exit 0xc0000135"),
    ],
)
def test_an_exit_status_has_a_name(returncode: int, cause: str) -> None:
    assert cause_of(returncode) == cause


def test_a_death_keeps_the_last_words() -> None:
    error = death(-6, "GGML_ASSERT failed", "load")
    assert isinstance(error, EngineCrashed)
    assert (error.cause, error.stage, error.detail) == ("SIGABRT", "load", "GGML_ASSERT failed")


@pytest.mark.parametrize("returncode", [-9, 137])
def test_a_kill_is_of_memory_only_if_the_system_may_have_done_it(returncode: int) -> None:
    memory = death(returncode, "", "reply", killed_for_memory=True)
    assert isinstance(memory, OutOfMemory)
    assert memory.detail == "SIGKILL while reply"
    error = death(returncode, "said before", "reply", killed_for_memory=False)
    assert isinstance(error, EngineCrashed)
    assert (error.cause, error.stage, error.detail) == ("SIGKILL", "reply", "said before")


@pytest.mark.parametrize("killed_for_memory", [False, True])
def test_other_deaths_do_not_depend_on_who_else_was_killed(*, killed_for_memory: bool) -> None:
    assert isinstance(death(-11, "", "load", killed_for_memory=killed_for_memory), EngineCrashed)
    memory = death(-6, "std::bad_alloc", "load", killed_for_memory=killed_for_memory)
    assert isinstance(memory, OutOfMemory)


@pytest.mark.parametrize(
    ("vmstat", "kills"),
    [
        ("nr_free_pages 3230193\noom_kill 4\nnuma_hit 1\n", 4),
        ("oom_kill 0\n", 0),
        ("oom_kill_of_others 7\nnr_oom_kill 8\n", None),  # Linux before 4.13 counts none
        ("", None),
        ("oom_kill many\n", None),
        ("oom_kill ", None),
    ],
)
def test_kills_for_memory_are_counted(tmp_path: Path, vmstat: str, kills: int | None) -> None:
    file = tmp_path / "vmstat"
    assert oom_kills(file) is None
    file.write_text(vmstat)
    assert oom_kills(file) == kills


def test_a_thread_that_can_not_be_started_is_a_lack_of_memory() -> None:
    words = "ggml/src/ggml-cpu/ggml-cpu.c:3370: GGML_ASSERT(rc == 0) failed"
    assert isinstance(death(-6, words, "reply", killed_for_memory=False), OutOfMemory)
    other = words.replace("rc == 0", "n > 0")
    assert isinstance(death(-6, other, "reply", killed_for_memory=False), EngineCrashed)


def test_overrides_for_other_programs_do_not_reach_the_engine() -> None:
    ours = {"GGML_VK_VISIBLE_DEVICES": "7", "LLAMA_ARG_CTX_SIZE": "1", "GGML_BACKEND_DIR": "x"}
    made = command.child_environment(ours | {"HOME": "h", "SNUG_HOME": "s"})
    assert {name for name in made if name.startswith(("GGML_", "LLAMA_"))} == {"GGML_NO_BACKTRACE"}
    assert (made["HOME"], made["SNUG_HOME"]) == ("h", "s")


def test_from_source_the_child_runs_the_code_of_its_parent() -> None:
    theirs, mine = (str(Path(name).absolute()) for name in ("theirs", "mine"))
    made = command.child_environment({"PYTHONPATH": theirs, "LD_LIBRARY_PATH": mine})
    assert made["PYTHONPATH"].startswith(str(command._ROOT))
    assert made["PYTHONPATH"].endswith(theirs)
    assert made["LD_LIBRARY_PATH"] == mine
    assert command.child_command("probe") == [sys.executable, "-P", "-m", "engine.child", "probe"]


def test_no_code_is_sought_in_the_current_directory() -> None:
    there = str(Path("there").absolute())
    unclear = os.pathsep.join(("", there, ".", "here", ""))
    made = command.child_environment({"PYTHONPATH": unclear, "LD_LIBRARY_PATH": unclear})
    assert made["PYTHONPATH"] == os.pathsep.join((str(command._ROOT), there))
    assert made["LD_LIBRARY_PATH"] == there
    assert "LD_LIBRARY_PATH" not in command.child_environment({"LD_LIBRARY_PATH": ":"})


def test_a_bundle_gives_back_the_library_path_of_the_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = str(Path("mine").absolute())
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    bundled = {"LD_LIBRARY_PATH": "bundle", "DYLD_LIBRARY_PATH": "bundle"}
    made = command.child_environment(bundled | {"LD_LIBRARY_PATH_ORIG": mine})
    assert made["LD_LIBRARY_PATH"] == mine
    assert not {"DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH_ORIG", "PYTHONPATH"} & set(made)
    assert command.child_command("probe") == [sys.executable, "--snug-child", "probe"]


def test_a_program_that_was_replaced_starts_no_children(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They would be another version, and what they fail at would be taken for the model's fault."""
    program = tmp_path / "snug"
    program.write_bytes(b"old")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(command, "_BEGUN_AS", command._program())
    assert not command.was_replaced()
    newer = tmp_path / "newer"
    newer.write_bytes(b"new")
    newer.replace(program)
    with pytest.raises(ProgramReplaced):
        Child("host", {})
    program.unlink()
    assert command.was_replaced()


def test_a_checkout_is_edited_while_it_runs() -> None:
    assert not command.was_replaced()
