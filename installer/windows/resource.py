"""What Windows shows of a program: its icon and its version. For PyInstaller."""

from pathlib import Path

from devenv.places import ROOT
from linux import icons
from windows import ico
from windows.numbers import four_numbers

_VERSION = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004,
                    fileType=0x1, subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "The Snug project"),
      StringStruct("FileDescription", "Snug"),
      StringStruct("FileVersion", "{version}"),
      StringStruct("InternalName", "snug"),
      StringStruct("LegalCopyright", "The Snug authors, Apache-2.0"),
      StringStruct("OriginalFilename", "snug.exe"),
      StringStruct("ProductName", "Snug"),
      StringStruct("ProductVersion", "{version}")])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 1200])]),
  ],
)
"""


def version_resource(version: str) -> str:
    numbers = tuple(int(part) for part in four_numbers(version).split("."))
    return _VERSION.format(numbers=numbers, version=version)


def icon(target: Path) -> Path:
    """The logo, drawn beside `target` in all sizes and packed into it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    pictures = []
    for size in ico.SIZES:
        picture = target.with_name(f"{size}.png")
        icons.draw(ROOT / "resources" / "logo" / "snug.svg", size, picture)
        pictures.append((size, picture.read_bytes()))
    target.write_bytes(ico.packed(pictures))
    return target
