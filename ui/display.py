"""Is there a display to open a window on? Asked before Qt is imported, and never through Qt.

Qt ends the process where it finds none, so this knocks first. No PySide6 here.
"""

import ctypes
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

_NEED_A_SERVER = ("xcb", "wayland")


def reason_for_none(environment: Mapping[str, str] = os.environ) -> str:
    """Why no window can be opened, for the log and the doctor; "" if one can."""
    if not sys.platform.startswith("linux"):
        return ""
    wanted = environment.get("QT_QPA_PLATFORM", "")
    if wanted and not wanted.startswith(_NEED_A_SERVER):
        return ""
    found = [
        _no_wayland(environment) if environment.get("WAYLAND_DISPLAY") else "no Wayland display",
        _no_x11() if environment.get("DISPLAY") else "no X display",
    ]
    return "" if "" in found else "; ".join(found)


def _no_wayland(environment: Mapping[str, str]) -> str:
    name = environment["WAYLAND_DISPLAY"]
    place = Path(environment.get("XDG_RUNTIME_DIR", "/nowhere")) / name
    return "" if place.exists() else f"the Wayland display {name} does not answer"


def _no_x11() -> str:
    """Connect once as Qt would, with the library that Qt uses, and load Qt's part for it.

    The connection stays open: a server such as Xvfb starts anew when its only client leaves, and
    would not answer Qt for a moment.
    """
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
        _load_plugin()
    except OSError as error:  # names the system library that is missing
        return str(error)
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    if not xcb.xcb_connection_has_error(connection):
        return ""
    xcb.xcb_disconnect(connection)
    return "the X display does not answer"


def _load_plugin() -> None:
    spec = find_spec("PySide6")
    for folder in spec.submodule_search_locations or () if spec else ():
        plugin = Path(folder) / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        if plugin.exists():
            ctypes.CDLL(str(plugin))
