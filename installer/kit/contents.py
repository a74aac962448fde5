"""What goes on the stick, and under which names. Copies nothing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from devenv.places import ROOT
from kit.models import KitModel, read_models
from kit.names import KitMistake, check_collisions, check_name, check_size

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
_OWN_LICENCES = ROOT / "packaging" / "licences"


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
    """Folders to take from: any number each; `licences` is the folder of a frozen program."""

    version: str
    installers: tuple[Path, ...]
    packs: tuple[Path, ...] = ()
    models: tuple[Path, ...] = ()
    licences: Path | None = None
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
        licences=_licences(asked.licences),
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


def _of_version(paths: Iterable[Path], version: str) -> list[Path]:
    """Those whose name says so: a folder of installers often holds older ones too."""
    own = re.compile(rf"(?<![\d.]){re.escape(version)}(?!\.?\d)")
    return [path for path in paths if own.search(path.name)]


def _placed(paths: Iterable[Path], folder: str) -> tuple[KitFile, ...]:
    prefix = f"{folder}/" if folder else ""
    return tuple(
        KitFile(name=prefix + path.name, source=path, size_bytes=path.stat().st_size)
        for path in paths
    )


def _licences(frozen: Path | None) -> tuple[KitFile, ...]:
    """Snug's own, the texts that cover what is in every installer, and those of a frozen program
    where its folder is given."""
    sources = {f"{LICENCES}/Snug.txt": ROOT / "LICENSE"}
    sources |= {f"{LICENCES}/{path.name}": path for path in _OWN_LICENCES.glob("*.txt")}
    if frozen is not None:
        if not frozen.is_dir():
            msg = f"there is no folder {frozen}"
            raise KitMistake(msg)
        found = (path for path in frozen.rglob("*") if path.is_file())
        sources |= {f"{LICENCES}/all/{path.relative_to(frozen).as_posix()}": path for path in found}
    return tuple(
        KitFile(name=name, source=path, size_bytes=path.stat().st_size)
        for name, path in sorted(sources.items())
    )


def _folders(folders: Sequence[Path]) -> str:
    return ", ".join(map(str, folders)) or "no folder"
