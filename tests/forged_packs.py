"""Packs for tests: made by the real builder and signer, and ZIPs of any sorry kind, byte by byte.

Keys are made here and end with the process.
"""

import hashlib
import io
import shutil
import stat
import subprocess
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from struct import pack

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.packs.install import GGML_API, Importer
from engine.packs.store import Shelf
from packs import build, sign

BUILD = "9.9.9-linux-x86_64-0123456789ab"
SOURCE = Path(__file__).resolve().parents[1] / "packaging" / "native" / "build_id.c"
REGULAR = (stat.S_IFREG | 0o644) << 16
KEY = Ed25519PrivateKey.generate()
KEYS = {sign.key_id(KEY): sign.public_bytes(KEY)}
A_DEVICE = {"devices": [{"backend": "cuda", "name": "CUDA0", "kind": "gpu"}], "opinions": []}


@cache
def compiled(build_id: str = BUILD) -> bytes:
    """A library that carries the id as ours do, and does nothing."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "plugin.so"
        words = f'-DSNUG_BUILD_ID="{build_id}"'
        subprocess.run([compiler, "-shared", "-fPIC", words, SOURCE, "-o", library], check=True)
        return library.read_bytes()


def facts(**others: object) -> build.Facts:
    plain = build.Facts(
        version="1.0",
        pack_id="cuda13",
        backend="cuda",
        build_id=BUILD,
        system="linux",
        architecture="x86_64",
        licence="NVIDIA CUDA EULA",
        created="2026-11-29T12:00:00Z",
        min_driver="580.65",
        first=("libcudart.so.13", "libcublasLt.so.13"),
    )
    return replace(plain, **others)  # type: ignore[arg-type]


def contents(text: str = "runtime", build_id: str = BUILD) -> dict[str, bytes]:
    """What is in a good pack. `text` makes two of them differ."""
    return {
        "libcudart.so.13": f"{text} 1".encode() * 50,
        "libcublasLt.so.13": f"{text} 2".encode() * 5000,
        "libggml-cuda.so": compiled(build_id),
        "licences/EULA.txt": b"You may.\n",
    }


def made(scratch: Path, files: Mapping[str, bytes], **others: object) -> Path:
    """A pack by the real builder and the real signer."""
    folder = scratch / "content"
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return sign.sign(build.build(folder, facts(**others), scratch), KEY)


def importer(folder: Path, **others: object) -> Importer:
    """What imports into `folder`, with a child that finds a device."""
    plain = Importer(
        shelf=Shelf(folder=folder, build_id=BUILD, keys=KEYS),
        system="linux",
        architecture="x86_64",
        probe=lambda _: A_DEVICE,
        sleep=lambda _: None,
    )
    return replace(plain, **others)  # type: ignore[arg-type]


# --- ZIPs byte by byte --------------------------------------------------------------------------


@dataclass(kw_only=True)
class Entry:
    """A file in a ZIP. What is None is said as it is; anything else is said instead."""

    name: bytes
    data: bytes
    method: int = 8
    flags: int = 0
    attributes: int = REGULAR
    raw: bytes | None = None
    """The bytes in the archive, in place of the compressed data."""
    size: int | None = None
    name_beside: bytes | None = None
    size_beside: int | None = None
    extra: bytes = b""
    starts_at: int | None = None


@dataclass(kw_only=True)
class Zip:
    entries: list[Entry] = field(default_factory=list)
    before: bytes = b""
    gap: bytes = b""
    """Between the files and their list."""
    comment: bytes = b""
    count: int | None = None
    disk: int = 0
    big: bool = False

    def written(self) -> bytes:
        out, listed = io.BytesIO(), b""
        out.write(self.before)
        for entry in self.entries:
            at = out.tell() if entry.starts_at is None else entry.starts_at
            beside, in_list = _headers(entry, at)
            listed += in_list
            if entry.starts_at is None:
                out.write(beside + _packed(entry))
        out.write(self.gap)
        list_at = out.tell()
        big = pack("<4sLQL", b"PK\6\7", 0, 0, 1) if self.big else b""
        count = len(self.entries) if self.count is None else self.count
        end = pack(
            "<4s4H2LH",
            b"PK\5\6", self.disk, 0, count, count, len(listed), list_at, len(self.comment),
        )  # fmt: skip
        return out.getvalue() + listed + big + end + self.comment


def _packed(entry: Entry) -> bytes:
    if entry.raw is not None:
        return entry.raw
    if entry.method != 8:
        return entry.data
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return packer.compress(entry.data) + packer.flush()


def _headers(entry: Entry, at: int) -> tuple[bytes, bytes]:
    size = len(entry.data) if entry.size is None else entry.size
    size_beside = size if entry.size_beside is None else entry.size_beside
    name = entry.name if entry.name_beside is None else entry.name_beside
    crc, packed = zlib.crc32(entry.data), len(_packed(entry))
    start = (20, entry.flags, entry.method, 0, 0x21, crc, packed)
    beside = pack("<4s5H3L2H", b"PK\3\4", *start, size_beside, len(name), 0) + name
    listed = pack(
        "<4s6H3L5H2L",
        b"PK\1\2", 0x314, *start, size, len(entry.name), len(entry.extra), 0, 0, 0,
        entry.attributes, at,
    )  # fmt: skip
    return beside, listed + entry.name + entry.extra


def signed(files: Mapping[str, bytes], manifest: bytes, key: Ed25519PrivateKey = KEY) -> Zip:
    """A ZIP as a pack is, with any manifest, rightly signed."""
    ours = {"manifest.json": manifest, "manifest.sig": sign.signature_of(manifest, key)}
    everything = (ours | dict(files)).items()
    return Zip(entries=[Entry(name=name.encode(), data=data) for name, data in everything])


def manifest_of(files: Mapping[str, bytes], **others: object) -> dict[str, object]:
    """What a manifest of these files holds; `others` say something else."""
    said = {
        "schema": 1,
        "pack_id": "cuda13",
        "backend": "cuda",
        "build_id": BUILD,
        "ggml_api": GGML_API,
        "os": "linux",
        "arch": "x86_64",
        "min_driver": "580.65",
        "licence": "NVIDIA CUDA EULA",
        "created": "2026-11-29T13:00:00Z",
        "files": [
            {"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in files.items()
        ],
    }
    return said | others
