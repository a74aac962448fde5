"""Trouble while the installer works, under Wine: each time a Snug that works is left, the one
before or the new one, and nothing of the person's is lost."""

import shutil
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from windows.trial_setups import MADE_BY_IT, Setup
from windows.wine import Windows, as_seen, expect, expect_same

_CUT = ("prlimit", "--fsize=1000000")  # bytes; whoever writes a larger file is killed
_FULL = ("env", "--ignore-signal=XFSZ", *_CUT)  # or fails to
_PATIENCE_S = 30


def run(windows: Windows, first: Setup, second: Setup, third: Setup) -> None:
    """Starts and ends without a Snug. Versions ascend."""
    expect(windows.run(first.path, "/S") == 0, "it is installed again")
    _is_open(windows, first, second)
    _can_not_swap(windows, first, second)
    _scanned(windows, first, second)
    _full(windows, first, second)
    _power_cut(windows, first, second)
    _cut_in_the_swap(windows, first)
    _read_only(windows, second)
    _older(windows, first, second)
    _links(windows, second)
    _other_folder(windows, first, second, third)
    _too_long(windows, first)


def _stands(windows: Windows, setup: Setup, what: str) -> None:
    found = windows.files()
    ours = {name: digest for name, digest in found.items() if name not in MADE_BY_IT}
    expect_same(ours, setup.files, what)
    expect(found.keys() >= MADE_BY_IT, "and can be removed")


def _is_open(windows: Windows, before: Setup, setup: Setup) -> None:
    with _open_snug(windows) as snug:
        expect(windows.start(setup.path, "/S").wait() == 3, "while Snug is open it says so")
        windows.start(windows.program / "uninstall.exe", "/S").wait()
        windows.settle(but=snug)
        _stands(windows, before, "neither setup nor uninstaller has touched it")


@contextmanager
def _open_snug(windows: Windows) -> Iterator[int]:
    record = windows.home / "running"
    with _holding(windows, windows.program / "snug.exe", record) as process:
        yield process.pid
    record.unlink()


@contextmanager
def _holding(windows: Windows, program: Path, file: Path) -> Iterator[subprocess.Popen[bytes]]:
    """While `program`, a recorder, runs and holds `file`, which it overwrites."""
    file.write_bytes(b"free")
    process = windows.start(program, "hold", SNUG_RECORD=as_seen(file))
    try:
        _wait_until(lambda: file.read_bytes() != b"free")
        yield process
    finally:
        process.kill()
        process.wait()


def _wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE_S
    while not holds():
        if time.monotonic() > until:
            expect(False, "it starts in time")
        time.sleep(0.02)


def _can_not_swap(windows: Windows, before: Setup, setup: Setup) -> None:
    """A file lies where the version before has to wait, which fails like a file that is in use."""
    in_the_way = windows.program / "snug.old"
    in_the_way.touch()
    expect(windows.run(setup.path, "/S") == 3, "what can not be moved is told")
    in_the_way.unlink()
    _stands(windows, before, "and the version before is in place")


def _scanned(windows: Windows, before: Setup, setup: Setup) -> None:
    """A virus scanner holds a file, and lets go of it when the parts change places already. The
    person waits, and clicks once more."""
    scanner = windows.home / "scanner.exe"
    shutil.copyfile(windows.program / "snug.exe", scanner)
    held = windows.program / "uninstall.exe"
    with _holding(windows, scanner, held) as process:
        installing = windows.start(setup.path, "/S")
        aside = windows.program / "snug.old" / "licences"
        _wait_until(aside.exists)
        expect(windows.start(before.path, "/S").wait() == 3, "there is one setup at a time")
        expect(aside.exists(), "and what comes later touches nothing")
        process.kill()
        expect(installing.wait() == 0, "a file that is held for a moment is no reason to stop")
    windows.settle()
    _stands(windows, setup, "the new version is in place")
    scanner.unlink()
    expect(windows.run(before.path, "/S", "/OLDER") == 0, "and the one before again")


def _full(windows: Windows, before: Setup, setup: Setup) -> None:
    code = windows.run(setup.path, "/S", behind=_FULL)
    expect(code == 4, "a disk that becomes full is told")
    _stands(windows, before, "and the version before is in place, with nothing beside")


