"""The starter model is found by place and size, and only when it is whole."""

from pathlib import Path

import pytest

from app import paths, starter


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shared"
    folder.mkdir()
    monkeypatch.setattr(starter, "shared_models", lambda: folder)
    return folder


def put(folder: Path, size_bytes: int | None = None) -> Path:
    """A file of the right size (or another), without its gigabytes."""
    facts = starter.read_manifest()
    folder.mkdir(exist_ok=True)
    path = folder / facts.file
    with path.open("wb") as file:
        file.truncate(facts.size_bytes if size_bytes is None else size_bytes)
    return path


def test_nothing_is_found_where_nothing_is(snug_home: Path, shared: Path) -> None:
    assert starter.find_starter(paths.find()) is None


def test_the_shared_one_is_found(snug_home: Path, shared: Path) -> None:
    path = put(shared)
    assert starter.find_starter(paths.find()) == path


def test_the_persons_own_copy_comes_first(snug_home: Path, shared: Path) -> None:
    put(shared)
    own = put(snug_home / "models")
    assert starter.find_starter(paths.find()) == own


def test_half_a_file_is_not_a_model(snug_home: Path, shared: Path) -> None:
    put(snug_home / "models", size_bytes=1000)
    whole = put(shared)
    assert starter.find_starter(paths.find()) == whole


def test_the_manifest_names_a_free_model(snug_home: Path) -> None:
    facts = starter.read_manifest()
    assert facts.licence == "Apache-2.0"
    assert facts.recommended_context_length <= facts.context_length


def test_the_real_file_is_the_manifests(starter_model: Path) -> None:
    import hashlib

    with starter_model.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    assert digest == starter.read_manifest().sha256
