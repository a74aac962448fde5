"""The frozen program in odd places. Needs SNUG_PACKAGED, the folder that `dev.py package` froze."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from freeze.places import executable

FOLDER = os.environ.get("SNUG_PACKAGED", "")
pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="SNUG_PACKAGED names no frozen folder"),
    pytest.mark.skipif(sys.platform == "win32", reason="POSIX only, until runners show the rest"),
    pytest.mark.serial,
]
_QUESTION = "What is the capital of France?"
_PATIENCE_S = 90


@pytest.fixture
def program() -> Path:
    return executable(Path(FOLDER).absolute())


@pytest.fixture
def world(tmp_path: Path) -> dict[str, str]:
    """Nothing of this checkout: a home of its own, and no display."""
    home = tmp_path / "home of Mei Ω 雪"
    home.mkdir()
    return {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


def run(program: Path, world: Mapping[str, str], *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [program, *arguments],
        env=world,
        cwd=world["HOME"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def health(text: str) -> dict[str, str]:
    return {check["name"]: check["health"] for check in json.loads(text)["checks"]}


def test_its_self_test_passes_anywhere(program: Path, world: dict[str, str]) -> None:
    code, text = run(program, world, "doctor", "--json")
    assert code == 0
    found = health(text)
    assert set(found.values()) <= {"good", "missing"}
    assert (found["answer"], found["network"], found["resources"]) == ("good",) * 3


def test_it_answers_without_any_keychain_or_bus(program: Path, world: dict[str, str]) -> None:
    code, text = run(
        program, world | {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"}, "ask", _QUESTION
    )
    assert (code, "Paris" in text) == (0, True)


def test_poisoned_library_paths_do_no_harm(
    program: Path, world: dict[str, str], tmp_path: Path
) -> None:
    """Libraries of the same names that are none, and a home where plug-ins were planted."""
    poison = tmp_path / "poison"
    poison.mkdir()
    for name in ("libQt6Core.so.6", "libpython3.11.so.1.0", "libggml.so", "libssl.so.3"):
        (poison / name).write_bytes(b"no library")
    (Path(world["HOME"]) / "libggml-cpu-zen4.so").write_bytes(b"planted")
    odd = {
        "LD_LIBRARY_PATH": str(poison),
        "PYTHONPATH": str(poison),
        "PYTHONHOME": str(poison),
        "QT_PLUGIN_PATH": str(poison),
        "GGML_BACKEND_PATH": str(poison / "libggml.so"),
    }
    code, text = run(program, world | odd, "doctor", "--json")
    assert (code, health(text)["answer"]) == (0, "good")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_home_that_can_not_be_written(program: Path, world: dict[str, str]) -> None:
    home = Path(world["HOME"])
    home.chmod(0o500)
    try:
        code, text = run(program, world, "ask", _QUESTION)
    finally:
        home.chmod(0o700)
    assert (code, "Paris" in text) == (0, True)


def test_without_streams_it_writes_to_a_file(program: Path, world: dict[str, str]) -> None:
    """As some desktops start it: 0, 1 and 2 are closed; nothing may land in a file of ours."""
    script = f'exec 0<&- 1>&- 2>&-; exec "$1" ask "{_QUESTION}"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", str(program)],
        env=world,
        cwd=world["HOME"],
        timeout=_PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0


def test_it_can_be_moved(program: Path, world: dict[str, str], tmp_path: Path) -> None:
    """A path with spaces and letters of two scripts; links instead of copies keep this quick."""
    moved = tmp_path / "Snug Ω 雪"
    subprocess.run(["cp", "-al", program.parent, moved], check=False)
    if not executable(moved).exists():
        subprocess.run(["cp", "-a", program.parent, moved], check=True)
    code, text = run(executable(moved), world, "doctor", "--json")
    assert (code, health(text)["answer"]) == (0, "good")


def test_all_licences_are_there(program: Path) -> None:
    folder = program.parent / "licences"
    entries = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert len(entries) > 40
    assert all((folder / name).stat().st_size for entry in entries for name in entry["files"])
    parts = json.loads((folder / "sbom.cdx.json").read_text(encoding="utf-8"))["components"]
    assert len(parts) == len(entries) - 1  # Snug itself is not a part
