"""Models that Ollama keeps: manifests name blobs, which are ordinary GGUF files under their hashes.

Layout: manifest/manifest.go and manifest/paths.go of ollama/ollama. `manifests` and, newer,
`manifests-v2` hold registry/namespace/model/tag, there as links to blobs; a list of manifests has
one for each kind of engine. Everything in them is a stranger's word. Any thread but the window's.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from engine.errors import Cancelled, ModelFileError
from engine.models.library.groups import Candidate
from engine.models.library.plain import Batch
from engine.models.library.titles import tagged_title
from engine.models.library.walk import FoundFile, look, subfolders
from engine.models.strangers import Record, read_record, record
from engine.types.cancel import CancelToken

_STORES = ("manifests-v2", "manifests")
_DEPTH = 3
"""Registry, namespace, model; below them are the tags."""
_MANIFEST_LIMIT_BYTES = 4 << 20
_MOST_LAYERS = 200
_KIND = "application/vnd.ollama.image."
_DIGEST = re.compile(r"sha256[:-](?P<hash>[0-9a-fA-F]{64})")


def read_ollama(store: Path, cancel: CancelToken) -> Iterator[Batch]:
    """`store` is the folder with manifests and blobs. Raises `Cancelled`."""
    for manifest in sorted(_manifests(store, cancel), key=_latest_last):
        if cancel.cancelled:
            raise Cancelled
        found = _candidate(store, manifest)
        if found is not None:
            yield (found,)


def _latest_last(manifest: Path) -> tuple[bool, Path]:
    """Of two tags of the same model the one that says more comes first."""
    return manifest.name == "latest", manifest


def _manifests(store: Path, cancel: CancelToken) -> Iterator[Path]:
    for name in _STORES:
        folders = [store / name]
        for _ in range(_DEPTH):
            folders = [below for folder in folders for below in subfolders(folder, cancel)]
        for folder in folders:
            with suppress(OSError):
                yield from folder.iterdir()


def _candidate(store: Path, manifest: Path) -> Candidate | None:
    """None for what is no model of this kind, not all there, or an adapter for another model."""
    layers = _layers(store, manifest)
    model = _blob(store, layers, "model")
    if model is None or _has(layers, "adapter"):
        return None
    return Candidate(
        path=model.path,
        files=(model,),
        name=tagged_title(manifest.parent.name, manifest.name),
        projector=_blob(store, layers, "projector"),
    )


def _layers(store: Path, path: Path) -> Sequence[Record]:
    content = _read(path)
    if "manifests" in content:
        content = _fitting(store, content)
    return _records(content.get("layers"))


def _fitting(store: Path, content: Record) -> Record:
    """Of several manifests the first that holds a model of our kind."""
    for entry in _records(content["manifests"]):
        found = entry if "layers" in entry else _read(_path(store, entry.get("digest")))
        if _has(_records(found.get("layers")), "model"):
            return found
    return {}


def _read(path: Path | None) -> Record:
    """Empty for what is no regular file, or makes no sense."""
    with suppress(ModelFileError):
        if path is not None and look(path) is not None:
            return read_record(path, _MANIFEST_LIMIT_BYTES)
    return {}


def _records(value: object) -> Sequence[Record]:
    return [record(item) for item in value[:_MOST_LAYERS]] if isinstance(value, list) else ()


def _has(layers: Sequence[Record], kind: str) -> bool:
    return any(layer.get("mediaType") == _KIND + kind for layer in layers)


def _blob(store: Path, layers: Sequence[Record], kind: str) -> FoundFile | None:
    for layer in layers:
        if layer.get("mediaType") == _KIND + kind:
            path = _path(store, layer.get("digest"))
            return look(path) if path is not None else None
    return None


def _path(store: Path, digest: object) -> Path | None:
    """Of a blob; older versions kept the colon in its name."""
    found = _DIGEST.fullmatch(digest) if isinstance(digest, str) else None
    if found is None:
        return None
    names = (f"sha256{mark}{found['hash'].lower()}" for mark in "-:")
    return next((path for name in names if look(path := store / "blobs" / name)), None)
