"""One version, said in three places: pyproject.toml, CHANGELOG.md and the tag."""

import re
from datetime import date
from pathlib import Path

from devenv.errors import SetupError
from devenv.places import ROOT
from freeze import metadata

CHANGELOG = ROOT / "CHANGELOG.md"
PROJECT = ROOT / "pyproject.toml"
_NEXT = "## Unreleased"
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_HEADING = re.compile(r"^## (?P<name>.+)$", re.MULTILINE)
_LINE = re.compile(r'^version = "[^"]+"$', re.MULTILINE)


def current() -> str:
    return metadata.project()["version"]


def check(tag: str, changelog: str, version: str) -> None:
    """Raises `SetupError` unless `tag` is "v" and the version, and the changelog has words for it
    above those of every other version."""
    if tag != f"v{version}":
        msg = f"the tag is {tag}, but pyproject.toml says {version}: it has to be v{version}"
        raise SetupError(msg)
    found = [heading["name"] for heading in _HEADING.finditer(changelog)]
    released = [name for name in found if name != _NEXT.removeprefix("## ")]
    if not released or released[0].split()[0] != version:
        msg = f"CHANGELOG.md has no “## {version}” above the other versions"
        raise SetupError(msg)
    notes(changelog, version)


def notes(changelog: str, version: str) -> str:
    """What the changelog says of a version, without its heading. Raises `SetupError`."""
    headings = list(_HEADING.finditer(changelog))
    for number, heading in enumerate(headings):
        if heading["name"].split()[0] == version:
            rest = headings[number + 1 :]
            text = changelog[heading.end() : rest[0].start() if rest else None].strip()
            if text:
                return text + "\n"
    msg = f"CHANGELOG.md says nothing of {version}"
    raise SetupError(msg)


def bump(version: str, on: date, project: Path = PROJECT, changelog: Path = CHANGELOG) -> None:
    """Writes the version into pyproject.toml, and gives what is unreleased its name and date.
    Raises `SetupError` and changes nothing where that makes no sense."""
    if not _VERSION.fullmatch(version):
        msg = f"{version} is no version: three numbers with dots are"
        raise SetupError(msg)
    said, known = changelog.read_text(encoding="utf-8"), project.read_text(encoding="utf-8")
    if said.count(f"{_NEXT}\n") != 1 or len(_LINE.findall(known)) != 1:
        msg = f"CHANGELOG.md needs one “{_NEXT}”, and pyproject.toml one version"
        raise SetupError(msg)
    if re.search(rf"^## {re.escape(version)}\b", said, re.MULTILINE):
        msg = f"CHANGELOG.md has {version} already"
        raise SetupError(msg)
    named = said.replace(f"{_NEXT}\n", f"{_NEXT}\n\n## {version} – {on.isoformat()}\n")
    notes(named, version)
    changed = {changelog: named, project: _LINE.sub(f'version = "{version}"', known)}
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8", newline="\n")  # on Windows too
