"""Imports a pack from a file: looks at everything, unpacks it beside its place, tries it, uses it.

In the order of packaging.md: who signed it, whether it is for us, whether there is room, its names,
sizes and hashes, the build its plug-in was made for; then it goes to its place, a child process
tries it, and `.ok` comes last. Until then what was in use stays in use, and whatever goes wrong,
a kill included, leaves it so. Blocks for seconds to minutes; any thread but the window's.
"""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.backends.plugins import build_id_of
from engine.errors import PackRefused
from engine.packs import changes, disk, manifest, names, signature, stamp, store, unpack
from engine.packs.alone import alone
from engine.packs.archive import Archive, opened
from engine.packs.store import Shelf
from engine.packs.trial import Probe, try_plugin
from engine.types.backends import Plugin
from engine.types.cancel import CancelToken
from engine.types.packs import InstalledPack, Manifest, PackProblem

GGML_API = 2
"""GGML_BACKEND_API_VERSION of the supported llama.cpp (ggml/src/ggml-backend-impl.h)."""
_SPARE = 2
"""Room for so many times what is unpacked: a full disk stops more than an import."""


def free_bytes(folder: Path) -> int:
    """Where `folder` is, or is going to be. Raises `OSError`."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    return shutil.disk_usage(there).free


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """What an import depends on beside the file. `system` and `architecture` are this computer's,
    as manifests spell them."""

    shelf: Shelf
    system: str
    architecture: str
    probe: Probe
    free_bytes: Callable[[Path], int] = free_bytes
    sleep: Callable[[float], None] = time.sleep

    def run(
        self,
        pack: Path,
        heard: unpack.Heard = lambda _done, _total: None,
        cancel: CancelToken | None = None,
    ) -> InstalledPack:
        """The pack, now in use. Raises `PackRefused`, `Cancelled` or `ProgramReplaced`; nothing has
        changed then."""
        with opened(pack) as archive:
            signed = read_signed(archive, self.shelf)
            self._check_purpose(signed.manifest, pack)
            progress = unpack.Progress(
                total_bytes=signed.manifest.size_bytes,
                heard=heard,
                cancel=cancel or CancelToken(),
            )
            with alone(self.shelf.folder, pack):
                changes.clear(self.shelf)
                installed = self._install(archive, signed, progress)
                changes.clear_unfinished(self.shelf)
                return installed

    def look(self, pack: Path) -> Manifest:
        """What a pack for this Snug says of itself. Its files are not read, so that `run` may still
        refuse it. Changes nothing. Raises `PackRefused`."""
        with opened(pack) as archive:
            wanted = read_signed(archive, self.shelf).manifest
            self._check_purpose(wanted, pack)
            return wanted

    def room(self, wanted: Manifest) -> tuple[int, int]:
        """Bytes that have to be free where packs lie, and those that are. Raises `OSError`."""
        return _SPARE * wanted.size_bytes, self.free_bytes(self.shelf.folder)

    def _check_purpose(self, wanted: Manifest, pack: Path) -> None:
        for problem, asked, there in (
            (PackProblem.OTHER_SYSTEM, wanted.system, self.system),
            (PackProblem.OTHER_PROCESSOR, wanted.architecture, self.architecture),
            (PackProblem.OTHER_BUILD, wanted.build_id, self.shelf.build_id),
            (PackProblem.OTHER_INTERFACE, wanted.ggml_api, GGML_API),
        ):
            if asked != there:
                raise PackRefused(pack, problem, f"{asked}, here is {there or 'no build of ours'}")

    def _install(
        self, archive: Archive, signed: "Signed", progress: unpack.Progress
    ) -> InstalledPack:
        self._check_room(archive, signed.manifest)
        unpack.check_members(archive, signed.manifest)
        with _incoming(self.shelf.folder) as fresh:
            unpack.unpack(archive, signed.manifest, fresh, progress)
            signed.write(fresh)
            for path in (fresh, *fresh.rglob("*")):
                disk.close_to_others(path)
            _check_plugin(archive, fresh, signed.manifest)
            place = self._move_in(archive, fresh, signed.manifest)
        try:
            seen = stamp.taken(place, signed.manifest, 0, self.shelf.version)
            self._try(archive, place, signed.manifest)
            progress.add(0)  # the last moment to stop
            return changes.put_to_use(self.shelf, place, signed.manifest, seen, archive.path)
        except BaseException:
            changes.drop(place)
            raise

    def _check_room(self, archive: Archive, wanted: Manifest) -> None:
        needed, free = self.room(wanted)
        if free < needed:
            raise archive.refused(PackProblem.NO_SPACE, f"{needed} bytes needed, {free} free")

    def _move_in(self, archive: Archive, fresh: Path, wanted: Manifest) -> Path:
        place = changes.new_place(self.shelf, wanted, archive.path)
        try:
            changes.move(fresh, place, self.sleep)
        except PermissionError as error:
            raise archive.refused(PackProblem.BLOCKED, str(error)) from error
        return place

    def _try(self, archive: Archive, place: Path, wanted: Manifest) -> None:
        if found := try_plugin(_plugin(archive, place, wanted), wanted, self.probe):
            problem, detail = found
            raise archive.refused(problem, detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A manifest that one of ours signed, and the very bytes that it was read from."""

    manifest: Manifest
    content: bytes
    signature: bytes

    def write(self, folder: Path) -> None:
        (folder / names.MANIFEST).write_bytes(self.content)
        (folder / names.SIGNATURE).write_bytes(self.signature)


def read_signed(archive: Archive, shelf: Shelf) -> Signed:
    """Raises `PackRefused`."""
    content = _first_bytes(archive)
    signed = _signature(archive)
    signature.check_signed(content, signed, shelf.keys, archive.path)
    return Signed(manifest=manifest.parse(content, archive.path), content=content, signature=signed)


def _first_bytes(archive: Archive) -> bytes:
    first = archive.members[0] if archive.members else None
    if first is None or first.name != names.MANIFEST:
        raise archive.refused(PackProblem.MANIFEST_MISSING)
    if first.size_bytes > manifest.LONGEST_BYTES:
        raise archive.refused(PackProblem.MANIFEST_TOO_LARGE, f"{first.size_bytes} bytes")
    return b"".join(archive.content(first))


def _signature(archive: Archive) -> bytes:
    second = archive.members[1] if len(archive.members) > 1 else None
    if second is None or second.name != names.SIGNATURE:
        raise archive.refused(PackProblem.SIGNATURE_MISSING)
    if second.size_bytes > signature.LONGEST_BYTES:
        raise archive.refused(PackProblem.SIGNATURE_DAMAGED, f"{second.size_bytes} bytes")
    return b"".join(archive.content(second))


def _plugin(archive: Archive, folder: Path, wanted: Manifest) -> Plugin:
    plugin = store.plugin_in(folder, wanted)
    if plugin is None:
        raise archive.refused(PackProblem.NO_PLUGIN, wanted.backend)
    return plugin


def _check_plugin(archive: Archive, folder: Path, wanted: Manifest) -> None:
    build_id = build_id_of(_plugin(archive, folder, wanted).path)
    if build_id != wanted.build_id:
        raise archive.refused(PackProblem.PLUGIN_OTHER_BUILD, build_id or "no build of ours")


@contextmanager
def _incoming(folder: Path) -> Iterator[Path]:
    """A new folder on the same disk, gone at the end unless it was moved away."""
    fresh = Path(tempfile.mkdtemp(prefix=store.INCOMING, dir=folder))
    try:
        yield fresh
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