def _power_cut(windows: Windows, before: Setup, setup: Setup) -> None:
    """In the middle of unpacking, which is all but a few milliseconds of an installation."""
    code = windows.start(setup.path, "/S", behind=_CUT).wait()
    windows.end()
    found = windows.files()
    expect(code < 0 and "snug.new" in found, "the power is cut in the middle")
    ours = {name: digest for name, digest in found.items() if name in before.files}
    expect_same(ours, before.files, "and the version before still starts")
    expect(windows.run(before.path, "/S") == 0, "the next installation cleans up")
    _stands(windows, before, "and all is as it should be")


def _cut_in_the_swap(windows: Windows, setup: Setup) -> None:
    """snug.exe and one part lie aside already, half of the new one is in place."""
    old, new = windows.program / "snug.old", windows.program / "snug.new"
    shutil.copytree(windows.program, new)
    old.mkdir()
    for part in ("snug.exe", "_internal"):
        (windows.program / part).rename(old / part)
    (new / "_internal").rename(windows.program / "_internal")
    (windows.program / "_internal" / "half new").touch()
    expect(windows.run(setup.path, "/S", behind=_FULL) == 4, "then the disk is full")
    _stands(windows, setup, "and the version before is back all the same")


def _read_only(windows: Windows, setup: Setup) -> None:
    for name in ("snug.exe", "_internal/python311.dll"):
        (windows.program / name).chmod(stat.S_IREAD)
    expect(windows.run(setup.path, "/S") == 0, "it replaces what nobody may write")
    _stands(windows, setup, "and nothing of the version before is left")


def _older(windows: Windows, older: Setup, newer: Setup) -> None:
    expect(windows.run(older.path, "/S") == 6, "it does not go back silently")
    _stands(windows, newer, "so the newer one stays")
    expect(windows.run(older.path, "/S", "/OLDER") == 0, "unless told to")
    _stands(windows, older, "then the older one is in place")
    expect(windows.run(newer.path, "/S") == 0, "and forward again")


def _links(windows: Windows, setup: Setup) -> None:
    """A person moved models to another disk, behind a link, and has chats deleted."""
    elsewhere = windows.home / "other disk"
    (elsewhere / "deep").mkdir(parents=True)
    (elsewhere / "deep" / "big.gguf").write_bytes(b"mine")
    windows.data.mkdir()
    (windows.data / "chats $HOME").mkdir()
    (windows.data / "chats $HOME" / "snug.sqlite3").write_bytes(b"mine")
    (windows.data / "models").symlink_to(elsewhere)
    uninstall = windows.program / "uninstall.exe"
    expect(windows.run(uninstall, "/S", "/ERASE") == 0, f"{setup.version} is removed with all data")
    expect(not windows.program.exists(), "the program is gone")
    left = [path.name for path in windows.data.iterdir()]
    expect(left == ["models"], "chats and settings too")  # the link: Wine 8 can not remove one
    kept = elsewhere / "deep" / "big.gguf"
    expect(kept.read_bytes() == b"mine", "but not what a link led to")
    shutil.rmtree(windows.data)
    shutil.rmtree(elsewhere)


def _other_folder(windows: Windows, *setups: Setup) -> None:
    """Into a folder of the person's, whose names are those of ours."""
    usual, windows.program = windows.program, windows.home / "Mei's \u96ea $HOME 100% folder"
    mine = ["letter.txt", "licences/mine.txt", "_internal/mine.txt"]
    for name in mine:
        (windows.program / name).parent.mkdir(parents=True, exist_ok=True)
        (windows.program / name).write_bytes(b"mine")
    place = _into(f"C:\\users\\{windows.home.name}\\{windows.program.name}")
    expect(windows.run(setups[0].path, "/S", *place) == 0, "it goes into a folder of one's own")
    for setup in setups[1:]:
        expect(windows.run(setup.path, "/S") == 0, f"{setup.version} finds its way there")
        expect(not usual.exists(), "and is nowhere else")
    expect(windows.run(windows.program / "uninstall.exe", "/S") == 0, "and away")
    left = {name for name, digest in windows.files().items() if digest}
    kept = {"letter.txt", "Not from Snug/licences/mine.txt", "Not from Snug/_internal/mine.txt"}
    expect_same(left, kept, "what is one's own stays")
    shutil.rmtree(windows.program)
    windows.program = usual


def _into(folder: str) -> list[str]:
    """NSIS wants it last and without quotes, which Wine puts around spaces."""
    return f"/D={folder}".split(" ")


def _too_long(windows: Windows, setup: Setup) -> None:
    place = "\\".join(["C:", "users", windows.home.name, *["long name"] * 25])
    expect(windows.run(setup.path, "/S", *_into(place)) == 5, "a path that is too long is told")
    expect(not Path(windows.home / "long name").exists(), "and nothing is made")
