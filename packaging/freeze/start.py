"""Where the frozen program starts: with streams that can be written to, whatever it was given."""

import os
import sys

_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


def _fill_descriptors() -> None:
    """Where 0, 1 or 2 is closed, the next file that is opened would get its number, and whatever a
    library prints would go into that file: somebody's chats, for one."""
    if os.name != "posix":
        return
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)


def _give_back_library_paths() -> None:
    """The bootloader points them into our folder. We have started by now; other programs that we
    open, such as a browser, must not find our libraries."""
    for name in _LIBRARY_PATHS:
        if original := os.environ.get(f"{name}_ORIG"):
            os.environ[name] = original
        else:
            os.environ.pop(name, None)


_fill_descriptors()
_give_back_library_paths()

from app.streams import give_streams  # noqa: E402 - after the descriptors

give_streams()

from ui.main import main  # noqa: E402 - whatever it imports may print

if __name__ == "__main__":
    sys.exit(main())
