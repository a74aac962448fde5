"""Reading headers from disk: whatever may lie at a path, nothing waits and nothing leaks."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.errors import ModelCutOff, ModelDamaged, ModelMissing, NotAModel
from engine.models import cursor, gguf
from engine.models.gguf import parse, read_header
from tests import ggufs
from tests.ggufs import Tensor


def system(**changes: Callable[..., object]) -> SimpleNamespace:
    """`os` as the reader sees it, with some calls replaced, and only for the reader."""
    return SimpleNamespace(**{**vars(os), **changes})


def test_the_same_from_disk_and_from_memory(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    data = ggufs.chat({"tokenizer.ggml.tokens": ggufs.string_array([b"x" * 100] * 40_000)})
    path.write_bytes(data)
    assert read_header(path) == parse(data, len(data))


def test_a_sparse_model_of_forty_gigabytes(tmp_path: Path) -> None:
    path = tmp_path / "big.gguf"
    tensors = [Tensor(f"blk.{i}.ffn.weight", (8192, 28672), 14) for i in range(220)]
    size = ggufs.write_sparse(path, ggufs.CHAT, tensors)
    assert size > 39 << 30
    assert read_header(path).file_size == size
    os.truncate(path, size - 1)
    with pytest.raises(ModelCutOff):
        read_header(path)


def test_a_header_that_never_ends_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursor, "HEADER_LIMIT", 1 << 20)
    path = tmp_path / "endless.gguf"
    path.write_bytes(ggufs.header({"k": "x" * (1 << 20)}))
    os.truncate(path, 1 << 40)
    with pytest.raises(ModelDamaged, match="the header would need"):
        read_header(path)


@pytest.mark.parametrize(
    "make",
    [
        lambda _path: None,
        lambda path: path.symlink_to(path),
        lambda path: path.symlink_to(path / "nowhere"),
    ],
)
def test_missing(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "model.gguf"
    make(path)
    with pytest.raises(ModelMissing) as caught:
        read_header(path)
    assert caught.value.path == path


def test_missing_with_an_impossible_name() -> None:
    for name in ("a\0b", "x" * 5000):
        with pytest.raises(ModelMissing):
            read_header(Path(name))


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises((NotAModel, ModelMissing)):  # Windows will not even open it
        read_header(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are a Unix thing")
@pytest.mark.timeout(10)
def test_a_pipe_is_no_model_and_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    os.mkfifo(path)
    with pytest.raises(NotAModel, match="regular"):
        read_header(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices")
def test_a_device_is_no_model() -> None:
    with pytest.raises(NotAModel):
        read_header(Path("/dev/zero"))


def test_a_file_without_permission_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path, flags: int) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(gguf, "os", system(open=denied))
    with pytest.raises(ModelMissing, match="Permission denied"):
        read_header(Path("model.gguf"))


def test_a_disk_that_fails_and_a_file_that_shrinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(ggufs.chat())

    def broken(descriptor: int, count: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(gguf, "os", system(read=broken))
    with pytest.raises(ModelMissing, match="Input/output"):
        read_header(path)
    monkeypatch.setattr(gguf, "os", system(read=lambda *_: b""))
    with pytest.raises(ModelCutOff, match="shrank"):
        read_header(path)


def test_no_descriptor_is_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"not a model")
    closed: list[int] = []

    def close(descriptor: int) -> None:
        closed.append(descriptor)
        os.close(descriptor)

    monkeypatch.setattr(gguf, "os", system(close=close))
    with pytest.raises(NotAModel):
        read_header(path)
    assert len(closed) == 1
