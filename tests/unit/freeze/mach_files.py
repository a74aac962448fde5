"""Mach-O files written by hand: headers and commands as Apple's <mach-o/loader.h> has them, without
any code behind them. Also a bundle as PyInstaller lays it out."""

import os
import plistlib
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from macos import info

ARM, INTEL = 0x0100000C, 0x01000007
PROGRAM, LIBRARY, PLUGIN = 2, 6, 8
SYSTEM = "/usr/lib/libSystem.B.dylib"
BY_PYINSTALLER = {
    "CFBundleExecutable": "snug",
    "CFBundleIconFile": "snug.icns",
    "CFBundleInfoDictionaryVersion": "6.0",
    "CFBundlePackageType": "APPL",
}
"""Of an Info.plist: what PyInstaller adds to ours."""


def thin(
    role: int = LIBRARY,
    *,
    libraries: Sequence[str] = (SYSTEM,),
    optional: Sequence[str] = (),
    places: Sequence[str] = (),
    oldest: tuple[int, int] = (13, 0),
    processor: int = ARM,
) -> bytes:
    commands = [_named(0x0C, name, 24) for name in libraries]
    commands += [_named(0x80000018, name, 24) for name in optional]
    commands += [_named(0x8000001C, place, 12) for place in places]
    commands.append(struct.pack("<6I", 0x32, 24, 1, _version(oldest), 0, 0))
    body = b"".join(commands)
    numbers = (processor, 0, role, len(commands), len(body), 0, 0)
    return struct.pack("<4s7I", b"\xcf\xfa\xed\xfe", *numbers) + body


def old(oldest: tuple[int, int]) -> bytes:
    """As compilers marked the oldest system before 2018."""
    command = struct.pack("<4I", 0x24, 16, _version(oldest), 0)
    return struct.pack("<4s7I", b"\xcf\xfa\xed\xfe", INTEL, 0, LIBRARY, 1, 16, 0, 0) + command


def fat(*parts: tuple[int, bytes], wide: bool = False) -> bytes:
    """`parts` are processors with their thin files."""
    entry = struct.Struct(">IIQQII" if wide else ">IIIII")
    table, data = b"", b""
    start = 8 + entry.size * len(parts)
    for processor, part in parts:
        values = (processor, 0, start + len(data), len(part), 14)
        table += entry.pack(*values, *((0,) if wide else ()))
        data += part
    magic = b"\xca\xfe\xba\xbf" if wide else b"\xca\xfe\xba\xbe"
    return magic + struct.pack(">I", len(parts)) + table + data


def bundle(root: Path) -> Path:
    """A small one that is in order: a program, Qt's framework, a binding, the engine, pictures."""
    if os.name == "nt":
        pytest.skip("a Mac's bundle is full of links")
    app = root / "Snug.app"
    code, data = app / "Contents" / "Frameworks", app / "Contents" / "Resources"
    place(app / "Contents" / "MacOS" / "snug", thin(PROGRAM, oldest=(11, 0)))
    qt = code / "PySide6" / "Qt" / "lib" / "QtCore.framework"
    place(qt / "Versions" / "A" / "QtCore", thin())
    place(qt / "Versions" / "A" / "Resources" / "Info.plist", b"<plist/>")
    (qt / "Versions" / "Current").symlink_to("A")
    (qt / "QtCore").symlink_to("Versions/Current/QtCore")
    (code / "QtCore").symlink_to("PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore")
    binding = thin(PLUGIN, libraries=("@rpath/QtCore", SYSTEM), places=("@loader_path/..",))
    place(code / "PySide6" / "QtCore.abi3.so", binding)
    place(code / "llama_cpp" / "lib" / "libggml-base.dylib", thin(oldest=(13, 3)))
    engine = thin(libraries=("@loader_path/libggml-base.dylib",))
    place(code / "llama_cpp" / "lib" / "libllama.dylib", engine)
    place(data / "resources" / "starter.json", b"{}")
    place(app / "Contents" / "Info.plist", plistlib.dumps(BY_PYINSTALLER | info.plist("1.2.3")))
    (code / "resources").symlink_to("../Resources/resources")
    return app


def place(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _named(code: int, name: str, offset: int) -> bytes:
    text = name.encode() + b"\0"
    size = -(-(offset + len(text)) // 8) * 8
    return struct.pack("<3I", code, size, offset).ljust(offset, b"\0") + text.ljust(
        size - offset, b"\0"
    )


def _version(numbers: tuple[int, int]) -> int:
    return numbers[0] << 16 | numbers[1] << 8
