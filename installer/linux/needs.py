"""What a package has to ask of the system: the libraries that the frozen program does not bring."""

from collections.abc import Iterable
from pathlib import Path

from devenv.errors import SetupError
from freeze import elf

DEBIAN = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libstdc++.so.6": "libstdc++6 (>= 11)",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb.so.1": "libxcb1",
    "libz.so.1": "zlib1g",
}
_GLIBC = "libc6 (>= 2.34)"
_OF_GLIBC = ("libc.", "libm.", "libdl.", "libpthread.", "librt.", "libutil.", "ld-linux")
_OPTIONAL = {"libvulkan.so.1"}
"""Only a plug-in needs them: without, the processor computes."""


def from_system(folder: Path) -> tuple[str, ...]:
    """Names of libraries, sorted; those of the C library itself are left out."""
    files = [path for path in folder.rglob("*") if elf.is_elf(path)]
    here = {path.name for path in folder.rglob("*")}
    wanted = {name for file in files for name in elf.needs_of(file).libraries}
    outside = wanted - here - _OPTIONAL
    return tuple(sorted(name for name in outside if not name.startswith(_OF_GLIBC)))


def debian_depends(libraries: Iterable[str]) -> str:
    """The Depends of a .deb. Raises `SetupError` for a library that has no package here."""
    names = tuple(libraries)
    if unknown := [name for name in names if name not in DEBIAN]:
        msg = f"no package of Debian is known for {', '.join(unknown)} (installer/linux/needs.py)"
        raise SetupError(msg)
    return ", ".join((_GLIBC, *(DEBIAN[name] for name in names)))


def rpm_requires(libraries: Iterable[str]) -> tuple[str, ...]:
    """By library, which every distribution understands."""
    names = (*(f"{name}()(64bit)" for name in libraries), "libc.so.6(GLIBC_2.34)(64bit)")
    return tuple(sorted(names))
