"""Whole downloads: into their folder, paused and gone on with, and thrown away."""

import time
from dataclasses import replace
from pathlib import Path

from engine.errors import (
    Cancelled,
)
from engine.models.download.download import discard, progress_of
from engine.models.library.manifest import read_manifest
from engine.types.downloads import (
    DownloadState,
    FetchLimits,
)
from engine.types.library import FileRecord
from tests.servers.odd import odd_server
from tests.servers.plain_file import bytes_of, hash_of
from tests.unit.engine.download.world import (
    EMPTY,
    SIZE,
    World,
    file_of,
    good,
    half,
    half_of,
    silent,
)

# --- all is well ----------------------------------------------------------------------------------


def test_a_model_comes_into_its_folder_with_a_manifest(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder)
        assert world.run() is None
    assert (folder / f"{SIZE}.gguf").read_bytes() == bytes_of(0, SIZE)
    assert world.names == {f"{SIZE}.gguf", "snug-model.json"}
    manifest = read_manifest(folder)
    assert manifest
    assert manifest.files == (
        FileRecord(name=f"{SIZE}.gguf", size_bytes=SIZE, sha256=hash_of(SIZE)),
    )
    assert (manifest.name, manifest.quantization, manifest.licence) == ("A model", "Q4_K_M", "mit")
    assert manifest.origin
    assert (manifest.origin.repo, manifest.origin.revision) == ("maker/model", "abc")
    states = [status.state for status in world.statuses]
    assert states[0] is DownloadState.RUNNING
    assert states[-2:] == [DownloadState.CHECKING, DownloadState.DONE]
    assert world.statuses[-1].done_bytes == world.statuses[-1].total_bytes == SIZE


def test_files_of_a_model_have_one_total(folder: Path) -> None:
    files = (
        file_of(2_000_000, name="m-00001-of-00002.gguf"),
        file_of(1_000_000, name="m-00002-of-00002.gguf"),
        file_of(500_000, name="mmproj-f16.gguf"),
        file_of(7, name="onnx/config.json"),
    )
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder, *files)
        assert world.run() is None
    assert world.shown == sorted(world.shown)
    assert {status.total_bytes for status in world.statuses} == {3_500_007}
    manifest = read_manifest(folder)
    assert manifest
    assert manifest.projector == "mmproj-f16.gguf"
    assert world.names == {*(file.name for file in files), "snug-model.json"}


def test_sizes_and_hashes_that_nobody_told(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder, file_of(SIZE, told=False), file_of(0, told=False))
        assert world.run() is None
    manifest = read_manifest(folder)
    assert manifest
    assert [file.size_bytes for file in manifest.files] == [SIZE, 0]
    assert world.statuses[0].total_bytes == 0
    assert world.statuses[-1].total_bytes == SIZE


def test_an_empty_file_of_known_hash(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder, replace(file_of(0), sha256=EMPTY))
        assert world.run() is None
    assert (folder / "0.gguf").read_bytes() == b""


def test_a_limit_is_kept(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder, file_of(1_000_000))
        world.limits = FetchLimits(reserve_bytes=0, bytes_per_s=1_000_000)
        began_s = time.monotonic()
        assert world.run() is None
    assert time.monotonic() - began_s > 0.7


# --- again ----------------------------------------------------------------------------------------


def test_it_goes_on_where_it_was(folder: Path) -> None:
    with odd_server(half, path="") as odd:
        world = half_of(odd, folder)
        assert world.names == {f"{SIZE}.gguf.part", f"{SIZE}.gguf.journal"}
        assert progress_of(world.wanted) == (SIZE // 2, SIZE)
    with odd_server(good, path="") as odd:
        again = World(odd.address, folder)
        assert again.run() is None
        assert odd.asked[0].headers["range"] == f"bytes={SIZE // 2}-{SIZE - 1}"
    assert again.shown[0] >= world.shown[-1]
    assert progress_of(again.wanted) == (SIZE, SIZE)


def test_what_is_in_place_is_not_fetched_again(folder: Path) -> None:
    first, second = file_of(SIZE, name="1.gguf"), file_of(SIZE + 1, name="2.gguf")
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder, first, second)
        world.pause_when(lambda status: status.done_bytes > SIZE)
        world.run()
        asked = len([one for one in odd.asked if one.path == f"/{SIZE}.gguf"])
        again = World(odd.address, folder, first, second)
        assert again.run() is None
        assert len([one for one in odd.asked if one.path == f"/{SIZE}.gguf"]) == asked


def test_a_file_in_place_that_is_another_is_replaced(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / f"{SIZE}.gguf").write_bytes(bytes(SIZE))
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder)
        assert world.run() is None
    assert (folder / f"{SIZE}.gguf").read_bytes() == bytes_of(0, SIZE)


def test_the_right_file_in_place_is_kept(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / f"{SIZE}.gguf").write_bytes(bytes_of(0, SIZE))
    with odd_server(silent, path="") as odd:
        world = World(odd.address, folder)
        assert world.run() is None
        assert not odd.asked
    assert read_manifest(folder)


def test_discarding_leaves_nothing(folder: Path) -> None:
    first, second = file_of(SIZE, name="1.gguf"), file_of(SIZE + 1, name="x/2.gguf")
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder, first, second)
        world.pause_when(lambda status: status.done_bytes > SIZE)
        world.limits = FetchLimits(reserve_bytes=0, bytes_per_s=3_000_000)
        assert isinstance(world.run(), Cancelled)
    assert "1.gguf" in world.names
    discard(world.wanted)
    assert not folder.exists()
    discard(world.wanted)
    assert progress_of(world.wanted) == (0, 2 * SIZE + 1)


def test_discarding_keeps_a_model_that_is_complete(folder: Path) -> None:
    with odd_server(good, path="") as odd:
        world = World(odd.address, folder)
        world.run()
    (folder / f"{SIZE}.gguf.part").write_bytes(b"x")
    discard(world.wanted)
    assert world.names == {f"{SIZE}.gguf", "snug-model.json"}
