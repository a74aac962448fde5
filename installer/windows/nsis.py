"""Compiles the installer: the script is `snug.nsi`, the lists of files come from the frozen folder.

Where this is not Windows the payload is whatever was frozen, as a stand-in: it shows that the
installer works, not the program. Whoever has a certificate names in `SNUG_SIGN_WINDOWS` the command
that signs the file whose path is put behind it; installer and uninstaller then pass through it.
"""

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath, PureWindowsPath

from devenv import commands
from devenv.errors import SetupError
from devenv.places import SYSTEM
from linux.tree import Release
from windows import pictures, resource
from windows.numbers import four_numbers

_HERE = Path(__file__).resolve().parent
_PACKED_ALREADY = {".gguf"}
_SIGN = "SNUG_SIGN_WINDOWS"
_INSIDE = "_internal"
_LICENCES = "licences"
PROGRAM = "snug.exe"
PARTS = (PROGRAM, _INSIDE, _LICENCES)
"""What changes places in an upgrade: `swap.nsh` names them too, with the uninstaller."""
LIST = f"{_INSIDE}/installed.txt"
"""Tells a later version, or the uninstaller, which files are ours."""
_SETUP = "setup" if SYSTEM == "win32" else "setup-stand-in"
"""What holds another system's files must not be taken for the real one."""
_WHILE_UNPACKING = len(r"\snug.new") + 1


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    """Raises `SetupError` when NSIS does, or when the folder has other parts than `PARTS`."""
    payload = _payload(frozen, work / "nsis-payload")
    lists = work / "nsis"
    shutil.rmtree(lists, ignore_errors=True)
    lists.mkdir(parents=True)
    files = sorted(path.relative_to(payload) for path in payload.rglob("*") if path.is_file())
    check_parts(files)
    _write_lists(payload, files, lists)
    for path in lists.iterdir():  # NSIS writes down when each file was changed
        os.utime(path, (release.made_s, release.made_s))
    into.mkdir(parents=True, exist_ok=True)
    target = into / f"snug-{release.version}-{_SETUP}.exe"
    size_bytes = sum((payload / file).stat().st_size for file in files)
    defines = {
        "VERSION": release.version,
        "FOUR_VERSION": four_numbers(release.version),
        "LISTS": lists,
        "OUTPUT": target,
        "SIZE_KB": size_bytes // 1024 + 1,
        "SIZE_MB": size_bytes // 1_000_000 + 1,
        "LONGEST": longest(files),
    }
    fixed = commands.environment(SOURCE_DATE_EPOCH=str(release.made_s))
    commands.run(_command(defines, os.environ.get(_SIGN)), "compiling the installer", env=fixed)
    return target


def _write_lists(payload: Path, files: Sequence[PurePath], lists: Path) -> None:
    (lists / "installed.txt").write_bytes(installed_list(files).encode("utf-16-le"))
    (lists / "install.nsh").write_text(install_list(payload, files), encoding="utf-8-sig")
    resource.icon(lists / "snug.ico")
    pictures.draw(lists)


def _command(defines: Mapping[str, object], sign: str | None) -> list[str | Path]:
    argv: list[str | Path] = ["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8"]
    argv += [f"-D{name}={value}" for name, value in defines.items()]
    argv += [f"-DSIGN={sign}"] if sign else []
    argv += [] if SYSTEM == "win32" else ["-DAMD64"]
    return [*argv, _HERE / "snug.nsi"]


def check_parts(files: Iterable[PurePath]) -> None:
    """Raises `SetupError`: what is no part would be left behind, or missing in an upgrade."""
    found = {file.parts[0] for file in files}
    if found != set(PARTS):
        msg = f"the installer for Windows knows {', '.join(PARTS)}, not {', '.join(sorted(found))}"
        raise SetupError(msg)


def install_list(payload: Path, files: Iterable[PurePath]) -> str:
    """NSIS commands that write every file, and first the list of all. What is packed already is
    not packed again."""
    lines = [f'SetOutPath "{_in_stage(PurePath(_INSIDE))}"', 'File "${LISTS}\\installed.txt"']
    folder, packing = PurePath(_INSIDE), True
    for file in files:
        if file.parent != folder:
            folder = file.parent
            lines.append(f'SetOutPath "{_in_stage(folder)}"')
        if packing == (file.suffix in _PACKED_ALREADY):
            packing = not packing
            lines.append(f"SetCompress {'auto' if packing else 'off'}")
        lines.append(f'File "{payload / file}"')
    return "\n".join([*lines, "SetCompress auto"]) + "\n"


def installed_list(files: Iterable[PurePath]) -> str:
    """What `swap.nsh` reads: every file, then every folder below the parts with a backslash at its
    end, the deepest first."""
    listed = list(files)
    folders = {folder for file in listed for folder in file.parents if len(folder.parts) > 1}
    deepest_first = sorted(folders, key=lambda folder: (-len(folder.parts), folder.as_posix()))
    lines = [str(PureWindowsPath(file)) for file in listed]
    lines += [f"{PureWindowsPath(folder)}\\" for folder in deepest_first]
    return "".join(f"{line}\r\n" for line in lines)


def longest(files: Iterable[PurePath]) -> int:
    """Letters that the longest path has behind the program's own folder, while it is unpacked."""
    return max(len(str(file)) for file in files) + _WHILE_UNPACKING


def _in_stage(folder: PurePath) -> str:
    inside = str(PureWindowsPath(folder)) if folder.parts else ""
    return "${NEW}" + (f"\\{_quoted(inside)}" if inside else "")


def _quoted(path: str) -> str:
    """Dollar signs are variables to NSIS."""
    return path.replace("$", "$$")


def _payload(frozen: Path, target: Path) -> Path:
    if SYSTEM == "win32":
        return frozen
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(frozen, target)  # links become files: Windows has none
    (target / "snug").rename(target / PROGRAM)
    return target
