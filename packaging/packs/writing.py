"""Writes the ZIP of a pack: the manifest first, plain, and the same bytes from the same files."""

import hashlib
import json
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from engine.packs import names
from engine.types.packs import Manifest, PackFile

Content = Callable[[PackFile], Iterable[bytes]]

SCHEMA = 1
_CHUNK_BYTES = 1 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest that a ZIP can say: two builds differ in nothing but what is in them."""
_MODE = (stat.S_IFREG | 0o644) << 16


def manifest_bytes(manifest: Manifest) -> bytes:
    """What is signed."""
    files = [
        {"path": file.path, "size": file.size_bytes, "sha256": file.sha256}
        for file in manifest.files
    ]
    content = {
        "schema": SCHEMA,
        "pack_id": manifest.pack_id,
        "backend": manifest.backend,
        "build_id": manifest.build_id,
        "ggml_api": manifest.ggml_api,
        "os": manifest.system,
        "arch": manifest.architecture,
        "min_driver": manifest.min_driver,
        "licence": manifest.licence,
        "created": manifest.created,
        "files": files,
    }
    return json.dumps(content, indent=1, ensure_ascii=True).encode() + b"\n"


def write(
    target: Path, manifest: bytes, signature: bytes, files: Iterable[PackFile], content: Content
) -> None:
    """`signature` is empty for a pack that is still to be signed."""
    ours = [(names.MANIFEST, manifest), (names.SIGNATURE, signature)]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in ours:
            if data:
                _add(archive, name, len(data), [data])
        for file in files:
            _add(archive, file.path, file.size_bytes, content(file))


def _add(archive: zipfile.ZipFile, name: str, size_bytes: int, content: Iterable[bytes]) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = _MODE
    info.file_size = size_bytes
    with archive.open(info, "w") as out:
        for piece in content:
            out.write(piece)


def described(folder: Path, path: Path) -> PackFile:
    """One file of a folder as manifests list it."""
    digest = hashlib.sha256()
    for piece in pieces(path):
        digest.update(piece)
    return PackFile(
        path=path.relative_to(folder).as_posix(),
        size_bytes=path.stat().st_size,
        sha256=digest.hexdigest(),
    )


def pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_CHUNK_BYTES):
            yield piece
