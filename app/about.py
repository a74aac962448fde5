"""What Snug is made of, and under which licences: in a packaged program from the folder that
packaging lays beside it, in a checkout from the packages that are installed.

Reads files; not for the window's thread. Asks no network.
"""

import json
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path

from app.paths import RESOURCES

FOLDER = "licences"
INDEX = "index.json"
_ITSELF = "snug"
_NOT_SAID = ("", "NOASSERTION", "UNKNOWN")
_LONGEST_NAME = 80
"""Some say their whole licence where its name should be."""
_LONGEST_BYTES = 4 << 20
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TEXT = re.compile(r"(licen|copying|notice|authors)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """`version` and `licence` are "" where nobody says it in a word; `files` have the texts."""

    name: str
    version: str = ""
    licence: str = ""
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """`parts` are all others, by name. `folder` has all texts; None in a checkout."""

    itself: Part
    parts: tuple[Part, ...]
    folder: Path | None = None


def program_folder() -> Path | None:
    """Where the packaged program lies; None in a checkout."""
    return Path(sys.executable).resolve().parent if getattr(sys, "frozen", False) else None


def read(program: Path | None = None) -> About:
    """`program` is the packaged one's folder, else it is looked for."""
    program = program or program_folder()
    folder = _licences(program) if program is not None else None
    parts = _indexed(folder) if folder is not None else ()
    if not parts:
        folder, parts = None, tuple(_installed())
    others = sorted((part for part in parts if not _is_itself(part)), key=_by_name)
    itself = next(filter(_is_itself, parts), Part(name=_ITSELF))
    return About(itself=_own(itself), parts=tuple(others), folder=folder)


def _by_name(part: Part) -> str:
    return part.name.lower()


def _is_itself(part: Part) -> bool:
    return part.name.lower() == _ITSELF


def _own(found: Part) -> Part:
    """Snug, as this very program knows it."""
    text = RESOURCES.parent / "LICENSE"
    return Part(
        name="Snug",
        version=version(_ITSELF),
        licence=found.licence,
        files=found.files or ((text,) if text.is_file() else ()),
    )


def text_of(part: Part) -> str:
    """All of its texts; "" where none can be read."""
    read_ones = [(file.name, text) for file in part.files if (text := _text(file))]
    if len(read_ones) == 1:
        return read_ones[0][1]
    return "\n\n".join(f"{name}\n{'-' * len(name)}\n\n{text}" for name, text in read_ones)


def _text(file: Path) -> str:
    with suppress(OSError), file.open("rb") as opened:
        data = opened.read(_LONGEST_BYTES)
        return data.decode("utf-8", "replace").replace("\r\n", "\n").strip("\n\f")
    return ""


# --- packaged -----------------------------------------------------------------------------------


def _licences(program: Path) -> Path | None:
    """Beside the program, or where bundles of macOS keep what is no program."""
    places = (program / FOLDER, program.parent / "Resources" / FOLDER)
    return next((place for place in places if (place / INDEX).is_file()), None)


def _indexed(folder: Path) -> tuple[Part, ...]:
    """As packaging wrote it; nothing of what makes no sense."""
    try:
        entries = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    listed = entries if isinstance(entries, list) else []
    parts = (_part(folder, entry) for entry in listed if isinstance(entry, dict))
    return tuple(part for part in parts if part.name)


def _part(folder: Path, entry: Mapping[str, object]) -> Part:
    said = {key: str(entry.get(key) or "") for key in ("name", "version", "licence")}
    files = entry.get("files")
    named = [name for name in files if isinstance(name, str)] if isinstance(files, list) else []
    inside = (folder / name for name in named if ".." not in Path(name).parts)
    return Part(
        name=said["name"],
        version=said["version"] if said["version"][:1].isdigit() else "",
        licence=_named(said["licence"]),
        files=tuple(path for path in inside if path.is_relative_to(folder)),
    )


def _named(licence: str) -> str:
    return "" if licence in _NOT_SAID or len(licence) >= _LONGEST_NAME else licence


# --- a checkout ---------------------------------------------------------------------------------


def _installed() -> Iterator[Part]:
    """Python, and what Snug needs, as far as it is installed."""
    yield Part(name="Python", version=platform.python_version(), licence="PSF-2.0")
    waiting, seen = [_ITSELF], set[str]()
    while waiting:
        name = waiting.pop()
        if _same(name) in seen:
            continue
        seen.add(_same(name))
        with suppress(PackageNotFoundError):
            found = distribution(name)
            waiting += _needed(found)
            yield _package(found)


def _same(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _needed(found: Distribution) -> list[str]:
    lines = (line for line in found.requires or () if "extra ==" not in line)
    return [match[0] for line in lines if (match := _NAME.match(line))]


def _package(found: Distribution) -> Part:
    facts = found.metadata.json
    said = (str(facts.get(key) or "") for key in ("license_expression", "license"))
    files = (file for file in found.files or () if _is_text(file.parts))
    return Part(
        name=str(facts["name"]),
        version=found.version,
        licence=next((name for text in said if (name := _named(text))), ""),
        files=tuple(Path(str(found.locate_file(file))) for file in files),
    )


def _is_text(parts: tuple[str, ...]) -> bool:
    in_facts = any(part.endswith(".dist-info") for part in parts)
    return in_facts and bool(_TEXT.match(parts[-1]))
