"""Where the frozen program starts: with streams that can be written to and with its own libraries,
whatever it was given."""

import os
import sys

_PATHS = "LD_LIBRARY_PATH"
_ORIGINAL = "LD_LIBRARY_PATH_ORIG"
"""Where the bootloader keeps what the person had."""
_BOOTLOADERS_OWN = "_PYI_"
_PROGRAM = "_PYI_ARCHIVE_FILE"
_BEGUN_ANEW = "_SNUG_BEGUN_ANEW"
_HOOKED = ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH")
_SPLITS_OR_CHANGES_PATHS = (":", ";", "$")
"""What `ld.so` does not take as it is in a search path."""


def _fill_descriptors() -> None:
    """Where 0, 1 or 2 is closed, the next file that is opened would get its number, and whatever a
    library prints would go into that file: somebody's chats, for one."""
    for number in range(3) if os.name == "posix" else ():
        try:
            os.fstat(number)
        except OSError:
            _occupy(number)


def _occupy(number: int) -> None:
    """All below it are taken, so that what is opened now gets this number."""
    try:
        os.open(os.devnull, os.O_RDWR)
    except OSError:  # a place without devices
        os.open(os.sep, os.O_RDONLY)
    os.set_inheritable(number, True)


def _undo_hooks() -> None:
    """PyInstaller's hook for Qt has put our places over the person's, for whoever is opened later
    as well. What a process was started with can be read, on Linux."""
    if sys.platform != "linux":
        return
    try:
        with open("/proc/self/environ", "rb") as file:  # noqa: PTH123 - no pathlib this early
            given = dict(
                entry.split(b"=", 1) for entry in file.read().split(b"\0") if b"=" in entry
            )
    except OSError:
        given = {}
    for name in _HOOKED:
        os.environ.pop(name, None)
        if before := given.get(name.encode()):
            os.environ[name] = os.fsdecode(before)


def _know_ourselves() -> None:
    """Python believes PYTHONEXECUTABLE, and every child would be another program."""
    program = os.environ.get(_PROGRAM, "")
    if os.path.isfile(program):  # noqa: PTH113 - pathlib is not imported this early
        sys.executable = program


def _take_libraries_from_here() -> None:
    """Begins anew, in this very process, where libraries would be looked for elsewhere first.

    `ld.so` reads the search path when a process begins, so the bootloader sets it and executes
    itself; but it keeps the person's places behind ours (another libstdc++, of conda or MATLAB),
    and does nothing at all where it finds its own variables: as our child, or when somebody
    started us out of a file manager that we opened.
    """
    folder = getattr(sys, "_MEIPASS", "")
    mark = str(os.getpid())  # executing keeps it, so that this happens once
    if sys.platform != "linux" or not folder or os.environ.get(_BEGUN_ANEW) == mark:
        return
    paths = os.environ.get(_PATHS, "")
    if paths == folder and not _can_not_be_searched(folder):
        return
    if paths.startswith(f"{folder}:") or not paths:
        original = paths.removeprefix(folder).removeprefix(":")
    else:  # the bootloader did nothing, so these are the person's
        original = paths
    wanted = {_PATHS: _searchable(folder), _ORIGINAL: original, _BEGUN_ANEW: mark}
    try:
        os.execve(sys.executable, sys.argv, {**os.environ, **wanted})  # noqa: S606 - ourselves
    except OSError:
        return  # most computers have libraries that will do


def _can_not_be_searched(folder: str) -> bool:
    return any(character in folder for character in _SPLITS_OR_CHANGES_PATHS)


def _searchable(folder: str) -> str:
    """A name of this folder that can stand in a search path."""
    if not _can_not_be_searched(folder):
        return folder
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.set_inheritable(number, True)
    return f"/proc/self/fd/{number}"


def _give_back() -> None:
    """What is opened from here, such as a browser, finds the person's libraries and not ours; and
    a child starts as we did."""
    original = os.environ.pop(_ORIGINAL, "")
    os.environ.pop(_PATHS, None)
    if original:
        os.environ[_PATHS] = original
    for name in [*os.environ]:
        if name.startswith(_BOOTLOADERS_OWN) or name == _BEGUN_ANEW:
            del os.environ[name]


def _keep_our_modules() -> None:
    """An upgrade replaces our file under an open window. Modules that are imported later must come
    out of the old file, which stays as long as somebody has it open: PyInstaller opens it by its
    name each time, and would read the new one at the old one's places."""
    importers = sys.modules.get("pyimod02_importers")  # PyInstaller's own
    archive = getattr(importers, "pyz_archive", None)
    if sys.platform == "linux" and archive is not None:
        archive._filename = f"/proc/self/fd/{os.open(archive._filename, os.O_RDONLY)}"


_fill_descriptors()
_undo_hooks()
_know_ourselves()
_take_libraries_from_here()
_keep_our_modules()
_give_back()

from app.streams import give_streams  # noqa: E402 - after the descriptors

give_streams()

from ui.main import main  # noqa: E402 - whatever it imports may print

if __name__ == "__main__":
    sys.exit(main())
