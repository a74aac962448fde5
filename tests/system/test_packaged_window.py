"""The window of the frozen program on odd computers, used from outside with a keyboard. Needs
SNUG_PACKAGED, the folder that `dev.py package` froze, and Debian's xvfb and xdotool."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from freeze.places import executable

if not sys.platform.startswith("linux"):
    pytest.skip("X11 and Wayland are Linux's", allow_module_level=True)

from tests.hands.screen import virtual_screen
from tests.system.stranger import (
    QUESTION,
    Person,
    children,
    copied,
    kill,
    loaded,
    person,
    turns,
    until,
)
from tests.system.typing_hands import Opened, opened

FOLDER = os.environ.get("SNUG_PACKAGED", "")
MISSING = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="SNUG_PACKAGED names no frozen folder"),
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}"),
    pytest.mark.serial,
]
LONG = "Write a very long story about the sea"
OURS = (".local/share/Snug", ".local/state/Snug")


@pytest.fixture(scope="module")
def who() -> Iterator[Person]:
    with person() as somebody:
        yield somebody


@pytest.fixture(scope="module")
def program(who: Person) -> Path:
    return executable(copied(Path(FOLDER).absolute(), who.place))


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    with virtual_screen("1280x800x24") as found:
        yield found["DISPLAY"]


@pytest.fixture
def home(who: Person, request: pytest.FixtureRequest) -> Path:
    return who.new_home(str(request.node.name)[:60])


@pytest.fixture
def world(who: Person, home: Path, screen: str) -> dict[str, str]:
    return who.environment(home) | {"DISPLAY": screen}


def another_qt(folder: Path, inside: Path) -> Path:
    """Plug-ins that could be loaded, and crash if they were made for another Qt."""
    shutil.copytree(inside / "PySide6" / "Qt" / "plugins", folder)
    return folder


def system_libraries(folder: Path, inside: Path) -> Path:
    """True libraries of other versions, as of conda: whatever this system has of what is ours or
    what ours needs."""
    folder.mkdir()
    wanted = {path.name for path in inside.iterdir()} | {
        "libstdc++.so.6",
        "libz.so.1",
        "libxcb.so.1",
    }
    for place in (Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib/aarch64-linux-gnu")):
        for path in place.glob("*.so*"):
            if path.name in wanted:
                shutil.copy(path, folder)
    return folder


def test_poisoned_in_every_way_it_answers_with_its_own_parts(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    inside = program.parent / "_internal"
    poison = [system_libraries(home / "lib", inside), another_qt(home / "qt", inside)]
    odd = {
        "LD_LIBRARY_PATH": f"{poison[0]}:.",
        "QT_PLUGIN_PATH": str(poison[1]),
        "QT_QPA_PLATFORM_PLUGIN_PATH": str(poison[1] / "platforms"),
        "QT_QPA_PLATFORM": "nonsense",
        "QT_QPA_PLATFORMTHEME": "kde",
        "QT_STYLE_OVERRIDE": "kvantum",
        "QT_SCALE_FACTOR": "abc",
        "QT_FATAL_WARNINGS": "1",
        "PYTHONHOME": "/none",
        "PYTHONEXECUTABLE": "/none",
        "GGML_BACKEND_PATH": "/none",
        "XDG_CURRENT_DESKTOP": "GNOME",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none",
        "LC_ALL": "POSIX",
    }
    mapped: set[str] = set()
    with opened(who, [program], world | odd, home) as window:

        def answered() -> str:
            for pid in (window.process.pid, *children(window.process.pid)):
                mapped.update(loaded(pid))
            return window.answered()

        window.write(QUESTION)
        assert "Paris" in until(answered, "no answer")
    poisoned = [name for name in mapped if any(folder in Path(name).parents for folder in poison)]
    assert len(mapped) > 100
    assert not poisoned


def test_without_streams_and_with_a_full_disk_behind_them(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    script = 'exec 0<&- 1>/dev/full 2>&-; exec "$0"'
    with opened(who, ["sh", "-c", script, program], world, home) as window:
        assert "Paris" in window.answer()
    assert not list(home.rglob("*.part"))


def test_it_writes_nowhere_but_in_its_own_folders(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    """Neither in the home nor where everybody may write."""
    started = time.time()
    with opened(who, [program], world, home) as window:
        assert "Paris" in window.answer()
    written = {path for path in home.rglob("*") if path.is_file()}
    assert written
    assert not {path for path in written if not str(path.relative_to(home)).startswith(OURS)}
    if not who.is_root:
        assert not list(new_of(who, ("/tmp", "/var/tmp", "/dev/shm"), started))  # noqa: S108


def new_of(who: Person, places: tuple[str, ...], since: float) -> Iterator[Path]:
    for path in (path for place in places for path in Path(place).iterdir()):
        status = path.lstat()
        if status.st_uid == who.uid and status.st_mtime > since and path != who.place:
            yield path


@pytest.mark.parametrize("kind", ["read-only", "missing"])
def test_where_nothing_can_be_kept_it_answers_all_the_same(
    who: Person, program: Path, world: dict[str, str], home: Path, kind: str
) -> None:
    if who.is_root:
        pytest.skip("root writes anywhere")
    borrowed = who.new_home(f"borrowed {kind}")
    home.chmod(0o500)
    odd = {"HOME": str(home if kind == "read-only" else "/none"), "TMPDIR": str(borrowed)}
    with opened(who, [program], world | odd, borrowed) as window:
        assert "Paris" in window.answer()
    assert not list(borrowed.iterdir())
    assert not list(home.iterdir())


@contextmanager
def hanging_bus(place: Path) -> Iterator[str]:
    """Takes calls and never answers one."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place / "bus"))
        listening.listen()
        (place / "bus").chmod(0o777)
        yield f"unix:path={place}/bus"


