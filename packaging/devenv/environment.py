"""Brings `.venv` to what a verb needs, doing only what is missing; the stamp comes last."""

import sys
import time

from devenv import commands, engine_wheel, lockfiles, models, setup_lock, stamp, system_packages
from devenv.errors import SetupError
from devenv.places import LOCKS, ROOT, VENV
from devenv.stamp import Stamp


def ensure(level: str) -> None:
    """Ready for `level` ("run" or "test") on return; raises `SetupError`."""
    if stamp.is_fresh(level):
        return
    with setup_lock.only_one():
        if not stamp.is_fresh(level):  # another setup may have done it meanwhile
            _set_up(level)


def _set_up(level: str) -> None:
    started, found = time.monotonic(), stamp.read()
    stamp.remove()
    if found is None or found.environment != stamp.environment_key():
        _make_venv()
        found = None
    if found is None or not found.covers(level):
        _install_packages(level, with_engine=_needs_engine(found, level))
    if found is None or found.project != stamp.project_key():
        _install_project()
    reached = found.level if found and found.covers(level) else level
    stamp.write(
        Stamp(
            environment=stamp.environment_key(),
            project=stamp.project_key(),
            level=reached,
            models=_place_models(reached),
        )
    )
    commands.say(f"ready after {time.monotonic() - started:.0f} s")


def _make_venv() -> None:
    commands.say("making .venv in this folder")
    system_packages.need_venv_module()
    # The interpreter below any virtual environment: `.venv` may be running this very script.
    python = getattr(sys, "_base_executable", sys.executable)
    commands.run([python, "-m", "venv", "--clear", VENV], "making the virtual environment")


def _install_packages(level: str, *, with_engine: bool) -> None:
    commands.say("installing the locked packages")
    chosen = VENV / "locked.txt"
    chosen.write_text(lockfiles.without_engine(LOCKS / f"{level}.lock"), encoding="utf-8")
    hashed = ("--no-deps", "--require-hashes", "-r", LOCKS / "build.lock", "-r", chosen)
    commands.pip("install", *hashed, doing="installing the packages")
    if with_engine:
        engine_wheel.install(level)
    system_packages.need_for_window()
    if level == "test":
        system_packages.need_for_tests()


def _needs_engine(found: Stamp | None, level: str) -> bool:
    """Tests want more of it than the program that was set up before."""
    return found is None or (engine_wheel.wants_vulkan(level) and not found.covers(level))


def _install_project() -> None:
    options = ("--no-deps", "--no-build-isolation", "-e", ROOT)
    commands.pip("install", *options, doing="installing snug")


def _place_models(level: str) -> dict[str, int]:
    """The files expected. Without its starter model the window still opens; tests insist."""
    if level == "test":
        return _placed(models.starter()) | _placed(models.gemma())
    starter = models.starter()
    try:
        starter.place()
    except SetupError as error:
        commands.say(f"going on without the starter model: {error}")
    return starter.expected


def _placed(model: models.Model) -> dict[str, int]:
    model.place()
    return model.expected
