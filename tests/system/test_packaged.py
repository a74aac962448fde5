"""The frozen program's command line on odd computers. Needs SNUG_PACKAGED, the folder that
`dev.py package` froze; its window is tried in test_packaged_window.py."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from freeze.places import executable

if sys.platform == "win32":
    pytest.skip("POSIX only, until runners show the rest", allow_module_level=True)

from tests.system.stranger import (
    PATIENCE_S,
    QUESTION,
    Person,
    children,
    copied,
    kill,
    loaded,
    person,
    until,
)

FOLDER = os.environ.get("SNUG_PACKAGED", "")
pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="SNUG_PACKAGED names no frozen folder"),
    pytest.mark.serial,
]


@pytest.fixture(scope="module")
def who() -> Iterator[Person]:
    with person() as somebody:
        yield somebody


@pytest.fixture(scope="module")
def program(who: Person) -> Path:
    """Below a folder with spaces and letters of two scripts."""
    return executable(copied(Path(FOLDER).absolute(), who.place))


@pytest.fixture
def home(who: Person, request: pytest.FixtureRequest) -> Path:
    return who.new_home(str(request.node.name)[:60])


@pytest.fixture
def world(who: Person, home: Path) -> dict[str, str]:
    """A home of their own, and no display."""
    return who.environment(home)


def ask(
    who: Person, argv: list[str | Path], world: Mapping[str, str], **more: Any
) -> tuple[int, str, str]:
    """Exit code, output, errors."""
    process = who.start(argv, world, **more)
    try:
        out, err = process.communicate(timeout=PATIENCE_S)
    finally:
        kill(process)
    return process.returncode, (out or b"").decode(errors="replace"), (err or b"").decode()


def health(text: str) -> dict[str, str]:
    return {check["name"]: check["health"] for check in json.loads(text)["checks"]}


def test_its_self_test_passes_anywhere(who: Person, program: Path, world: dict[str, str]) -> None:
    code, text, _ = ask(who, [program, "doctor", "--json"], world)
    assert code == 0
    found = health(text)
    assert set(found.values()) <= {"good", "missing"}
    assert (found["answer"], found["network"], found["resources"]) == ("good",) * 3


POISON: dict[str, dict[str, str]] = {
    "buses": {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"},
    "python": {
        **dict.fromkeys(("PYTHONHOME", "PYTHONPATH", "PYTHONEXECUTABLE"), "/none"),
        "PYTHONSTARTUP": "/none.py",
        "PYTHONINSPECT": "1",
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
        "PYTHONHASHSEED": "odd",
        "PYTHONWARNINGS": "error",
        "LC_ALL": "C",
    },
    "engine": {
        "GGML_BACKEND_PATH": "/none/libggml.so",
        "LLAMA_CPP_LIB_PATH": "/none",
        "VK_ICD_FILENAMES": "/none.json",
        "SSL_CERT_FILE": "/none",
        "OPENSSL_CONF": "/none",
        "HF_ENDPOINT": "odd",
        "HTTPS_PROXY": "::",
        "TMPDIR": "/none",
        "LD_PRELOAD": "/none.so",
    },
    "folders": {"XDG_DATA_HOME": "relative", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": "/none"},
    "language": {"LC_ALL": "xx_YY.UTF-8", "LANG": "nonsense"},
}


@pytest.mark.parametrize("kind", POISON)
def test_what_the_shell_sets_for_others_does_no_harm(
    who: Person, program: Path, world: dict[str, str], kind: str
) -> None:
    code, text, _ = ask(who, [program, "ask", QUESTION], world | POISON[kind])
    assert (code, "Paris" in text) == (0, True)


def test_a_language_in_another_encoding_is_no_matter(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    """The folder's name is in UTF-8 all the same, and so is what Qt and the engine take."""
    gbk = home / "zh_CN.GBK"
    argv = ["localedef", "-i", "zh_CN", "-f", "GBK", str(gbk)]
    if (
        not shutil.which("localedef")
        or subprocess.run(argv, check=False, capture_output=True).returncode
    ):
        pytest.skip("needs localedef and the sources of locales")
    chinese = world | {"LOCPATH": str(home), "LC_ALL": "zh_CN.GBK"}
    process = who.start([program, "inspect", "/none/不在.gguf".encode("gbk")], chinese)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 3
    assert b"Traceback" not in said
    code, text, _ = ask(who, [program, "doctor", "--json"], chinese)
    assert (code, health(text)["answer"], health(text)["window"]) == (0, "good", "missing")


def test_an_empty_environment_is_enough(who: Person, program: Path, home: Path) -> None:
    """As `cron` starts programs, but for the home, which would be the real one."""
    code, text, _ = ask(who, [program, "ask", QUESTION], {"HOME": str(home)})
    assert (code, "Paris" in text) == (0, True)


def planted(folder: Path, inside: Path) -> Path:
    """Libraries of all the names that are ours, and none of them one."""
    folder.mkdir()
    names = {path.name for path in inside.rglob("*.so*")} | {"libstdc++.so.6", "libgcc_s.so.1"}
    for name in names:
        (folder / name).write_bytes(b"no library")
    return folder


