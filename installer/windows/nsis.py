"""Compiles the installer: the script is `snug.nsi`, the lists of files come from the frozen folder.

Where this is not Windows the payload is whatever was frozen, as a stand-in: it shows that the
installer works, not the program.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path, PurePath, PureWindowsPath

from devenv import commands
from devenv.places import SYSTEM
from linux.tree import Release
from windows import resource
from windows.numbers import four_numbers

_HERE = Path(__file__).resolve().parent
_PACKED_ALREADY = {".gguf"}


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    payload = _payload(frozen, work / "nsis-payload")
    lists = work / "nsis"
    shutil.rmtree(lists, ignore_errors=True)
    lists.mkdir(parents=True)
    files = sorted(path.relative_to(payload) for path in payload.rglob("*") if path.is_file())
    (lists / "install.nsh").write_text(install_list(payload, files), encoding="utf-8-sig")
    (lists / "uninstall.nsh").write_text(uninstall_list(files), encoding="utf-8-sig")
    icon = resource.icon(lists / "snug.ico")
    into.mkdir(parents=True, exist_ok=True)
    target = into / f"snug-{release.version}-setup.exe"
    size_kb = sum((payload / file).stat().st_size for file in files) // 1024
    defines = {
        "VERSION": release.version,
        "FOUR_VERSION": four_numbers(release.version),
        "LISTS": lists,
        "OUTPUT": target,
        "SIZE_KB": size_kb,
        "ICON": icon,
    }
    argv: list[str | Path] = ["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8"]
    argv += [f"-D{name}={value}" for name, value in defines.items()]
    argv += [] if SYSTEM == "win32" else ["-DAMD64"]
    fixed = commands.environment(SOURCE_DATE_EPOCH=str(release.made_s))
    commands.run([*argv, _HERE / "snug.nsi"], "compiling the installer", env=fixed)
    return target


def install_list(payload: Path, files: Iterable[PurePath]) -> str:
    """NSIS commands that write every file. What is packed already is not packed again."""
    lines, folder, packing = [], None, True
    for file in files:
        if file.parent != folder:
            folder = file.parent
            lines.append(f'SetOutPath "{_in_program(folder)}"')
        if packing == (file.suffix in _PACKED_ALREADY):
            packing = not packing
            lines.append(f"SetCompress {'auto' if packing else 'off'}")
        lines.append(f'File "{payload / file}"')
    return "\n".join([*lines, "SetCompress auto"]) + "\n"


def uninstall_list(files: Iterable[PurePath]) -> str:
    """NSIS commands that delete just those, and the folders that are empty then."""
    listed = list(files)
    folders = {folder for file in listed for folder in file.parents if folder.parts}
    deepest_first = sorted(folders, key=lambda folder: (-len(folder.parts), folder.as_posix()))
    lines = [f'Delete "{_in_program(file)}"' for file in listed]
    lines += [f'RMDir "{_in_program(folder)}"' for folder in deepest_first]
    return "\n".join(lines) + "\n"


def _in_program(path: PurePath) -> str:
    """Dollar signs are variables to NSIS."""
    inside = str(PureWindowsPath(path)) if path.parts else ""
    return "$INSTDIR" + (f"\\{inside.replace('$', '$$')}" if inside else "")


def _payload(frozen: Path, target: Path) -> Path:
    if SYSTEM == "win32":
        return frozen
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(frozen, target)  # links become files: Windows has none
    (target / "snug").rename(target / "snug.exe")
    return target
