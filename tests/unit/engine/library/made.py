"""Models as the library lists them, made of small files, and places that fail."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from engine.models.library.manifest import read_manifest
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel, Owner
from engine.types.models import ModelFormat
from tests import ggufs

SMALL = ggufs.chat()
OTHER = ggufs.chat({"general.name": "Another"})


def model_of(
    files: Mapping[str, bytes],
    folder: Path,
    *,
    name: str = "Tiny",
    owner: Owner = Owner.SNUG,
    projector: str = "",
    missing: tuple[str, ...] = (),
    format: ModelFormat = ModelFormat.GGUF,  # noqa: A002 - as the field is called
) -> InstalledModel:
    """Its files, written into `folder`; the first is what would be loaded."""
    for inner, content in files.items():
        path = folder / inner
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    paths = tuple(folder / inner for inner in files)
    return InstalledModel(
        id="id",
        name=name,
        path=folder if format is ModelFormat.ONNX else paths[0],
        files=paths,
        size_bytes=sum(map(len, files.values())),
        owner=owner,
        format=format,
        facts=None,
        projector=folder / projector if projector else None,
        missing=missing,
        manifest=read_manifest(folder),
    )


def file_model(path: Path, owner: Owner = Owner.SNUG, name: str = "Tiny") -> InstalledModel:
    """Of a file that is there."""
    return InstalledModel(
        id="id",
        name=name,
        path=path,
        files=(path,),
        size_bytes=path.stat().st_size,
        owner=owner,
        format=ModelFormat.GGUF,
        facts=None,
    )


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def content_of(folder: Path) -> dict[str, bytes]:
    """Every file below, by its name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


class Told(list[float]):
    """A progress that a person could have seen."""

    def __call__(self, done: float) -> None:
        self.append(done)

    @property
    def is_sound(self) -> bool:
        return self == sorted(self) and self[0] == 0.0 and self[-1] == 1.0


class CancelledAfter(CancelToken):
    """Is cancelled once it was asked `looks` times."""

    __slots__ = ("_looks",)

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._looks = looks

    @property
    def cancelled(self) -> bool:
        self._looks -= 1
        return self._looks < 0


@contextmanager
def unreadable(path: Path) -> Iterator[None]:
    """Root may read everything: so the entry becomes a link to itself, which nobody can follow."""
    kept = path.with_name(f"{path.name}-kept")
    path.rename(kept)
    path.symlink_to(path.name)
    yield
    path.unlink()
    kept.rename(path)
