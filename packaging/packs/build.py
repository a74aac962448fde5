"""Makes a pack that is still to be signed out of a folder that holds exactly what goes in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.packs.archive import opened
from engine.packs.install import GGML_API
from engine.packs.manifest import parse
from engine.packs.store import plugin_in
from engine.packs.unpack import check_members
from engine.types.packs import Manifest
from packs import writing

UNSIGNED = ".unsigned"


class PackMistake(Exception):
    """What was asked for would not be a pack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the files do not say of themselves. `first` are the libraries that the plug-in needs,
    in the order in which Windows has to load them."""

    version: str
    pack_id: str
    backend: str
    build_id: str
    system: str
    architecture: str
    licence: str
    created: str
    min_driver: str = ""
    first: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        return f"snug-{self.version}-{self.system}-{self.architecture}-{self.pack_id}.pack"


def build(folder: Path, facts: Facts, into: Path) -> Path:
    """The unsigned pack's file. Raises `PackMistake`, or `PackRefused` for what Snug would not
    take."""
    manifest = _manifest(folder, facts)
    if plugin_in(folder, manifest) is None:
        msg = f"there is no plug-in for {facts.backend} in {folder}"
        raise PackMistake(msg)
    target = into / f"{facts.file_name}{UNSIGNED}"
    content = writing.manifest_bytes(manifest)
    writing.write(
        target, content, b"", manifest.files, lambda file: writing.pieces(folder / file.path)
    )
    with opened(target) as archive:
        check_members(archive, parse(content, target))
    return target


def _manifest(folder: Path, facts: Facts) -> Manifest:
    manifest = Manifest(
        pack_id=facts.pack_id,
        backend=facts.backend,
        build_id=facts.build_id,
        ggml_api=GGML_API,
        system=facts.system,
        architecture=facts.architecture,
        min_driver=facts.min_driver,
        licence=facts.licence,
        created=facts.created,
        files=(),
    )
    paths = _ordered(folder, facts.first)
    return replace(manifest, files=tuple(writing.described(folder, path) for path in paths))


def _ordered(folder: Path, first: Sequence[str]) -> list[Path]:
    """Those named first, then the others by name. Raises `PackMistake`."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    named = [folder / name for name in first]
    for path in [*named, *found]:
        if path not in found or path.is_symlink():
            msg = f"{path} is not there, or a link"
            raise PackMistake(msg)
    return [*named, *(path for path in found if path not in named)]
