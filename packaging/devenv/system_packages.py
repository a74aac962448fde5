"""What only the system can bring: a compiler, the libraries Qt links to, fonts, a virtual screen.

On Debian and Ubuntu as root they are installed; elsewhere the person is told the exact line.
Only missing things are touched, and a failing `apt-get` is never the end.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from devenv.commands import output, say
from devenv.errors import SetupError
from devenv.places import ON_WINDOWS, SYSTEM, VENV

# Debian's package for each library that Qt's wheels expect to find.
_QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libdrm.so.2": "libdrm2",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
_QT_PARTS = (
    "plugins/platforms/libqxcb.so",
    "plugins/platforms/libqwayland*.so",
    *(f"lib/libQt6{part}.so.6" for part in ("Core", "Gui", "Widgets", "Svg", "DBus")),
)
_TEST_PACKAGES = (
    *("xvfb", "fonts-noto-core", "fonts-noto-cjk", "mesa-vulkan-drivers"),
    *("gnome-keyring", "dbus", "strace", "curl"),
    # What reads the files that desktops and packagers read.
    *("desktop-file-utils", "appstream", "mandoc", "man-db", "libxml2-utils", "shared-mime-info"),
    *("libglib2.0-bin", "flatpak-builder", "lintian", "shellcheck", "binutils"),
)
_VULKAN_PACKAGES = ("libvulkan-dev", "spirv-headers", "glslc")
_WAIT = ("-o", "DPkg::Lock::Timeout=300")  # seconds: a fresh system may be updating itself
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


def need_venv_module() -> None:
    """Debian keeps a part of Python's own `venv` in a package of its own."""
    if importlib.util.find_spec("ensurepip"):
        return
    install({f"python3.{sys.version_info[1]}-venv"})
    importlib.invalidate_caches()
    if not importlib.util.find_spec("ensurepip"):
        msg = "Python's venv module is incomplete. On Debian or Ubuntu: apt install python3-venv"
        raise SetupError(msg)


def need_compiler() -> None:
    """The engine comes as source; on Windows its build names what is missing."""
    if ON_WINDOWS or _has_compiler():
        return
    if SYSTEM == "darwin":
        msg = "A C++ compiler is missing. Install Apple's with: xcode-select --install"
        raise SetupError(msg)
    install({"build-essential"})
    if not _has_compiler():
        msg = (
            "A C++ compiler is missing. On Debian or Ubuntu: apt install build-essential;"
            " on Fedora: dnf install gcc-c++"
        )
        raise SetupError(msg)


def _has_compiler() -> bool:
    if SYSTEM == "darwin" and not output(["xcode-select", "-p"]):
        return False  # without it, `c++` is only a dialog
    names = (os.environ.get("CXX", "c++").split()[0], "g++", "clang++")
    return any(map(shutil.which, names))


def need_for_vulkan() -> bool:
    """Whether what compiles llama.cpp's shaders is there, installed now where that is possible."""
    if not _has_vulkan() and SYSTEM == "linux":
        install(_VULKAN_PACKAGES)
    return _has_vulkan()


def _has_vulkan() -> bool:
    if os.environ.get("VULKAN_SDK"):
        return True
    return bool(shutil.which("glslc")) and Path("/usr/include/vulkan/vulkan.hpp").exists()


def need_for_window() -> None:
    """Qt's libraries and one font."""
    if SYSTEM != "linux":
        return
    missing = missing_libraries()
    packages = {_QT_LIBRARIES[name] for name in missing if name in _QT_LIBRARIES}
    if not _has_font():
        packages.add("fonts-dejavu-core")
    if packages:
        install(packages)
    if unknown := missing - _QT_LIBRARIES.keys():
        say(f"the window may not open, libraries are missing: {', '.join(sorted(unknown))}")


def need_for_tests() -> None:
    """A virtual screen, and fonts for the scripts that tests and pictures show; a real store of
    secrets with a bus of its own; what sees every connection; what downloads are held against;
    what lints the files of packages."""
    need(_TEST_PACKAGES)


def need(packages: Iterable[str]) -> None:
    """Of Debian; elsewhere whoever uses a tool has to look for it."""
    if not shutil.which("dpkg-query"):
        return
    if missing := {name for name in packages if not _is_installed(name)}:
        install(missing)


def missing_libraries() -> set[str]:
    """Names of the system's libraries that Qt would not find."""
    qt = next(VENV.glob("lib/python*/site-packages/PySide6/Qt"), None)
    parts = [path for part in _QT_PARTS for path in qt.glob(part)] if qt else []
    return not_found("".join(output(["ldd", part]) for part in parts))


def not_found(ldd: str) -> set[str]:
    """The library names that `ldd` could not resolve."""
    return {line.split()[0] for line in ldd.splitlines() if line.endswith("not found")}


def _has_font() -> bool:
    folders = (Path(folder).expanduser() for folder in _FONT_FOLDERS)
    return any(next(folder.rglob("*.[ot]t[fc]"), None) for folder in folders)


def _is_installed(package: str) -> bool:
    return output(["dpkg-query", "-W", "-f=${db:Status-Status}", package]) == "installed"


def install(packages: Iterable[str]) -> None:
    """Install on Debian as root, else say what a person has to type."""
    wanted = sorted(packages)
    if not shutil.which("apt-get"):
        say(f"please install what Debian calls: {' '.join(wanted)}")
    elif os.geteuid() != 0:
        say(f"please run: sudo apt-get install {' '.join(wanted)}")
    elif not _apt_install(wanted):
        say(f"apt-get could not install: {' '.join(wanted)}; going on without")


def _apt_install(packages: list[str]) -> bool:
    say(f"apt-get install {' '.join(packages)}")
    # The lists of a fresh system are empty or old: look again only when the first try fails.
    return _apt("install", *packages) or (_apt("update") and _apt("install", *packages))


def _apt(*arguments: str) -> bool:
    done = subprocess.run(
        ["apt-get", "-y", "-qq", *_WAIT, "--no-install-recommends", *arguments],
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode == 0
