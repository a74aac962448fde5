"""Every way we know to bend a pack, with the reason that it is refused for. Most are signed by us,
so that only one thing is wrong about them.
"""

import json
from collections.abc import Callable, Mapping

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.types.packs import PackProblem
from packs import sign
from tests.forged_packs import KEY, REGULAR, Entry, Zip, compiled, contents, manifest_of, signed

P = PackProblem
LINK = (0o120777) << 16
NOBODY = Ed25519PrivateKey.generate()


def text(said: Mapping[str, object]) -> bytes:
    return json.dumps(said).encode()


def good() -> Zip:
    files = contents()
    return signed(files, text(manifest_of(files)))


def with_manifest(**others: object) -> Zip:
    files = contents()
    return signed(files, text(manifest_of(files, **others)))


def with_file(name: str, data: bytes = b"x") -> Zip:
    """Signed by us, so that only the name is wrong."""
    files = contents() | {name: data}
    return signed(files, text(manifest_of(files)))


def added(entry: Entry) -> Zip:
    """To a pack that is good otherwise, without the key."""
    archive = good()
    archive.entries.append(entry)
    return archive


def listing(entry: Mapping[str, object]) -> Zip:
    files = contents()
    said = manifest_of(files)
    return signed(files, text(said | {"files": [*said["files"], entry]}))  # type: ignore[misc]


def with_entry(name: str, **changes: object) -> Zip:
    """A good pack with something wrong about one of its files in the archive."""
    archive = good()
    entry = next(entry for entry in archive.entries if entry.name == name.encode())
    for key, value in changes.items():
        setattr(entry, key, value)
    return archive


def with_archive(**changes: object) -> Zip:
    archive = good()
    for key, value in changes.items():
        setattr(archive, key, value)
    return archive


def swapped(first: int, second: int) -> Zip:
    archive = good()
    entries = archive.entries
    entries[first], entries[second] = entries[second], entries[first]
    return archive


def without(name: str) -> Zip:
    archive = good()
    archive.entries = [entry for entry in archive.entries if entry.name != name.encode()]
    return archive


def signature_from_elsewhere() -> Zip:
    """A true signature by a true key, of another manifest."""
    other = sign.signature_of(b"{}", KEY)
    return with_entry("manifest.sig", data=other)


def twice_in_json() -> Zip:
    files = contents()
    said = text(manifest_of(files)).replace(b'"os": "linux"', b'"os": "linux", "os": "windows"')
    return signed(files, said)


def twice_in_the_archive() -> Zip:
    return added(Entry(name=b"licences/EULA.txt", data=b"You may not."))


def same_bytes_under_two_entries() -> Zip:
    archive = good()
    first = archive.entries[2]
    archive.entries.append(
        Entry(name=first.name, data=first.data, starts_at=_place_of(archive, first))
    )
    return archive


def _place_of(archive: Zip, entry: Entry) -> int:
    return archive.written().index(b"PK\3\4", _length_before(archive, entry))


def _length_before(archive: Zip, entry: Entry) -> int:
    at = archive.entries.index(entry)
    alone = Zip(entries=archive.entries[:at]).written()
    return alone.index(b"PK\1\2")


def bomb() -> Zip:
    """Lists few bytes and unpacks to millions."""
    archive = good()
    entry = archive.entries[2]
    said = len(entry.data)
    entry.data, entry.size, entry.size_beside = bytes(5_000_000), said, said
    return archive


