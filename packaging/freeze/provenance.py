"""What PyInstaller collected: without what nobody needs any more, and where each file came from.

Runs inside PyInstaller (`snug.spec`); only `read` is used outside.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from devenv.places import SYSTEM
from freeze import elf, macho

Entry = tuple[str, str, str]
"""PyInstaller's: place in the program, source (of a link its target), kind."""

_LINK = "SYMLINK"
_PYTHON = "libpython"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """`modules` are dotted names with the file of each, `files` places with the source of each."""

    modules: dict[str, str]
    files: dict[str, str]


def read(path: Path) -> Collected:
    facts = json.loads(path.read_text(encoding="utf-8"))
    return Collected(modules=facts["modules"], files=facts["files"])


def write(path: Path, pure: Iterable[Entry], *others: Iterable[Entry]) -> None:
    facts = {
        "modules": {name: source for name, source, _ in pure},
        "files": {
            place: source for entries in others for place, source, kind in entries if kind != _LINK
        },
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(facts, indent=1, sort_keys=True), encoding="utf-8")


def without_orphans(entries: Sequence[Entry]) -> list[Entry]:
    """Without the system's libraries that only dropped parts needed, and links to nowhere."""
    return needed_only(entries, _needs)


def _needs(source: str) -> set[str]:
    """On Linux PyInstaller would name what those libraries need too, dropped ones among them."""
    if SYSTEM == "linux":
        file = Path(source).resolve()
        return set(elf.needs_of(file).libraries) if elf.is_elf(file) else set()
    if SYSTEM == "darwin":
        return mac_needs(Path(source).resolve())
    from PyInstaller.depend import bindepend  # noqa: PLC0415 - only there in a build

    return {name for name, _ in bindepend.get_imports(source)}


def mac_needs(file: Path) -> set[str]:
    """Names alone: PyInstaller makes every other library be found by its name."""
    if not macho.is_macho(file):
        return set()
    asked = (name for part in macho.slices(file) for name in (*part.libraries, *part.optional))
    return {PurePath(name).name for name in asked}


def needed_only(entries: Sequence[Entry], needs: Callable[[str], set[str]]) -> list[Entry]:
    """`needs` names the libraries that a file links to. What lies in a folder of a package was
    asked for; what lies beside Python came along and has to be needed by something that stays."""
    by_name = {PurePath(entry[0]).name: entry for entry in entries if _came_along(entry)}
    wanted = {entry[0] for entry in entries if not _came_along(entry) and entry[2] != _LINK}
    waiting = [entry[1] for entry in entries if entry[0] in wanted]
    while waiting:
        for name in needs(waiting.pop()) & by_name.keys():
            place, source, _ = by_name[name]
            if place not in wanted:
                wanted.add(place)
                waiting.append(source)
    return [entry for entry in entries if entry[0] in wanted or _leads_to(entry, wanted)]


def _came_along(entry: Entry) -> bool:
    place, _, kind = entry
    in_no_folder = len(PurePath(place).parts) == 1
    return kind == "BINARY" and in_no_folder and not place.startswith(_PYTHON)


def _leads_to(entry: Entry, wanted: set[str]) -> bool:
    place, target, kind = entry
    return kind == _LINK and (PurePath(place).parent / target).as_posix() in wanted
