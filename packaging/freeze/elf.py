"""What a Linux library asks of the system that loads it, as `objdump -p` tells. Parsing is pure."""

import re
from dataclasses import dataclass
from pathlib import Path

from devenv.commands import output
from devenv.errors import SetupError

_NEEDED = re.compile(r"^\s+NEEDED\s+(\S+)", re.MULTILINE)
_PATHS = re.compile(r"^\s+(?:RPATH|RUNPATH)\s+(\S+)", re.MULTILINE)
_VERSION = re.compile(r"^\s+0x[0-9a-f]+ 0x[0-9a-f]+ \d+ ([A-Z]+)_([0-9.]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """`versions` is the newest of each kind, such as ("GLIBC", (2, 34))."""

    libraries: tuple[str, ...]
    paths: tuple[str, ...]
    versions: tuple[tuple[str, tuple[int, ...]], ...]


def is_elf(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def needs_of(path: Path) -> Needs:
    text = output(["objdump", "-p", path])
    if not text:
        msg = f"objdump (Debian: binutils) can not read {path}"
        raise SetupError(msg)
    return parse(text)


def parse(text: str) -> Needs:
    newest: dict[str, tuple[int, ...]] = {}
    for kind, number in _VERSION.findall(text):
        version = tuple(int(part) for part in number.split("."))
        newest[kind] = max(newest.get(kind, ()), version)
    paths = tuple(part for found in _PATHS.findall(text) for part in found.split(":"))
    return Needs(
        libraries=tuple(_NEEDED.findall(text)), paths=paths, versions=tuple(sorted(newest.items()))
    )