def with_engine(pid: int) -> set[str]:
    """What is mapped into a child of `pid` that has loaded the engine. Some live for a moment."""
    found = (loaded(child) for child in children(pid))
    return next((mapped for mapped in found if "libggml-base" in str(mapped)), set())


def test_libraries_come_from_the_program_and_its_child_too(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    """Not from LD_LIBRARY_PATH nor from the folder it is started in; what ours has is not taken
    from the system either, which may have another OpenSSL or none."""
    poison = planted(home / "poison", program.parent / "_internal")
    odd = {"LD_LIBRARY_PATH": f"{poison}:.:", "LD_LIBRARY_PATH_ORIG": str(poison)}
    process = who.start([program, "chat"], world | odd, cwd=poison, stdin=subprocess.PIPE)
    try:
        assert process.stdin
        process.stdin.write(b"Tell me a long story about the sea.\n")
        process.stdin.flush()
        of_child = until(lambda: with_engine(process.pid), "no child loads an engine", every_s=0.01)
        mapped = loaded(process.pid) | of_child
    finally:
        kill(process)
        process.communicate()
    ours = {path.name for path in (program.parent / "_internal").rglob("*.so*")}
    strangers = {Path(name) for name in mapped if not name.startswith(str(program.parent))}
    assert not [path for path in strangers if path.name in ours]
    assert not [path for path in strangers if poison in path.parents]


@pytest.mark.parametrize("folder", ["a:b", "100% of it; 'so, so'"])
def test_a_folder_with_signs_that_mean_something_elsewhere(
    who: Person, program: Path, world: dict[str, str], folder: str
) -> None:
    place = who.place / folder
    program.parent.rename(place)
    try:
        code, text, _ = ask(who, [executable(place), "doctor", "--json"], world)
    finally:
        place.rename(program.parent)
    assert (code, health(text)["answer"]) == (0, "good")


def test_a_link_to_it_is_as_good(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    link = home / "snug link"
    link.symlink_to(program)
    code, text, _ = ask(who, [link, "ask", QUESTION], world)
    assert (code, "Paris" in text) == (0, True)


@pytest.mark.parametrize("kind", ["read-only", "missing", "not a folder"])
def test_a_home_that_can_not_be_written(
    who: Person, program: Path, world: dict[str, str], home: Path, kind: str
) -> None:
    if who.is_root:
        pytest.skip("root writes anywhere")
    place = {"read-only": home, "missing": Path("/none"), "not a folder": Path("/dev/null")}[kind]
    home.chmod(0o500)
    code, text, _ = ask(who, [program, "ask", QUESTION], world | {"HOME": str(place)})
    assert (code, "Paris" in text) == (0, True)
    assert not list(home.iterdir())


def test_a_folder_that_is_gone_is_no_place_to_start_from_but_will_do(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    (home / "gone").mkdir()
    gone = home / "gone"
    os.chown(gone, who.uid, who.gid)
    script = 'rmdir "$PWD"; exec "$0" ask "$1"'
    code, text, _ = ask(who, ["sh", "-c", script, program, QUESTION], world, cwd=gone)
    assert (code, "Paris" in text) == (0, True)


def test_without_streams_it_ends_well(who: Person, program: Path, world: dict[str, str]) -> None:
    """As some desktops start it: 0, 1 and 2 are closed; nothing may land in a file of ours."""
    script = 'exec 0<&- 1>&- 2>&-; exec "$0" ask "$1"'
    assert ask(who, ["sh", "-c", script, program, QUESTION], world)[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_behind_the_output_is_told(
    who: Person, program: Path, world: dict[str, str]
) -> None:
    with Path("/dev/full").open("wb") as full:
        code, _, err = ask(who, [program, "hardware"], world, stdout=full)
    assert code == 7
    assert not any(word in err for word in ("Traceback", "Exception"))


def test_nobody_who_reads_is_no_mistake(who: Person, program: Path, world: dict[str, str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        code, _, err = ask(who, [program, "doctor", "--json"], world, stdout=writing)
    finally:
        os.close(writing)
    assert (code, err) == (0, "")


def test_without_any_display_it_says_so_and_answers(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    """One display has ended and left its name, the other was never there."""
    (home / "wayland-7").touch()
    left = {"DISPLAY": ":9876", "WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(home)}
    code, text, err = ask(who, [program], world | left)
    assert (code, "Paris" in text) == (0, True)
    assert "wayland-7 does not answer" in err
    assert "X display does not answer" in err


def test_all_licences_are_there(program: Path) -> None:
    folder = program.parent / "licences"
    entries = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert len(entries) > 40
    assert all((folder / name).stat().st_size for entry in entries for name in entry["files"])
    parts = json.loads((folder / "sbom.cdx.json").read_text(encoding="utf-8"))["components"]
    assert len(parts) == len(entries) - 1  # Snug itself is not a part
