"""Packs that are only said to be there."""

from pathlib import Path

from app.packs_brought import PackOffer, PacksFound
from engine.types.packs import Manifest, PackFile


def offer(pack_id: str = "cuda13", backend: str = "cuda", size_bytes: int = 1_400_000_000):
    return PackOffer(
        path=Path(f"{pack_id}.pack"),
        manifest=Manifest(
            pack_id=pack_id,
            backend=backend,
            build_id="b",
            ggml_api=2,
            system="linux",
            architecture="x86_64",
            min_driver="",
            licence="L",
            created="2026-11-29T12:00:00Z",
            files=(PackFile(path="a", size_bytes=size_bytes, sha256="0" * 64),),
        ),
    )


def found(*offers, there=(), refused=()):
    return PacksFound(offers=offers, there=tuple(there), refused=tuple(refused))
