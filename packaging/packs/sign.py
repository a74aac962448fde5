"""Signs packs. Nothing is signed that was not read in full, and that Snug would not take."""

import base64
import hashlib
import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.packs import manifest, names, signature
from engine.packs.archive import Archive, opened
from engine.packs.unpack import check_members
from engine.types.packs import Manifest, PackFile
from packs import writing
from packs.build import UNSIGNED, PackMistake

KEY = "SNUG_PACK_KEY"
"""Environment variable with the private key: 64 hexadecimal digits."""


def new_key(file: Path) -> Ed25519PrivateKey:
    """Made and kept in a file that only its owner reads. An existing file is never replaced."""
    key = Ed25519PrivateKey.generate()
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(key.private_bytes_raw().hex() + "\n")
    return key


def read_key(text: str) -> Ed25519PrivateKey:
    """Raises `PackMistake`, without the text in it."""
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text.strip()))
    except ValueError:
        msg = f"{KEY} is not 64 hexadecimal digits"
        raise PackMistake(msg) from None


def public_bytes(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def key_id(key: Ed25519PrivateKey) -> str:
    return hashlib.sha256(public_bytes(key)).hexdigest()[:16]


def signature_of(content: bytes, key: Ed25519PrivateKey) -> bytes:
    signed = base64.b64encode(key.sign(content)).decode()
    return f"ed25519 {key_id(key)} {signed}\n".encode()


def sign(unsigned: Path, key: Ed25519PrivateKey) -> Path:
    """The signed pack, beside the unsigned one. Raises `PackMistake` or `PackRefused`."""
    if unsigned.suffix != UNSIGNED:
        msg = f"{unsigned.name} does not end with {UNSIGNED}"
        raise PackMistake(msg)
    target = unsigned.with_suffix("")
    with opened(unsigned) as archive:
        content, said = _looked_through(archive)
        members = {member.name: member for member in archive.members}
        signed = signature_of(content, key)
        writing.write(
            target, content, signed, said.files, lambda file: archive.content(members[file.path])
        )
    signature.check_signed(content, signed, {key_id(key): public_bytes(key)}, target)
    with opened(target) as archive:
        check_members(archive, said)
    return target


def _looked_through(archive: Archive) -> tuple[bytes, Manifest]:
    """The manifest, which every byte of the archive agrees with."""
    first = archive.members[0] if archive.members else None
    if first is None or first.name != names.MANIFEST or first.size_bytes > manifest.LONGEST_BYTES:
        msg = f"{archive.path.name} does not begin with its manifest"
        raise PackMistake(msg)
    content = b"".join(archive.content(first))
    said = manifest.parse(content, archive.path)
    check_members(archive, said)
    for file in said.files:
        _check_hash(archive, file)
    return content, said


def _check_hash(archive: Archive, file: PackFile) -> None:
    member = next(member for member in archive.members if member.name == file.path)
    digest = hashlib.sha256()
    for piece in archive.content(member):
        digest.update(piece)
    if digest.hexdigest() != file.sha256:
        msg = f"{file.path} is not what the manifest says"
        raise PackMistake(msg)
