"""Reads the lock files, and makes them anew for `dev.py lock`.

They hold a hash for every file and never an index address: where packages come from is the
machine's own setting.
"""

import re
import shutil
import tomllib
from pathlib import Path

from devenv.commands import run, say
from devenv.errors import SetupError
from devenv.places import LOCKS, ROOT

ENGINE = "llama-cpp-python"
_COMPILE = (
    *("uv", "pip", "compile", "--universal", "--python-version", "3.11", "--generate-hashes"),
    *("--no-emit-index-url", "--no-emit-find-links", "--no-annotate", "--no-header", "--quiet"),
)
# What builds the engine and installs the project without build isolation.
_BUILD_TOOLS = ("scikit-build-core", "cmake", "ninja")


def blocks(lock: Path) -> dict[str, str]:
    """Requirement with its hashes, by `name==version marker`."""
    text = lock.read_text(encoding="utf-8")
    found = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)
    return {block.split("\\")[0].strip(): block for block in found if block.strip()}


def without_engine(lock: Path) -> str:
    """The lock's text without the engine, which is built apart and cached."""
    return "".join(text for name, text in blocks(lock).items() if not _is_engine(name))


def engine_requirement() -> tuple[str, str]:
    """The engine's version, and its block of the lock."""
    for name, text in blocks(LOCKS / "run.lock").items():
        if _is_engine(name):
            return name.split("==")[1].split()[0], text
    msg = f"{ENGINE} is not in run.lock"
    raise SetupError(msg)


def _is_engine(name: str) -> bool:
    return name.startswith(f"{ENGINE}==")


def make_anew() -> None:
    """Resolve pyproject.toml again, into all the locks. Needs `uv`."""
    if not shutil.which("uv"):
        msg = "`dev.py lock` needs uv: pip install uv"
        raise SetupError(msg)
    run_lock, test_lock = LOCKS / "run.lock", LOCKS / "test.lock"
    _compile("run.lock", ["pyproject.toml"])
    _compile(
        "test.lock", ["pyproject.toml", "--extra", "test", "--extra", "onnx", "-c", str(run_lock)]
    )
    _compile("package.lock", ["pyproject.toml", "--extra", "package", "-c", str(run_lock)])
    wanted = LOCKS / "build.in"
    wanted.write_text("\n".join((*_build_backend(), *_BUILD_TOOLS)) + "\n", encoding="utf-8")
    try:
        _compile("build.lock", [str(wanted), "-c", str(test_lock)])
    finally:
        wanted.unlink()


def _compile(name: str, arguments: list[str]) -> None:
    say(f"resolving {name}")
    run([*_COMPILE, *arguments, "-o", LOCKS / name], f"resolving {name}")


def _build_backend() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(project["build-system"]["requires"])
