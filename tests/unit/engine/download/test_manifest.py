"""What lies beside a model's files can be written, read again, and never believed blindly."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.models.library.filenames import is_file_name
from engine.models.library.manifest import NAME, read_manifest, write_manifest
from engine.types.hub import Hub, HubKind
from engine.types.library import FileRecord, Manifest, Origin

MANIFEST = Manifest(
    name="Gemma 3 4B",
    files=(
        FileRecord(name="gemma.gguf", size_bytes=4_000_000_000, sha256="ab" * 32),
        FileRecord(name="mmproj.gguf", size_bytes=1),
    ),
    origin=Origin(
        hub=Hub(kind=HubKind.HUGGING_FACE, address="https://hub.example"),
        repo="some/model",
        revision="0123abc",
    ),
    licence="gemma",
    quantization="Q4_K_M",
    projector="mmproj.gguf",
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_manifest(tmp_path, MANIFEST)
    assert read_manifest(tmp_path) == MANIFEST
    bare = Manifest(name="小さい", files=(FileRecord(name="onnx/model.onnx", size_bytes=0),))
    write_manifest(tmp_path, bare)
    assert read_manifest(tmp_path) == bare
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_odd_titles_can_be_read_again(tmp_path: Path) -> None:
    write_manifest(tmp_path, replace(MANIFEST, name="two\nlines\u202e\ud800" + "x" * 5000))
    found = read_manifest(tmp_path)
    assert found is not None
    assert found.name == "twolines" + "x" * 992


def test_none_is_none(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) is None
    assert read_manifest(tmp_path / "nowhere") is None
    (tmp_path / NAME).mkdir()
    assert read_manifest(tmp_path) is None


@pytest.mark.skipif(os.name != "posix", reason="pipes and links")
def test_pipes_and_links_are_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    assert read_manifest(tmp_path) is None
    (tmp_path / NAME).unlink()
    write_manifest(tmp_path, MANIFEST)
    (tmp_path / NAME).rename(tmp_path / "elsewhere.json")
    (tmp_path / NAME).symlink_to("elsewhere.json")
    assert read_manifest(tmp_path) is None


def test_a_full_disk_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_manifest(tmp_path, MANIFEST)

    def full(handle: int) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_manifest(tmp_path, replace(MANIFEST, name="another"))
    assert read_manifest(tmp_path) == MANIFEST
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"name": 3},
        {"name": "two\nlines"},
        {"name": "x" * 5000},
        {"files": []},
        {"files": {}},
        {"files": [{"name": "../up.gguf", "size_bytes": 1}]},
        {"files": [{"name": "a.gguf", "size_bytes": -1}]},
        {"files": [{"name": "a.gguf", "size_bytes": True}]},
        {"files": [{"name": "a.gguf", "size_bytes": 1.5}]},
        {"files": [{"name": "a.gguf", "size_bytes": 1, "sha256": "AB" * 32}]},
        {"files": [{"name": "a.gguf", "size_bytes": 1}, {"name": "A.gguf", "size_bytes": 1}]},
        {"origin": {"hub": {"kind": "another", "address": "x"}, "repo": "r", "revision": "1"}},
        {"origin": []},
        {"projector": "not-listed.gguf"},
    ],
)
def test_what_makes_no_sense_is_not_believed(tmp_path: Path, change: dict[str, object]) -> None:
    write_manifest(tmp_path, MANIFEST)
    content = json.loads((tmp_path / NAME).read_text("utf-8"))
    (tmp_path / NAME).write_text(json.dumps({**content, **change}), "utf-8")
    assert read_manifest(tmp_path) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / NAME).write_bytes(data)
    assert read_manifest(tmp_path) is None


def test_deep_and_long_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("[" * 200_000)
    assert read_manifest(tmp_path) is None
    (tmp_path / NAME).write_bytes(b" " * (2 << 20) + b"{}")
    assert read_manifest(tmp_path) is None


@pytest.mark.parametrize(
    "name", ["model.gguf", "Modèle 4B (Q4_K_M).gguf", "onnx/model.onnx", "模型.gguf", "a" * 200]
)
def test_usual_names(name: str) -> None:
    assert is_file_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "", "/", "/etc/passwd", "..", "../a", "a/../b", "a//b", "a/", ".hidden", "a/.b", "C:a",
        "a\\b", "con", "NUL.gguf", "com¹.x", "a.", "a ", " a", "a\0b", "a\nb", "a?", "a*", "\ud800",
        "a" * 201, "é" * 101, "a/b/c/d/e/f/g", "snug-model.json", "SNUG-MODEL.JSON", "a.part",
        "a.journal", "x/a.LOCK",
    ],
)  # fmt: skip
def test_names_that_lead_elsewhere(name: str) -> None:
    assert not is_file_name(name)
