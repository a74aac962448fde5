"""What is remembered of model files: as long as they stay the same, and never as an error."""

import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.models.library import scan as scanning
from engine.models.library.cache import ScanCache
from engine.models.library.findings import Finding, dump_finding, find_out, load_finding
from engine.models.library.groups import Candidate
from engine.models.library.scan import Place, scan
from engine.models.library.walk import look
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel, Owner, Trouble
from tests import ggufs
from tests.onnx_model import TINY_ONNX
from tests.split_gguf import split


class Library:
    """A folder of one model, looked at again and again; `read` are the paths that were opened."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.file = tmp_path / "models", tmp_path / "data" / "cache.json"
        self.folder.mkdir()
        self.model = self.folder / "m.gguf"
        self.model.write_bytes(ggufs.chat({"general.name": "First"}))
        self.read: list[Path] = []
        monkeypatch.setattr(scanning, "find_out", self._count)

    def _count(self, candidate: Candidate) -> Finding | None:
        self.read.append(candidate.path)
        return find_out(candidate)

    def look(self) -> list[InstalledModel]:
        cache = ScanCache(self.file)
        found = scan([Place(self.folder, Owner.SNUG)], cache, CancelToken())
        cache.save()
        return list(found)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    return Library(tmp_path, monkeypatch)


def test_a_header_is_read_once(library: Library) -> None:
    first = library.look()
    assert library.look() == first
    assert library.read == [library.model]


@pytest.mark.parametrize("what", ["size", "time", "file"])
def test_a_changed_file_is_read_anew(library: Library, what: str) -> None:
    library.look()
    state = library.model.stat()
    new = ggufs.chat({"general.name": "Other" if what != "size" else "Much " * 20})
    if what == "file":
        fresh = library.folder / "fresh"
        fresh.write_bytes(new)
        fresh.replace(library.model)
    else:
        library.model.write_bytes(new)
    if what != "time":
        os.utime(library.model, ns=(state.st_atime_ns, state.st_mtime_ns))
    (found,) = library.look()
    assert found.name != "First"
    assert len(library.read) == 2


def test_a_part_that_changes_is_seen(library: Library, tmp_path: Path) -> None:
    library.model.unlink()
    whole = tmp_path / "whole.gguf"
    whole.write_bytes(ggufs.chat())
    parts = split(whole, library.folder, 2)
    library.look()
    library.look()
    assert len(library.read) == 1
    os.utime(parts[1], ns=(0, 0))
    library.look()
    parts[1].unlink()
    (found,) = library.look()
    assert found.trouble is Trouble.PARTS_MISSING
    assert len(library.read) == 3


def test_troubles_are_remembered_too(library: Library) -> None:
    library.model.write_bytes(ggufs.chat()[:100])
    assert [library.look()[0].trouble for _ in range(3)] == [Trouble.CUT_OFF] * 3
    assert len(library.read) == 1


def _edited(change: str) -> bytes:
    return json.dumps({"version": 1, "models": {"a": json.loads(change)}}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff" * 100,
        b"[" * 100_000,
        b'{"version": 2, "models": {}}',
        b'{"version": 1, "models": []}',
        b'{"version": 1}',
        _edited("3"),
        _edited("{}"),
    ],
)
def test_a_damaged_memory_is_begun_anew(library: Library, content: bytes) -> None:
    library.file.parent.mkdir()
    library.file.write_bytes(content)
    assert library.look()[0].usable
    assert library.look()[0].usable
    assert len(library.read) == 1


def test_a_damaged_entry_costs_one_reading(library: Library) -> None:
    library.look()
    content = json.loads(library.file.read_bytes())
    for field, value in (("size_bytes", "7"), ("kind", "unheard"), ("problems", 3), ("part", True)):
        entry = json.loads(json.dumps(content))
        entry["models"][str(library.model)]["facts"][field] = value
        library.file.write_text(json.dumps(entry))
        library.read.clear()
        assert library.look()[0].usable
        assert len(library.read) == 1


def test_what_can_not_be_written_is_no_error(library: Library) -> None:
    library.file.parent.write_bytes(b"a file where a folder should be")
    assert library.look()[0].usable
    assert library.look()[0].usable
    assert len(library.read) == 2


def test_nothing_is_written_where_nothing_is_new(library: Library) -> None:
    library.look()
    before = library.file.stat()
    library.look()
    assert library.file.stat().st_ino == before.st_ino
    assert [path.name for path in library.file.parent.iterdir()] == [library.file.name]


def test_a_reader_never_sees_half_of_it(library: Library) -> None:
    library.look()
    end, broken = threading.Event(), []

    def read() -> None:
        while not end.is_set():
            try:
                json.loads(library.file.read_bytes())
            except ValueError as error:
                broken.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(50):
            os.utime(library.model, ns=(0, number))
            library.look()
    finally:
        end.set()
        reader.join()
    assert not broken


@pytest.mark.parametrize(
    "content", [ggufs.chat(), ggufs.chat(without=["general.name"]), b"nothing"]
)
def test_a_finding_survives_the_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    file = look(path)
    assert file is not None
    finding = find_out(Candidate(path=path, files=(file,)))
    assert finding is not None
    assert load_finding(json.loads(json.dumps(dump_finding(finding)))) == finding


def test_an_onnx_finding_survives_the_file(tmp_path: Path) -> None:
    (found,) = scan([Place(TINY_ONNX, Owner.PERSON)], ScanCache(None), CancelToken())
    finding = Finding(facts=found.facts)
    assert load_finding(json.loads(json.dumps(dump_finding(finding)))) == finding


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)


@given(st.dictionaries(st.sampled_from(["stamp", "trouble", "facts"]), _JSON))
def test_any_entry_is_a_finding_or_none(entry: dict[str, object]) -> None:
    cache = ScanCache(None)
    cache._models = {"m": entry}
    assert isinstance(cache.last(Path("m")), Finding | None)
    assert isinstance(cache.get(Path("m"), (1,)), Finding | None)
