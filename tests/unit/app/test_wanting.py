"""From a model of a repository to files with names, and whether a hub has newer ones."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.updates import is_updated
from app.wanting import wanted_for
from engine.models.library.filenames import is_file_name
from engine.types.downloads import Wanted
from engine.types.hub import Hub, HubFile, HubKind, HubRepo, Offering
from engine.types.library import FileRecord, Manifest, Origin
from engine.types.models import ModelFormat

HUB = Hub(kind=HubKind.HUGGING_FACE, address="https://hub.test")
REPO = HubRepo(
    hub=HUB, id="maker/Good-4B-GGUF", revision="a" * 40, gated=False, licence="mit", files=()
)
LIBRARY = Path("models")
HASH, OTHER_HASH = "1" * 64, "2" * 64


def file(path: str, sha256: str = HASH) -> HubFile:
    return HubFile(path=path, size_bytes=5, sha256=sha256)


def offering(*paths: str, kind: ModelFormat = ModelFormat.GGUF) -> Offering:
    return Offering(
        name="Good 4B",
        quantization="Q4_K_M",
        format=kind,
        files=tuple(map(file, paths)),
        projector=file("mmproj-F16.gguf"),
    )


def want(it: Offering, repo: HubRepo = REPO, *, projector: bool = True) -> Wanted:
    return wanted_for("Good 4B", repo, it, LIBRARY, with_projector=projector)


def names(wanted: Wanted) -> list[str]:
    return [it.name for it in wanted.files]


def test_parts_and_projector_lie_side_by_side() -> None:
    it = offering("Q4/good-00001-of-00002.gguf", "Q4/good-00002-of-00002.gguf")
    wanted = want(it)
    assert names(wanted) == [
        "good-00001-of-00002.gguf",
        "good-00002-of-00002.gguf",
        "mmproj-F16.gguf",
    ]
    assert (wanted.title, wanted.licence, wanted.quantization) == ("Good 4B", "mit", "Q4_K_M")
    assert wanted.files[0].path == "Q4/good-00001-of-00002.gguf"
    assert wanted.files[0].sha256 == HASH
    assert wanted.folder.parent == LIBRARY
    assert wanted.folder.name == f"Good-4B-Q4_K_M-{wanted.id[:6]}"
    assert names(want(it, projector=False)) == names(wanted)[:2]


def test_an_onnx_folder_keeps_what_is_below_it() -> None:
    it = offering("cpu/int4/genai_config.json", "cpu/int4/data/a.onnx", kind=ModelFormat.ONNX)
    assert names(want(it, projector=False)) == ["genai_config.json", "data/a.onnx"]
    whole = offering("genai_config.json", "model.onnx", kind=ModelFormat.ONNX)
    assert names(want(whole, projector=False)) == ["genai_config.json", "model.onnx"]


def test_the_same_files_of_the_same_revision_are_the_same_download() -> None:
    it = offering("a.gguf")
    assert want(it) == want(it)
    assert want(it).id != want(it, replace(REPO, revision="b" * 40)).id
    assert want(it).id != want(it, projector=False).id
    mirror = Hub(kind=HubKind.HUGGING_FACE, address="https://mirror.test")
    assert want(it).id != want(it, replace(REPO, hub=mirror)).id


@given(
    st.lists(st.text(min_size=1), min_size=1, max_size=5), st.text(), st.sampled_from(ModelFormat)
)
def test_strangers_names_stay_in_the_folder(paths: list[str], repo: str, kind: ModelFormat) -> None:
    wanted = want(offering(*paths, kind=kind), replace(REPO, id=repo))
    assert all(map(is_file_name, names(wanted)))
    assert len({name.casefold() for name in names(wanted)}) == len(wanted.files)
    assert is_file_name(wanted.folder.name)


def manifest(**hashes: str) -> Manifest:
    files = (FileRecord(name=f"{n}.gguf", size_bytes=5, sha256=h) for n, h in hashes.items())
    origin = Origin(hub=HUB, repo=REPO.id, revision="0" * 40)
    return Manifest(name="Good", files=tuple(files), origin=origin)


def test_another_hash_is_an_update() -> None:
    there = replace(REPO, files=(file("Q4/a.gguf"), file("b.gguf")))
    assert is_updated(manifest(a=HASH, b=HASH), there) is False
    assert is_updated(manifest(a=HASH, b=OTHER_HASH), there) is True
    assert is_updated(manifest(a=OTHER_HASH, gone=HASH), there) is True


def test_nobody_can_tell_without_hashes() -> None:
    there = replace(REPO, files=(file("a.gguf"), file("b.gguf", ""), file("x/a.gguf")))
    assert is_updated(manifest(a=HASH), there) is None
    assert is_updated(manifest(b=HASH), there) is None
    assert is_updated(manifest(gone=HASH), there) is None
    assert is_updated(manifest(b=""), there) is None
    assert is_updated(manifest(b=HASH), replace(there, revision="0" * 40)) is False
