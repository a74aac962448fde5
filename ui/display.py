"""Is there a display to open a window on? Asked before Qt is imported, and never through Qt.

Qt ends the process where it finds none, so this knocks first, and tells Qt which one has answered.
No PySide6 here.
"""

import ctypes
import os
import sys
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from ui import buses, x_display

_PLATFORM = "QT_QPA_PLATFORM"
_NEED_A_SERVER = ("wayland", "xcb")
_OTHER_PLUGINS = ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH")
"""Parts of the desktop's own Qt. They ask for its libraries and get ours: a crash."""
_DEADLY = ("QT_FATAL_WARNINGS", "QT_FATAL_CRITICALS")
"""With these, Qt ends the process over anything that it complains of."""

Environment = MutableMapping[str, str]


def reason_for_none(environment: Environment = os.environ) -> str:
    """Why no window can be opened, for the log and the doctor; "" if one can."""
    if not sys.platform.startswith("linux") or _without_server(environment):
        return ""
    reasons = []
    for kind in _NEED_A_SERVER:
        reason = _knock(kind, environment)
        if not reason:
            return ""
        reasons.append(reason)
    return "; ".join(reasons)


@contextmanager
def made_certain(environment: Environment = os.environ) -> Iterator[None]:
    """Qt, which is made within, takes the display that answers, and its own parts only.

    Programs that are opened later get what the person's variables said.
    """
    for name in _DEADLY:
        environment.pop(name, None)
    if sys.platform.startswith("linux"):
        buses.avoid_silent_ones(environment)
        buses.start_none(environment)
    before = {name: environment.get(name) for name in (_PLATFORM, *_OTHER_PLUGINS)}
    for name in _OTHER_PLUGINS:
        environment.pop(name, None)
    if folder := _plugins():  # said, for in a name with a semicolon Qt would not find it
        environment[_OTHER_PLUGINS[0]] = str(folder)
    _point_to_what_answers(environment)
    try:
        yield
    finally:
        for name, value in before.items():
            _put_back(environment, name, value)


def _put_back(environment: Environment, name: str, value: str | None) -> None:
    if value is None:
        environment.pop(name, None)
    else:
        environment[name] = value


def _point_to_what_answers(environment: Environment) -> None:
    """What was wished for stays if it can be had. Else Wayland comes first, as Qt has it too. X is
    asked only where it is needed: the first who asks may start Xwayland, which takes a second."""
    if not sys.platform.startswith("linux") or _without_server(environment):
        return
    kinds = dict.fromkeys(_kind(name) for name in _wished(environment))
    if any(kind in _NEED_A_SERVER and not _knock(kind, environment) for kind in kinds):
        return
    wayland = not _knock("wayland", environment)
    environment[_PLATFORM] = ";".join(_NEED_A_SERVER) if wayland else "xcb"


def _wished(environment: Environment) -> Sequence[str]:
    """Names without their options, the best first."""
    wishes = environment.get(_PLATFORM, "").split(";")
    return [wish.split(":")[0] for wish in wishes if wish]


def _without_server(environment: Environment) -> bool:
    """Whether what is wished for is there and needs nobody to answer, such as `offscreen`."""
    return any(
        not name.startswith(_NEED_A_SERVER) and _plugin(name) is not None
        for name in _wished(environment)
    )


def _kind(name: str) -> str:
    """`wayland-egl` is wayland."""
    return name.split("-", maxsplit=1)[0]


def _knock(kind: str, environment: Environment) -> str:
    """Why there is no display of this kind; "" if there is one."""
    if kind == "wayland":
        return _no_wayland(environment)
    return _no_x11() if environment.get("DISPLAY") else "no X display"


def _no_wayland(environment: Environment) -> str:
    """With the library that Qt uses: a name may be left over from a display that has ended."""
    if environment.get("WAYLAND_SOCKET"):  # a connection that was handed to us, for one use
        return ""
    if not environment.get("WAYLAND_DISPLAY"):
        return "no Wayland display"
    try:
        client = ctypes.CDLL("libwayland-client.so.0")
        _load_plugin("wayland")
    except OSError as error:  # names the system library that is missing
        return str(error)
    client.wl_display_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(client.wl_display_connect(None))
    if not connection:
        return f"the Wayland display {environment['WAYLAND_DISPLAY']} does not answer"
    client.wl_display_disconnect(connection)
    return ""


def _no_x11() -> str:
    try:
        _load_plugin("xcb")
        return x_display.reason_for_none()
    except OSError as error:  # names the system library that is missing
        return str(error)


def _plugins() -> Path | None:
    """Where Qt's own parts are."""
    spec = find_spec("PySide6")
    for folder in spec.submodule_search_locations or () if spec else ():
        for found in (Path(folder) / "Qt" / "plugins", Path(folder) / "plugins"):
            if found.is_dir():
                return found
    return None


def _load_plugin(name: str) -> None:
    if plugin := _plugin(name):
        ctypes.CDLL(str(plugin))


def _plugin(name: str) -> Path | None:
    """Qt's part for one kind of display, if it is there."""
    folder = _plugins()
    plugin = folder / "platforms" / f"libq{name}.so" if folder else None
    return plugin if plugin and plugin.exists() else None
