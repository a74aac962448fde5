"""How the disk image looks when it is opened. dmgbuild runs this file and reads its variables; what
it was called with is in `defines`. Nobody imports it.

Names: https://dmgbuild.readthedocs.io/en/latest/settings.html.
"""

from pathlib import Path

from macos import pictures

_given: dict[str, str] = globals()["defines"]

files = [_given["app"]]
symlinks = {"Applications": "/Applications"}
icon_locations = {
    Path(_given["app"]).name: pictures.PROGRAM_AT,
    "Applications": pictures.FOLDER_AT,
}

format = "ULMO"  # noqa: A001 - dmgbuild's name; the smallest, for macOS 10.15 and newer
filesystem = "HFS+"

background = _given["background"]
window_rect = ((200, 200), pictures.WINDOW)
default_view = "icon-view"
icon_size = 128
text_size = 13
