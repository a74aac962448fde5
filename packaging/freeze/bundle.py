"""The gate's questions to a Mac's bundle: nothing missing, nothing of the builder's, nothing that a
signature would break over. Works on any system.
"""

import plistlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from freeze import macho
from freeze.macho import Role, Slice
from freeze.places import CODE, DATA, executable
from macos import lint
from macos.info import FLOOR

_FROM_SYSTEM = ("/usr/lib/", "/System/Library/")
_HERE = ("@loader_path", "@executable_path")
_IN_CONTENTS = {"Info.plist", "PkgInfo", "MacOS", "Frameworks", "Resources", "_CodeSignature"}
_TICKET = "CodeResources"
"""Where the proof of Apple's check is kept once it was stapled on."""
_MARKED_TOO_NEW = (f"{CODE}/PySide6/", f"{CODE}/shiboken6/")
"""Their builder marks the bindings for macOS 15, in wheels for macOS 13. Loading asks for no mark
but the program's own, as far as is known, and the names that they want of the system look old
(6.11.3, read by eye; no Mac with macOS 13 has tried it)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whole:
    """The bundle, with what every library in it is judged by: its program."""

    folder: Path
    program: Path
    parts: tuple[Slice, ...]

    @property
    def processors(self) -> set[str]:
        return {part.processor for part in self.parts}


def shape(folder: Path) -> Iterator[str]:
    """Code and everything else in their own places, and no link that leads out."""
    for path in sorted((folder / "Contents").iterdir()):
        if path.name not in _IN_CONTENTS | {_TICKET}:
            yield f"{path.relative_to(folder)} has no place in a bundle"
    for path in sorted(folder.rglob("*")):
        where = path.relative_to(folder).as_posix()
        if path.is_symlink():
            if not path.resolve().is_relative_to(folder.resolve()):
                yield f"{where} is a link out of the bundle"
        else:
            yield from _folder(folder, where) if path.is_dir() else _file(path, where)


def lists(folder: Path) -> Iterator[str]:
    """What is wrong with what a Mac is told about the program."""
    path = folder / "Contents" / "Info.plist"
    if not path.is_file():
        yield "there is no Info.plist"
    else:
        yield from lint.problems(plistlib.loads(path.read_bytes()))


def _file(path: Path, where: str) -> Iterator[str]:
    if macho.is_macho(path):
        if where.startswith(f"{DATA}/"):
            yield f"{where} is code among the resources: it would stay unsigned"
    elif _is_code_place(where):
        yield f"{where} is no code: its signature would get lost on the way"


def _folder(folder: Path, where: str) -> Iterator[str]:
    """Signing takes a folder with a dot in its name for a bundle."""
    name = PurePosixPath(where).name
    if where.startswith(f"{CODE}/") and ".framework/" not in f"{where}/" and "." in name:
        yield f"{where} would be taken for a bundle"
    if name.endswith(".framework") and not (folder / where / "Versions" / "Current").is_symlink():
        yield f"{where} has no Versions/Current"


def _is_code_place(where: str) -> bool:
    if ".framework/" in where:
        inner = where.partition(".framework/")[2]
        return "/Resources/" not in inner and "/_CodeSignature/" not in inner
    return where.startswith((f"{CODE}/", "Contents/MacOS/"))


def libraries(folder: Path) -> Iterator[str]:
    """Missing ones, ones for another processor or a newer macOS, and the builder's own places."""
    program = executable(folder)
    if not macho.is_macho(program):
        yield f"{program.relative_to(folder)} is no program of a Mac"
        return
    whole = _Whole(folder=folder, program=program, parts=macho.slices(program))
    for path in sorted(folder.rglob("*")):
        if not macho.is_macho(path):
            continue
        where = path.relative_to(folder).as_posix()
        try:
            parts = macho.slices(path)
        except ValueError as error:
            yield f"{where} can not be read: {error}"
            continue
        yield from _of_file(whole, path, parts)


def _of_file(whole: _Whole, path: Path, parts: tuple[Slice, ...]) -> Iterator[str]:
    where = path.relative_to(whole.folder).as_posix()
    if lacking := whole.processors - {part.processor for part in parts}:
        yield f"{where} is not for {', '.join(sorted(lacking))}"
    if path != whole.program and any(part.role is Role.PROGRAM for part in parts):
        yield f"{where} is a second program: nobody gives it the rights of the first"
    for part in parts:
        if part.processor in whole.processors:
            yield from _of_part(whole, path, part)


def _of_part(whole: _Whole, path: Path, part: Slice) -> Iterator[str]:
    where = path.relative_to(whole.folder).as_posix()
    if part.oldest > FLOOR and not where.startswith(_MARKED_TOO_NEW):
        yield f"{where} needs macOS {'.'.join(map(str, part.oldest))}"
    for place in part.places:
        if not place.startswith(_HERE):
            yield f"{where} looks for libraries in {place}"
    for name in part.libraries:
        if name.startswith("/") and not name.startswith(_FROM_SYSTEM):
            yield f"{where} needs {name}, which only the builder has"
        elif not name.startswith("/") and not _is_there(whole, path, part, name):
            yield f"{where} needs {name}, which is nowhere"


def _is_there(whole: _Whole, path: Path, part: Slice, name: str) -> bool:
    """As the loader looks: @rpath stands for the places of the library, then of the program."""
    if not name.startswith("@rpath/"):
        return _placed(whole, path, name).exists()
    inner = name.removeprefix("@rpath/")
    own = [_placed(whole, path, place) for place in part.places]
    programs = [
        _placed(whole, whole.program, place) for this in whole.parts for place in this.places
    ]
    return any((place / inner).exists() for place in (*own, *programs))


def _placed(whole: _Whole, path: Path, name: str) -> Path:
    """`name` with what @loader_path and @executable_path stand for."""
    loader, program = path.resolve().parent, whole.program.resolve().parent
    return Path(name.replace(_HERE[0], str(loader)).replace(_HERE[1], str(program)))
