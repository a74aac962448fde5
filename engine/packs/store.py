"""The packs that are installed: where they lie, and which of them may be used.

    <folder>/<build id>/<pack id>/<number>/    its files, manifest.json, manifest.sig, and .ok

A pack may be used if its `.ok` is there, its manifest is signed, and its files are still those that
were imported, by size and time; where more of a file is new, all are read again. Of several the one
put to use last counts; the one before it is kept to go back to. Reads few bytes and changes nothing
but the `.ok` of what had to be read again; any thread.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import PackRefused
from engine.packs import disk, hashes, names, signature, stamp
from engine.packs import manifest as manifests
from engine.packs.alone import alone
from engine.packs.keys import Keys
from engine.types.backends import Origin, Plugin
from engine.types.packs import InstalledPack, Manifest, PackState

INCOMING = ".incoming-"
"""How folders begin that are being unpacked; left there by a process that was killed."""
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The folder of all packs, whose signatures count, and the build of the engine that there is
    ("" if it is not one of ours). After a new `version` of Snug all files are read once."""

    folder: Path
    build_id: str
    keys: Keys
    version: str = ""


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
    for build in disk.folders(folder):
        for pack in disk.folders(build):
            yield from (place for place in disk.folders(pack) if _NUMBER.fullmatch(place.name))


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
        state=_state(place, shelf, manifest, mark),
        manifest=manifest,
        order=mark.order if mark else 0,
    )


def _state(
    place: Path, shelf: Shelf, manifest: Manifest | None, mark: stamp.Stamp | None
) -> PackState:
    if place.parts[-3] != shelf.build_id:
        return PackState.OTHER_BUILD
    if mark is None:
        return PackState.UNFINISHED
    if manifest is None:
        return PackState.UNTRUSTED
    same = not stamp.difference(place, manifest, mark) and _is_sure(place, shelf, manifest, mark)
    return PackState.IN_USE if same else PackState.CHANGED


def _is_sure(place: Path, shelf: Shelf, manifest: Manifest, mark: stamp.Stamp) -> bool:
    """What only may have changed is read, once if that can be written down."""
    try:
        if not stamp.is_doubtful(place, manifest, mark, shelf.version):
            return True
        now = stamp.taken(place, manifest, mark.order, shelf.version)
    except OSError:
        return False
    if hashes.read_again(place, manifest)[0] is not hashes.Finding.FINE:
        return False
    with suppress(PackRefused), alone(shelf.folder, place):
        if stamp.read(place) == mark:  # nobody put another pack to use meanwhile
            stamp.write(place, now)
    return True


def believed(place: Path, keys: Keys) -> Manifest | None:
    """The manifest in a folder, if one of `keys` signed it."""
    with suppress(OSError, PackRefused):
        manifest, signed = signed_words(place)
        signature.check_signed(manifest, signed, keys, place)
        return manifests.parse(manifest, place)
    return None


def signed_words(place: Path) -> tuple[bytes, bytes]:
    """The manifest and its signature, as they lie there. Raises `OSError`."""
    return (
        disk.content(place / names.MANIFEST, manifests.LONGEST_BYTES),
        disk.content(place / names.SIGNATURE, signature.LONGEST_BYTES),
    )
