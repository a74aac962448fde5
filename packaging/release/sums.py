"""SHA256SUMS: written so that `sha256sum -c` and `shasum -a 256 -c` read it, and read strictly.

Nothing is held in memory: a file is hashed as it is read.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

NAME = "SHA256SUMS"
_CHUNK_BYTES = 1 << 20
_LINE = re.compile(r"(?P<sum>[0-9a-f]{64}) [ *](?P<name>[^\\\0\r\n]+)")
_LITTER = {"system volume information", "$recycle.bin", "lost+found", "thumbs.db", "desktop.ini"}


class SumsMistake(ValueError):
    """What a person has to put right; the text says what."""


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def files_of(folder: Path) -> list[str]:
    """Names below `folder`, with slashes, sorted by their bytes; without the sums themselves and
    without what systems leave on every stick."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    names = (path.as_posix() for path in found if not _is_litter(path))
    return sorted((name for name in names if name != NAME), key=str.encode)


def _is_litter(path: Path) -> bool:
    """Names that begin with a dot are macOS's and Linux's own; we make none."""
    return any(part.startswith(".") or part.lower() in _LITTER for part in path.parts)


def text_of(sums: Mapping[str, str]) -> str:
    """`sums` by name. Raises `SumsMistake` for a name that the format can not hold plainly."""
    for name in sums:
        if not _LINE.fullmatch(f"{'0' * 64}  {name}"):
            msg = f"{name!r} can not be listed in {NAME}; give the file a simpler name"
            raise SumsMistake(msg)
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums, key=str.encode))


def write(folder: Path) -> Path:
    """Of all files. Raises `SumsMistake`."""
    text = text_of({name: sha256_of(folder / name) for name in files_of(folder)})
    target = folder / NAME
    target.write_bytes(text.encode())
    return target


def read(folder: Path) -> dict[str, str]:
    """Sums by name. Raises `SumsMistake` for anything but what `write` writes: a list that is read
    generously can be made to leave files out."""
    try:
        text = (folder / NAME).read_bytes().decode()
    except FileNotFoundError:
        msg = f"there is no {NAME} in {folder}"
        raise SumsMistake(msg) from None
    except ValueError:
        msg = f"{NAME} is damaged: it is not text"
        raise SumsMistake(msg) from None
    sums: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.fullmatch(line)
        if found is None or _leads_away(found["name"]) or found["name"] in sums:
            msg = f"{NAME} is damaged: line {number} makes no sense"
            raise SumsMistake(msg)
        sums[found["name"]] = found["sum"]
    if not sums:
        msg = f"{NAME} is damaged: it lists nothing"
        raise SumsMistake(msg)
    return sums


def _leads_away(name: str) -> bool:
    """Out of the folder, by whatever system reads it."""
    return name.startswith("/") or ":" in name or ".." in name.split("/")


def problems(folder: Path, *, may_be_unlisted: Iterable[str] = ()) -> list[str]:
    """A line for each file that is missing, changed, or there without being listed. Raises
    `SumsMistake` when the list itself is missing or damaged."""
    sums = read(folder)
    there = set(files_of(folder))
    found = [f"{name} is missing" for name in sums if name not in there]
    found += [
        f"{name} has changed or was damaged while it was copied"
        for name, wanted in sums.items()
        if name in there and sha256_of(folder / name) != wanted
    ]
    unlisted = there - sums.keys() - set(may_be_unlisted)
    return sorted(found + [f"{name} is not listed in {NAME}" for name in unlisted])
