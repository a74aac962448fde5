"""The engine, compiled once and kept for every checkout of this person.

Its flags are in `packaging/native`. Everything with Vulkan where tests or a graphics card want it,
else without: its shaders are a third of the work.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from devenv import commands, lockfiles, machine, system_packages
from devenv.errors import SetupError
from devenv.places import ON_WINDOWS, ROOT, SYSTEM, cache, program
from native import flags

WANTED = "SNUG_ENGINE"
"""Environment variable: "all" asks for every backend, "processor" for none but that."""


def ready(level: str) -> Path:
    """The wheel for this machine, built now if need be: 8 to 15 minutes on two cores. One that
    holds more than is needed will do."""
    version, block = lockfiles.engine_requirement()
    vulkan = wants_vulkan(level)
    for with_vulkan in (True, False) if not vulkan else (True,):
        if found := _wheel_in(cache() / "wheels" / key(version, vulkan=with_vulkan)):
            return found
    system_packages.need_compiler()
    if vulkan and not system_packages.need_for_vulkan():
        commands.say("Vulkan's headers or glslc are missing: graphics cards will not be used")
        vulkan = False
    kept = cache() / "wheels" / key(version, vulkan=vulkan)
    and_vulkan = " with Vulkan" if vulkan else ""
    if found := _wheel_in(kept):
        return found
    commands.say(f"compiling the engine (llama.cpp {version}){and_vulkan}.")
    return _build(block, kept, _cmake_arguments(version, vulkan=vulkan))


def plain() -> Path:
    """The engine for this very processor without plug-ins, as a reference for benchmarks."""
    version, block = lockfiles.engine_requirement()
    kept = cache() / "wheels" / f"llama-cpp-python-{version}-plain-{machine.platform_name()}"
    return _wheel_in(kept) or _build(block, kept, shlex.join(flags.plain_arguments()))


def wants_vulkan(level: str) -> bool:
    """Apple's computers have Metal. A test needs no card: there is one made of software."""
    asked = os.environ.get(WANTED, "")
    if SYSTEM == "darwin" or asked == "processor":
        return False
    return asked == "all" or level == "test" or machine.has_graphics_card()


def key(version: str, *, vulkan: bool) -> str:
    """Names a build by all that it depends on, the person's own `CMAKE_ARGS` included, but not
    by the place of this checkout."""
    build = flags.build_id(version, flags.this_target())
    backends = "vulkan" if vulkan else "processor"
    own = os.environ.get("CMAKE_ARGS", "")
    digest = f"-{hashlib.sha256(own.encode()).hexdigest()[:12]}" if own else ""
    return f"llama-cpp-python-{build}-{machine.platform_name()}-{backends}{digest}"


def _cmake_arguments(version: str, *, vulkan: bool) -> str:
    ours = shlex.join(flags.arguments(version, flags.this_target(), vulkan=vulkan))
    return f"{ours} {os.environ.get('CMAKE_ARGS', '')}".strip()


def _wheel_in(folder: Path) -> Path | None:
    return next(folder.glob("llama_cpp_python-*.whl"), None)


def _build(block: str, kept: Path, cmake_arguments: str) -> Path:
    """Build beside its place and move it there whole, so a killed build leaves nothing to trust."""
    _clear_unfinished(kept.parent)
    commands.say("this is done once and takes 8 to 15 minutes on two cores")
    started = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix=".building-", dir=kept.parent))
    try:
        _pip_wheel(block, folder, cmake_arguments)
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


def _pip_wheel(block: str, folder: Path, cmake_arguments: str) -> None:
    requirement = folder / "engine.txt"
    requirement.write_text(block, encoding="utf-8")
    # pip's own cache is left out: it would hand over a build made for another processor.
    argv: list[str | Path] = [
        *(program("python"), "-m", "pip", "wheel", "-v", "--no-cache-dir", "--no-deps"),
        *("--no-build-isolation", "--require-hashes", "-r", requirement, "-w", folder),
    ]
    with tempfile.TemporaryDirectory(prefix="snug-engine-") as work:
        commands.run_with_steps(argv, "building the engine", _environment(work, cmake_arguments))
    requirement.unlink()


def _environment(work: str, cmake_arguments: str) -> dict[str, str]:
    """`cmake` and `ninja` of the virtual environment come first; scratch files in one folder."""
    path = os.pathsep.join((str(program("python").parent), os.environ.get("PATH", "")))
    scratch = {"TMPDIR": work, "TEMP": work, "TMP": work}
    return os.environ | scratch | {"PATH": path, "CMAKE_ARGS": cmake_arguments}


def install(level: str) -> None:
    wheel = ready(level)
    commands.pip("install", "--no-deps", "--force-reinstall", wheel, doing="installing the engine")
    _check()


def _check() -> None:
    """An engine that does not start here is found now, not in the window."""
    probe = "from engine.runtimes.llamacpp import native; native.describe()"
    done = subprocess.run(
        [program("python"), "-c", probe], capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode != 0:
        hint = "" if ON_WINDOWS else f"; remove {cache() / 'wheels'} to build it again"
        msg = f"the engine does not start here{hint}\n{done.stderr[-2000:]}"
        raise SetupError(msg)
