"""The packs that are installed: where they lie, and which of them may be used.

    <folder>/<build id>/<pack id>/<number>/    its files, manifest.json, manifest.sig, and .ok

A pack may be used if its `.ok` is there, its manifest is signed, and its files are still those that
were imported, by size and time. Of several the one put to use last counts; the one before it is
kept to go back to. Reads few bytes and changes nothing; any thread.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import PackRefused
from engine.packs import manifest as manifests
from engine.packs import names, signature, stamp
from engine.packs.keys import Keys
from engine.types.backends import Origin, Plugin
from engine.types.packs import InstalledPack, Manifest, PackProblem, PackState

INCOMING = ".incoming-"
"""How folders begin that are being unpacked; left there by a process that was killed."""
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_LONGEST_BYTES = max(manifests.LONGEST_BYTES, signature.LONGEST_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The folder of all packs, whose signatures count, and the build of the engine that there is
    ("" if it is not one of ours)."""

    folder: Path
    build_id: str
    keys: Keys


def listed(shelf: Shelf) -> tuple[InstalledPack, ...]:
    """Everything that is there, whatever its state; what was put to use last comes first."""
    found = [_read(place, shelf) for place in _places(shelf.folder)]
    packs: list[InstalledPack] = []
    for pack in sorted(found, key=lambda pack: (-pack.order, pack.pack_id, pack.folder)):
        replaced = any(_is_use_of(other, pack.pack_id) for other in packs)
        older = replaced and pack.state is PackState.IN_USE
        packs.append(replace(pack, state=PackState.PREVIOUS) if older else pack)
    return tuple(packs)


def _is_use_of(pack: InstalledPack, pack_id: str) -> bool:
    return pack.state is PackState.IN_USE and pack.pack_id == pack_id


def installed(shelf: Shelf) -> tuple[Plugin, ...]:
    """The plug-ins of the packs in use, the newest first. Their files are not read."""
    return tuple(
        plugin
        for pack in listed(shelf)
        if pack.state is PackState.IN_USE and pack.manifest is not None
        if (plugin := plugin_in(pack.folder, pack.manifest)) is not None
    )


def plugin_in(folder: Path, manifest: Manifest) -> Plugin | None:
    """The pack's one plug-in; None for none or several. Its build id is what the manifest says:
    the file itself is read for it when the pack is imported."""
    wanted = {f"libggml-{manifest.backend}.so", f"ggml-{manifest.backend}.dll"}
    found = [file.path for file in manifest.files if file.path in wanted]
    if len(found) != 1:
        return None
    return Plugin(
        backend=manifest.backend,
        path=folder.absolute() / found[0],
        origin=Origin.PACK,
        build_id=manifest.build_id,
        needs=libraries(folder, manifest, but=found[0]),
    )


def libraries(folder: Path, manifest: Manifest, *, but: str = "") -> tuple[Path, ...]:
    """What the plug-in needs, in the order in which it has to be loaded: Windows looks for it
    anywhere but beside the plug-in."""
    paths = (file.path for file in manifest.files if file.path != but)
    return tuple(
        folder.absolute().joinpath(*path.split("/"))
        for path in paths
        if stamp.LIBRARY.fullmatch(path)
    )


# --- one folder ---------------------------------------------------------------------------------


def _places(folder: Path) -> Iterator[Path]:
    """The folders of packs. Links are not followed."""
    for build in _folders(folder):
        for pack in _folders(build):
            yield from (place for place in _folders(pack) if _NUMBER.fullmatch(place.name))


def _folders(folder: Path) -> list[Path]:
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return []
    return [path for path in paths if path.is_dir() and not path.is_symlink()]


def _read(place: Path, shelf: Shelf) -> InstalledPack:
    build_id, pack_id = place.parts[-3:-1]
    manifest = believed(place, shelf.keys)
    if manifest and (manifest.build_id, manifest.pack_id) != (build_id, pack_id):
        manifest = None  # it was moved here
    mark = stamp.read(place)
    return InstalledPack(
        pack_id=pack_id,
        build_id=build_id,
        folder=place,
        state=_state(place, build_id == shelf.build_id, manifest, mark),
        manifest=manifest,
        order=mark.order if mark else 0,
    )


def _state(
    place: Path, is_ours: bool, manifest: Manifest | None, mark: stamp.Stamp | None
) -> PackState:
    if not is_ours:
        return PackState.OTHER_BUILD
    if mark is None:
        return PackState.UNFINISHED
    if manifest is None:
        return PackState.UNTRUSTED
    return PackState.CHANGED if stamp.difference(place, manifest, mark) else PackState.IN_USE


def believed(place: Path, keys: Keys) -> Manifest | None:
    """The manifest in a folder, if one of `keys` signed it."""
    with suppress(OSError, PackRefused):
        manifest, signed = (_content(place / name) for name in (names.MANIFEST, names.SIGNATURE))
        signature.check_signed(manifest, signed, keys, place)
        return manifests.parse(manifest, place)
    return None


def _content(path: Path) -> bytes:
    """Raises `OSError` or `PackRefused`."""
    if path.stat().st_size > _LONGEST_BYTES:
        raise PackRefused(path, PackProblem.MANIFEST_TOO_LARGE)
    return path.read_bytes()
