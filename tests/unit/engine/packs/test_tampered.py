"""Every way we know to bend a pack: each is refused with its own reason, and nothing is left."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.errors import BackendUnusable, EngineCrashed, EngineTimedOut, PackRefused
from engine.guard import lock
from engine.packs import store
from engine.packs.install import Importer
from engine.types.backends import Plugin
from engine.types.packs import PackProblem
from packs import sign
from tests.forged_packs import (
    A_DEVICE,
    KEY,
    REGULAR,
    Entry,
    Zip,
    compiled,
    contents,
    importer,
    made,
    manifest_of,
    signed,
)

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


@dataclass
class Desk:
    """A folder of packs in which one is installed, and is never to change."""

    folder: Path
    scratch: Path
    before: Mapping[Path, tuple[int, int]]

    def refused(self, pack: Path, **others: object) -> PackRefused:
        chosen = importer(self.folder, **others)
        with pytest.raises(PackRefused) as caught:
            chosen.run(pack)
        assert caught.value.path == pack
        assert everything(self.folder) == self.before
        return caught.value

    @property
    def importer(self) -> Importer:
        return importer(self.folder)


def everything(folder: Path) -> dict[Path, tuple[int, int]]:
    return {
        path: (path.stat().st_size, path.stat().st_mtime_ns if path.is_file() else 0)
        for path in folder.rglob("*")
    }


@pytest.fixture(scope="module")
def one_installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    importer(folder).run(made(tmp_path_factory.mktemp("scratch"), contents("first")))
    return folder


@pytest.fixture
def desk(tmp_path: Path, one_installed: Path) -> Desk:
    scratch, folder = tmp_path / "scratch", tmp_path / "backends"
    scratch.mkdir()
    shutil.copytree(one_installed, folder)
    return Desk(folder=folder, scratch=scratch, before=everything(folder))


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_pack_is_refused_with_its_own_reason_and_nothing_is_left(desk, name):
    make, problem = TAMPERED[name]
    content = make()
    pack = desk.scratch / "tampered.pack"
    pack.write_bytes(content if isinstance(content, bytes) else content.written())
    room = {"free_bytes": lambda _: 1_000_000_000}
    assert desk.refused(pack, **room).problem == problem
    used = store.installed(desk.importer.shelf)
    assert [plugin.path.parent.name for plugin in used] == ["1"]
    assert not list(desk.scratch.parent.glob("**/*evil*"))


def test_the_forger_makes_good_packs_too(desk):
    """Otherwise all of the above could be refused for the forger's own mistake."""
    pack = desk.scratch / "good.pack"
    pack.write_bytes(good().written())
    assert desk.importer.run(pack).order == 2


def test_the_reasons_are_many():
    assert len(TAMPERED) > 30
    assert len({problem for _, problem in TAMPERED.values()}) > 30


def test_a_file_that_is_too_large_is_not_read(desk):
    pack = desk.scratch / "sparse.pack"
    with pack.open("wb") as file:
        file.truncate(3_000_000_000)
    assert desk.refused(pack).problem == P.TOO_LARGE


def test_no_file_and_no_pack_at_the_place(desk):
    assert desk.refused(desk.scratch / "nothing.pack").problem == P.NOT_FOUND
    assert desk.refused(desk.scratch).problem == P.NOT_A_PACK
    if hasattr(os, "mkfifo"):
        os.mkfifo(desk.scratch / "pipe")
        assert desk.refused(desk.scratch / "pipe").problem == P.NOT_A_PACK


def raising(error: Exception) -> Callable[[Plugin], Mapping[str, object]]:
    def probe(_: Plugin) -> Mapping[str, object]:
        raise error

    return probe


OLD = {"devices": [], "opinions": [{"driver": "535.12"}]}
TRIALS = {
    "crash": (raising(EngineCrashed("SIGSEGV", "probe")), P.CRASHED),
    "hang": (raising(EngineTimedOut("probe", 30)), P.TIMED_OUT),
    "driver missing": (raising(BackendUnusable("cuda", "not_loadable")), P.NOT_LOADABLE),
    "no process": (raising(OSError("no process")), P.CRASHED),
    "rubbish": (lambda _: {"devices": "many"}, P.CRASHED),
    "no card": (lambda _: {"devices": [], "opinions": []}, P.NO_DEVICE),
    "no card, good driver": (
        lambda _: {"devices": [], "opinions": [{"driver": "580.65.06"}]},
        P.NO_DEVICE,
    ),
    "old driver": (lambda _: OLD, P.DRIVER_TOO_OLD),
}


@pytest.mark.parametrize("name", TRIALS)
def test_a_pack_that_fails_its_trial_is_refused_and_the_one_before_stays(desk, name):
    probe, problem = TRIALS[name]
    pack = made(desk.scratch, contents("second"))
    assert desk.refused(pack, probe=probe).problem == problem


def test_the_trial_is_of_the_files_in_their_place(desk):
    tried: list[Plugin] = []

    def probe(plugin: Plugin) -> Mapping[str, object]:
        tried.append(plugin)
        assert plugin.path.read_bytes() == compiled()
        assert all(path.is_file() for path in plugin.needs)
        assert store.installed(desk.importer.shelf)[0].path != plugin.path
        return A_DEVICE

    pack = importer(desk.folder, probe=probe).run(made(desk.scratch, contents("second")))
    assert [plugin.path.parent for plugin in tried] == [pack.folder]
    assert [path.name for path in tried[0].needs] == ["libcudart.so.13", "libcublasLt.so.13"]


def test_a_scanner_that_lets_go_late_only_takes_time(desk, monkeypatch):
    pauses: list[float] = []
    with _rename_fails(monkeypatch, times=4):
        importer(desk.folder, sleep=pauses.append).run(made(desk.scratch, contents("second")))
    assert pauses == [0.05, 0.1, 0.2, 0.4]


def test_a_scanner_that_never_lets_go_is_a_reason(desk, monkeypatch):
    pauses: list[float] = []
    pack = made(desk.scratch, contents("second"))
    with _rename_fails(monkeypatch, times=1000):
        assert desk.refused(pack, sleep=pauses.append).problem == P.BLOCKED
    assert len(pauses) == 10
    assert sum(pauses) > 10


@contextmanager
def _rename_fails(monkeypatch: pytest.MonkeyPatch, times: int) -> Iterator[None]:
    left = [times]
    rename = Path.rename

    def blocked(self: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(13, "held by another program")
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", blocked)
        yield


def test_another_snug_that_changes_packs_is_waited_for_by_the_person(desk):
    held = lock.take(desk.folder / ".lock")
    assert held is not None
    pack = made(desk.scratch, contents("second"))
    with pytest.raises(PackRefused) as caught:
        desk.importer.run(pack)
    held.release(delete=True)
    assert caught.value.problem == P.ALREADY_BUSY
    assert everything(desk.folder) == desk.before


def test_too_little_room_is_said_before_anything_is_written(desk):
    pack = made(desk.scratch, contents("second"))
    size = sum(len(data) for data in contents("second").values())
    refused = desk.refused(pack, free_bytes=lambda _: 2 * size - 1)
    assert refused.problem == P.NO_SPACE
    assert importer(desk.folder, free_bytes=lambda _: 2 * size).run(pack).order == 2