TAMPERED: dict[str, tuple[Callable[[], Zip | bytes], PackProblem]] = {
    # the file
    "an empty file": (lambda: b"", P.NOT_A_PACK),
    "a text": (lambda: b"I am a pack, believe me. " * 20, P.NOT_A_PACK),
    "half of it": (lambda: good().written()[:1000], P.CUT_OFF),
    "its last byte missing": (lambda: good().written()[:-1], P.EXTRA_DATA),
    "a byte behind it": (lambda: good().written() + b"!", P.EXTRA_DATA),
    "a program before it": (lambda: b"MZ" * 50 + good().written(), P.EXTRA_DATA),
    "a program before it, offsets moved": (lambda: with_archive(before=b"MZ"), P.EXTRA_DATA),
    "something before its list": (lambda: with_archive(gap=b"hidden"), P.EXTRA_DATA),
    "a comment": (lambda: with_archive(comment=b"PK\3\4"), P.EXTRA_DATA),
    "an extra field": (
        lambda: with_entry("libcudart.so.13", extra=b"\x75\x70\1\0x"), P.EXTRA_DATA),
    "the form for large archives": (lambda: with_archive(big=True), P.BIG_ARCHIVE),
    "the first of two parts": (lambda: with_archive(disk=1), P.ARCHIVE_DAMAGED),
    "more files than listed": (lambda: with_archive(count=9), P.ARCHIVE_DAMAGED),
    "fewer files than listed": (lambda: with_archive(count=5), P.EXTRA_DATA),
    "three hundred files": (
        lambda: Zip(entries=[Entry(name=b"%d" % n, data=b"") for n in range(300)]),
        P.TOO_MANY_FILES),
    "a password": (lambda: with_entry("libcudart.so.13", flags=1), P.ENCRYPTED),
    "bzip2": (lambda: with_entry("libcudart.so.13", method=12), P.UNKNOWN_COMPRESSION),
    "sizes behind the data": (
        lambda: with_entry("libcudart.so.13", flags=8), P.UNKNOWN_COMPRESSION),
    "two names for a file": (
        lambda: with_entry("licences/EULA.txt", name_beside=b"licences/EULA.dll"),
        P.HEADERS_DISAGREE),
    "two sizes for a file": (
        lambda: with_entry("libcudart.so.13", size_beside=1), P.HEADERS_DISAGREE),
    "files over each other": (same_bytes_under_two_entries, P.OVERLAPPING),
    # the manifest and its signature
    "no manifest": (lambda: without("manifest.json"), P.MANIFEST_MISSING),
    "the manifest second": (lambda: swapped(0, 1), P.MANIFEST_MISSING),
    "a huge manifest": (
        lambda: signed({}, b" " * 300_000), P.MANIFEST_TOO_LARGE),
    "a manifest that is a bomb": (
        lambda: with_entry("manifest.json", data=bytes(1_000_000), size=9, size_beside=9),
        P.UNPACKS_LARGER),
    "no signature": (lambda: without("manifest.sig"), P.SIGNATURE_MISSING),
    "the signature last": (lambda: swapped(1, -1), P.SIGNATURE_MISSING),
    "a signature of rubbish": (
        lambda: with_entry("manifest.sig", data=b"trust me\n"), P.SIGNATURE_DAMAGED),
    "two signatures": (
        lambda: with_entry("manifest.sig", data=sign.signature_of(b"{}", KEY) * 2),
        P.SIGNATURE_DAMAGED),
    "a stranger's signature": (
        lambda: signed(contents(), text(manifest_of(contents())), NOBODY), P.UNKNOWN_KEY),
    "a stranger's signature under our key's name": (
        lambda: with_entry(
            "manifest.sig",
            data=sign.signature_of(b"", NOBODY).replace(
                sign.key_id(NOBODY).encode(), sign.key_id(KEY).encode())),
        P.SIGNATURE_WRONG),
    "another manifest's signature": (signature_from_elsewhere, P.SIGNATURE_WRONG),
    "a space more in the manifest": (
        lambda: with_entry("manifest.json", data=text(manifest_of(contents())) + b" "),
        P.SIGNATURE_WRONG),
    "a manifest that is no JSON": (lambda: signed({}, b"{"), P.MANIFEST_DAMAGED),
    "a manifest that is a list": (lambda: signed({}, b"[]"), P.MANIFEST_DAMAGED),
    "a manifest in UTF-16": (lambda: signed({}, "{}".encode("utf-16")), P.MANIFEST_DAMAGED),
    "a manifest nested without end": (lambda: signed({}, b"[" * 200_000), P.MANIFEST_DAMAGED),
    "a manifest of one key more": (lambda: with_manifest(run="setup.sh"), P.MANIFEST_DAMAGED),
    "a size that is no number": (
        lambda: listing({"path": "a", "size": "1", "sha256": "0" * 64}), P.MANIFEST_DAMAGED),
    "a negative size": (
        lambda: listing({"path": "a", "size": -1, "sha256": "0" * 64}), P.MANIFEST_DAMAGED),
    "a size of True": (
        lambda: listing({"path": "a", "size": True, "sha256": "0" * 64}), P.MANIFEST_DAMAGED),
    "a hash in capitals": (
        lambda: listing({"path": "a", "size": 1, "sha256": "A" * 64}), P.MANIFEST_DAMAGED),
    "a build id that leads elsewhere": (
        lambda: with_manifest(build_id="../.."), P.MANIFEST_DAMAGED),
    "a pack id that leads elsewhere": (lambda: with_manifest(pack_id=".."), P.MANIFEST_DAMAGED),
    "no files": (lambda: signed({}, text(manifest_of({}))), P.MANIFEST_DAMAGED),
    "a key that stands there twice": (twice_in_json, P.MANIFEST_AMBIGUOUS),
    "a form from the future": (lambda: with_manifest(schema=2), P.NEWER_FORMAT),
    # who it is for
    "for Windows": (lambda: with_manifest(os="windows"), P.OTHER_SYSTEM),
    "for another processor": (lambda: with_manifest(arch="arm64"), P.OTHER_PROCESSOR),
    "for another build": (lambda: with_manifest(build_id="9.9.8"), P.OTHER_BUILD),
    "for another interface": (lambda: with_manifest(ggml_api=3), P.OTHER_INTERFACE),
    "more than there is room for": (
        lambda: listing({"path": "a", "size": 1_900_000_000, "sha256": "0" * 64}), P.NO_SPACE),
    # names
    "a way out": (lambda: with_file("../evil.so"), P.NAME_OUTSIDE),
    "a way out on the way": (lambda: with_file("licences/../../evil.so"), P.NAME_OUTSIDE),
    "a way out for Windows": (lambda: with_file("..\\evil.dll"), P.NAME_OUTSIDE),
    "an absolute path": (lambda: with_file("/evil.so"), P.NAME_OUTSIDE),
    "a drive": (lambda: with_file("C:evil.dll"), P.NAME_OUTSIDE),
    "a share": (lambda: with_file("\\\\host\\evil.dll"), P.NAME_OUTSIDE),
    "a way out that is not listed": (
        lambda: added(Entry(name=b"../evil.so", data=b"x")), P.NAME_OUTSIDE),
    "a backslash": (lambda: with_file("licences\\evil.txt"), P.NAME_FORBIDDEN),
    "a zero byte": (lambda: with_file("evil.so\0.txt"), P.NAME_FORBIDDEN),
    "a dot at the end": (lambda: with_file("evil.dll."), P.NAME_FORBIDDEN),
    "a space at the end": (lambda: with_file("evil.dll "), P.NAME_FORBIDDEN),
    "a stream of Windows": (lambda: with_file("EULA.txt:evil"), P.NAME_FORBIDDEN),
    "a hidden file": (lambda: with_file(".ok"), P.NAME_FORBIDDEN),
    "a letter that looks like another": (lambda: with_file("libcud\u0430rt.so"), P.NAME_FORBIDDEN),
    "an empty part": (lambda: with_file("licences//EULA"), P.NAME_FORBIDDEN),
    "a device of Windows": (lambda: with_file("licences/con.txt"), P.NAME_RESERVED),
    "another device of Windows": (lambda: with_file("COM1"), P.NAME_RESERVED),
    "a name without end": (lambda: with_file("n" * 200), P.NAME_TOO_LONG),
    "folders without end": (lambda: with_file("a/b/c/d/e"), P.NAME_TOO_LONG),
    "two names for one on Windows": (lambda: with_file("LIBCUDART.so.13"), P.NAMES_COLLIDE),
    "a file in a file": (lambda: with_file("licences/EULA.txt/more"), P.NAMES_COLLIDE),
    "a manifest of its own": (lambda: with_file("Manifest.json"), P.NAMES_COLLIDE),
    "a file that is listed twice": (
        lambda: listing({"path": "libcudart.so.13", "size": 1, "sha256": "0" * 64}),
        P.LISTED_TWICE),
    "a file that is there twice": (twice_in_the_archive, P.LISTED_TWICE),
    "a file that is there twice, in capitals": (
        lambda: added(Entry(name=b"licences/eula.TXT", data=b"x")), P.NAMES_COLLIDE),
    # the files
    "a link": (lambda: with_entry("libcudart.so.13", attributes=LINK), P.LINK),
    "a pipe": (lambda: with_entry("libcudart.so.13", attributes=0o010644 << 16), P.LINK),
    "a link of Windows": (lambda: with_entry("libcudart.so.13", attributes=0x400), P.LINK),
    "a folder": (lambda: added(Entry(name=b"evil/", data=b"")), P.FOLDER),
    "a file that says it is a folder": (
        lambda: with_entry("libcudart.so.13", attributes=REGULAR | 0x10), P.FOLDER),
    "a library more": (lambda: added(Entry(name=b"version.dll", data=b"x")), P.UNLISTED_FILE),
    "a file less": (lambda: without("libcublasLt.so.13"), P.FILE_MISSING),
    "a shorter file": (lambda: with_entry("libcudart.so.13", data=b"short"), P.SIZE_DIFFERS),
    "a file that ends early": (
        lambda: with_entry("libcudart.so.13", data=b"short", size=450, size_beside=450),
        P.SIZE_DIFFERS),
    "a bomb": (bomb, P.UNPACKS_LARGER),
    "data that is none": (
        lambda: with_entry("libcudart.so.13", raw=b"\xff" * 100), P.DATA_DAMAGED),
    "data without an end": (
        lambda: with_entry("libcublasLt.so.13", raw=b"\x00\x05\x00\xfa\xffhel"), P.DATA_DAMAGED),
    "another file of the same size": (
        lambda: with_entry("libcudart.so.13", data=b"evil...ok" * 50), P.HASH_DIFFERS),
    "a bit less": (
        lambda: with_entry("libggml-cuda.so", data=compiled()[:-1] + b"\1"), P.HASH_DIFFERS),
    # the plug-in
    "no plug-in": (
        lambda: signed({"a.so": b"x"}, text(manifest_of({"a.so": b"x"}))), P.NO_PLUGIN),
    "a plug-in for the processor": (lambda: with_manifest(backend="cpu"), P.NO_PLUGIN),
    "a plug-in of another build": (
        lambda: signed(
            files := contents(build_id="9.9.8-linux-x86_64-0123456789ab"),
            text(manifest_of(files))),
        P.PLUGIN_OTHER_BUILD),
}  # fmt: skip
