"""llama.cpp, compiled for this processor: once, then kept for every checkout of this person.

A kept build is used only where instruction sets, system, C library and Python are the same.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from devenv import commands, lockfiles, machine, system_packages
from devenv.errors import SetupError
from devenv.places import ON_WINDOWS, cache, program

# The part for pictures is a quarter of the work, and Snug does not use it yet.
_WITHOUT_PICTURES = "-DLLAVA_BUILD=OFF"


def ready() -> Path:
    """The wheel for this machine, built now if need be: 5 to 11 minutes on two cores."""
    version, block = lockfiles.engine_requirement()
    kept = cache() / "wheels" / key(version)
    if found := _wheel_in(kept):
        return found
    system_packages.need_compiler()
    return _build(version, block, kept)


def key(version: str) -> str:
    """Names a build by all that it depends on, the person's own `CMAKE_ARGS` included."""
    facts = f"{machine.instruction_sets()}\n{_cmake_arguments()}"
    digest = hashlib.sha256(facts.encode()).hexdigest()[:12]
    tag = sys.implementation.cache_tag
    return f"llama-cpp-python-{version}-{tag}-{machine.platform_name()}-{digest}"


def _cmake_arguments() -> str:
    return f"{_WITHOUT_PICTURES} {os.environ.get('CMAKE_ARGS', '')}".strip()


def _wheel_in(folder: Path) -> Path | None:
    return next(folder.glob("llama_cpp_python-*.whl"), None)


def _build(version: str, block: str, kept: Path) -> Path:
    """Build beside its place and move it there whole, so a killed build leaves nothing to trust."""
    _clear_unfinished(kept.parent)
    commands.say(f"compiling the engine (llama.cpp {version}) for this processor.")
    commands.say("this is done once and takes 5 to 11 minutes on two cores")
    started = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix=".building-", dir=kept.parent))
    try:
        _pip_wheel(block, folder)
        folder.replace(kept)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    commands.say(f"the engine is built, after {time.monotonic() - started:.0f} s")
    found = _wheel_in(kept)
    if not found:
        msg = f"building the engine left no wheel in {kept}"
        raise SetupError(msg)
    return found


def _clear_unfinished(wheels: Path) -> None:
    wheels.mkdir(parents=True, exist_ok=True)
    for left in wheels.glob(".building-*"):
        shutil.rmtree(left, ignore_errors=True)


def _pip_wheel(block: str, folder: Path) -> None:
    requirement = folder / "engine.txt"
    requirement.write_text(block, encoding="utf-8")
    # pip's own cache is left out: it would hand over a build made for another processor.
    argv: list[str | Path] = [
        *(program("python"), "-m", "pip", "wheel", "-v", "--no-cache-dir", "--no-deps"),
        *("--no-build-isolation", "--require-hashes", "-r", requirement, "-w", folder),
    ]
    with tempfile.TemporaryDirectory(prefix="snug-engine-") as work:
        commands.run_with_steps(argv, "building the engine", _environment(work))
    requirement.unlink()


def _environment(work: str) -> dict[str, str]:
    """`cmake` and `ninja` of the virtual environment come first; scratch files in one folder."""
    path = os.pathsep.join((str(program("python").parent), os.environ.get("PATH", "")))
    scratch = {"TMPDIR": work, "TEMP": work, "TMP": work}
    return os.environ | scratch | {"PATH": path, "CMAKE_ARGS": _cmake_arguments()}


def install() -> None:
    wheel = ready()
    commands.pip("install", "--no-deps", "--force-reinstall", wheel, doing="installing the engine")
    _check()


def _check() -> None:
    """A library this machine can not run is found here, not in the window."""
    probe = "import llama_cpp.llama_cpp as n; n.llama_backend_init(); n.llama_print_system_info()"
    done = subprocess.run(
        [program("python"), "-c", probe], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        hint = "" if ON_WINDOWS else f"; remove {cache() / 'wheels'} to build it again"
        msg = f"the engine does not start here{hint}\n{done.stderr[-2000:]}"
        raise SetupError(msg)
