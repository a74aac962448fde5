"""What goes on the stick, and under which names. Copies nothing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from devenv.places import ROOT
from kit.models import KitModel, read_models
from kit.names import KitMistake, check_collisions, check_name, check_size
from release import names

MODELS, PACKS, LICENCES = "models", "packs", "licences"
"""Folders beside the installers: where each of them looks (`installer/windows/snug.nsi`)."""
START = "START-HERE.html"
_SYSTEMS = {
    ".exe": "windows",
    ".dmg": "macos",
    ".deb": "linux",
    ".rpm": "linux",
    ".appimage": "linux",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KitFile:
    """`name` is its place on the stick, with slashes."""

    name: str
    source: Path
    size_bytes: int

    @property
    def kind(self) -> str:
        """ ".deb" and the like."""
        return Path(self.name).suffix.lower()

    @property
    def system(self) -> str:
        """Of an installer: windows, macos or linux."""
        return _SYSTEMS[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Folders to take from: any number each."""

    version: str
    installers: tuple[Path, ...]
    packs: tuple[Path, ...] = ()
    models: tuple[Path, ...] = ()
    exfat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Everything on the stick but the page and the sums."""

    version: str
    installers: tuple[KitFile, ...]
    packs: tuple[KitFile, ...]
    models: tuple[KitModel, ...]
    model_files: tuple[KitFile, ...]
    licences: tuple[KitFile, ...]

    @property
    def files(self) -> tuple[KitFile, ...]:
        return (*self.installers, *self.packs, *self.model_files, *self.licences)


def collect(asked: Asked) -> Contents:
    """Raises `KitMistake` for what can not be on a stick, is not whole, or is not there."""
    installers = _placed(_of_version(_found(asked.installers, _SYSTEMS), asked.version), "")
    if not installers:
        msg = f"there is no installer of Snug {asked.version} in {_folders(asked.installers)}"
        raise KitMistake(msg)
    models = read_models(_found(asked.models, {".gguf"}))
    contents = Contents(
        version=asked.version,
        installers=installers,
        packs=_placed(_of_version(_found(asked.packs, {".pack"}), asked.version), PACKS),
        models=tuple(models),
        model_files=_placed([path for model in models for path in model.files], MODELS),
        licences=_licences(installers, asked.installers),
    )
    _check(contents, exfat=asked.exfat)
    return contents


def _check(contents: Contents, *, exfat: bool) -> None:
    for file in contents.files:
        for part in file.name.split("/"):
            check_name(part)
        check_size(file.source, file.size_bytes, exfat=exfat)
    check_collisions(file.name for file in contents.files)


def _found(folders: Iterable[Path], endings: Iterable[str]) -> list[Path]:
    """Files of these kinds that lie directly in the folders; a link counts as what it leads to."""
    wanted, found = set(endings), []
    for folder in folders:
        if not folder.is_dir():
            msg = f"there is no folder {folder}"
            raise KitMistake(msg)
        for path in sorted(folder.iterdir()):
            if path.suffix.lower() in wanted and not path.name.startswith("."):
                _check_file(path)
                found.append(path)
    return found


def _check_file(path: Path) -> None:
    if not path.exists():
        msg = f"{path} is a link that leads nowhere"
        raise KitMistake(msg)
    if not path.is_file():
        msg = f"{path} is no file"
        raise KitMistake(msg)
    if not path.stat().st_size:
        msg = f"{path} is empty; it was not copied to its end"
        raise KitMistake(msg)


def _of_version(paths: Iterable[Path], version: str) -> list[Path]:
    """Those whose name says so: a folder of installers often holds older ones too, and others."""
    own = re.compile(rf"snug[-_]{re.escape(version)}(?!\.?\d)", re.IGNORECASE)
    return [path for path in paths if own.match(path.name)]


def _placed(paths: Iterable[Path], folder: str) -> tuple[KitFile, ...]:
    prefix = f"{folder}/" if folder else ""
    return tuple(_file(prefix + path.name, path) for path in paths)


def _licences(installers: Iterable[KitFile], folders: Sequence[Path]) -> tuple[KitFile, ...]:
    """Snug's own, and those of all that is in the installers, as `release papers` packs them."""
    found = {path.name: path for path in _found(folders, {".zip"})}
    sources = {"Snug.txt": ROOT / "LICENSE"}
    for name in map(names.licences, sorted({file.system for file in installers})):
        if name not in found:
            msg = (
                f"there is no {name} in {_folders(folders)}; `python3 -m release papers` makes it"
                " of the frozen program"
            )
            raise KitMistake(msg)
        sources[name] = found[name]
    return tuple(_file(f"{LICENCES}/{name}", path) for name, path in sources.items())


def _file(name: str, source: Path) -> KitFile:
    return KitFile(name=name, source=source, size_bytes=source.stat().st_size)


def _folders(folders: Sequence[Path]) -> str:
    return ", ".join(map(str, folders)) or "no folder"