def test_a_bus_that_hangs_does_not_keep_the_window(
    who: Person, program: Path, world: dict[str, str], home: Path, tmp_path: Path
) -> None:
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    with hanging_bus(tmp_path) as address:
        bus = {"DBUS_SESSION_BUS_ADDRESS": address, "XDG_CURRENT_DESKTOP": "KDE"}
        with opened(who, [program], world | bus, home) as window:
            assert "Paris" in window.answer()


def test_a_wayland_display_that_has_ended_leaves_it_to_x11(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    (home / "wayland-7").touch()
    left = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(home)}
    forced = {"XDG_SESSION_TYPE": "wayland", "QT_QPA_PLATFORM": "wayland"}
    with opened(who, [program], world | left | forced, home) as window:
        assert "Paris" in window.answer()


@pytest.mark.skipif(not shutil.which("weston"), reason="needs weston")
def test_on_wayland_a_window_comes_and_goes(who: Person, program: Path, home: Path) -> None:
    """Nobody can type there from outside; that it lives and paints is seen by what it loads."""
    home.chmod(0o700)
    world = who.environment(home) | {"XDG_RUNTIME_DIR": str(home)}
    argv: list[str | Path] = ["weston", "--backend=headless-backend.so", "--socket=wayland-7"]
    with ExitStack() as ends:
        weston = who.start([*argv, "--idle-time=0"], world, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)  # fmt: skip
        ends.callback(lambda: (kill(weston), weston.wait()))
        until((home / "wayland-7").exists, "weston does not start")
        process = who.start([program], world | {"WAYLAND_DISPLAY": "wayland-7"})
        ends.callback(lambda: (kill(process), process.communicate()))
        until(lambda: list(home.rglob("snug.sqlite3")), "it does not come to life")
        until(lambda: "wayland-shm" in str(loaded(process.pid)), "it paints nothing")
        process.terminate()
        assert process.wait(15) == 0


SERVERS = {
    "small and plain": ("640x480x16", ("-extension", "GLX", "-extension", "RENDER")),
    "few extensions": ("800x600x24", ("-extension", "XKEYBOARD", "-extension", "MIT-SHM")),
}


@pytest.mark.parametrize("kind", SERVERS)
def test_plain_x_servers_will_do(who: Person, program: Path, home: Path, kind: str) -> None:
    size, options = SERVERS[kind]
    with virtual_screen(size, *options) as found:
        world = who.environment(home) | {"DISPLAY": found["DISPLAY"], "QT_SCALE_FACTOR": "2"}
        with opened(who, [program], world, home) as window:
            assert "Paris" in window.answer()


def test_few_descriptors_and_little_memory_are_survived(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    script = 'ulimit -n 64; ulimit -v 4000000; ulimit -s 512; umask 077; exec nice -n 19 "$0"'
    with opened(who, ["sh", "-c", script, program], world, home) as window:
        assert "Paris" in window.answer()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_ended_in_the_middle_of_an_answer_nothing_is_lost(
    who: Person, program: Path, world: dict[str, str], home: Path, number: signal.Signals
) -> None:
    with opened(who, [program], world, home) as window:
        window.write(LONG)
        begun = until(
            lambda: [t for role, _, t in turns(home) if role == "assistant" and t], "none"
        )
        family = children(window.process.pid)
        window.process.send_signal(number)
        window.process.wait(15)
    until(lambda: not any(Path(f"/proc/{pid}/maps").exists() for pid in family), "a child lives on")
    kept = turns(home)
    assert kept[0] == ("user", "complete", LONG)
    assert kept[1][2].startswith(begun[0][:20])
    with opened(who, [program], world, home) as window:
        window.write(QUESTION)
        until(lambda: any("Paris" in text for *_, text in turns(home)), "it does not go on")
    assert LONG in {text for *_, text in turns(home)}


def test_two_starts_at_once_are_one_window(
    who: Person, program: Path, world: dict[str, str], home: Path
) -> None:
    other = home / "other.gguf"
    other.write_bytes(b"GGUF")
    both = [who.start([program], world), who.start([program, "--open", other], world)]
    try:
        until(lambda: [p for p in both if p.poll() is not None], "neither leaves it to the other")
        first, second = sorted(both, key=lambda process: process.poll() is not None)
        assert second.returncode == 0
        window = Opened(first, world["DISPLAY"], home)
        assert "Snug is open already" in second.communicate()[0].decode()
        requests = home / OURS[0] / "show-requests"
        until(lambda: not list(requests.glob("*")), "the first does not hear of it")
        assert window.process.poll() is None
    finally:
        for process in both:
            kill(process)
            process.communicate()
