"""Lays out models as other programs keep them, with hard links to files that a test has: Ollama,
LM Studio, Jan, GPT4All and the Hugging Face cache, by the sources named in engine's others.py."""

import hashlib
import json
import os
from pathlib import Path

KIND = "application/vnd.ollama.image."
DOCKER = "application/vnd.docker.distribution.manifest.v2+json"


def place(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.hardlink_to(source)
    return target


class Ollama:
    """A store with blobs and manifests; digests are of names, since nobody checks them here."""

    def __init__(self, store: Path) -> None:
        self.store = store

    def blob(self, source: Path, mark: str = "-") -> str:
        digest = hashlib.sha256(str(source).encode()).hexdigest()
        path = self.store / "blobs" / f"sha256{mark}{digest}"
        if not path.exists():
            place(source, path)
        return f"sha256:{digest}"

    def layers(self, **files: Path) -> list[dict[str, object]]:
        """By kind: model, projector, adapter …"""
        text = self.store.parent / "template"
        text.parent.mkdir(parents=True, exist_ok=True)
        text.write_text("{{ .Prompt }}")
        named = {"template": text, **files}
        return [
            {"mediaType": KIND + kind, "digest": self.blob(path), "size": path.stat().st_size}
            for kind, path in named.items()
        ]

    def add(self, name: str, tag: str, content: object, store: str = "manifests") -> Path:
        """`name` is registry/namespace/model."""
        path = self.store / store / name / tag
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
        return path

    def model(self, name: str, tag: str, **files: Path) -> Path:
        config = {"mediaType": "application/vnd.docker.container.image.v1+json", "digest": ""}
        content = {"schemaVersion": 2, "mediaType": DOCKER, "config": config}
        return self.add(name, tag, content | {"layers": self.layers(**files)})


def lm_studio(models: Path, publisher: str, repo: str, **files: Path) -> list[Path]:
    """By file name without ending."""
    return [place(path, models / publisher / repo / f"{name}.gguf") for name, path in files.items()]


def jan(data: Path, model_id: str, model: Path, projector: Path | None = None) -> Path:
    """As Jan downloads them; its description is what it writes."""
    folder = data / "llamacpp" / "models" / model_id
    path = place(model, folder / "model.gguf")
    lines = [f"model_path: llamacpp/models/{model_id}/model.gguf"]
    if projector is not None:
        place(projector, folder / "mmproj.gguf")
        lines.append(f"mmproj_path: llamacpp/models/{model_id}/mmproj.gguf")
    lines += [f"name: {model_id}", f"size_bytes: {model.stat().st_size}", ""]
    (folder / "model.yml").write_text("\n".join(lines))
    return path


def hugging_face(cache: Path, repo: str, revision: str, **files: Path) -> list[Path]:
    """A repository at one revision, which `main` then means."""
    root = cache / f"models--{repo.replace('/', '--')}"
    found = []
    for name, source in files.items():
        blob = root / "blobs" / hashlib.sha256(f"{name}{revision}".encode()).hexdigest()
        place(source, blob)
        link = root / "snapshots" / revision / f"{name}.gguf"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(os.path.relpath(blob, link.parent))
        found.append(link)
    (root / "refs").mkdir(exist_ok=True)
    (root / "refs" / "main").write_text(revision)
    return found
