"""The gate sees what would fail on somebody else's computer."""

from pathlib import Path

import pytest

from freeze import check, elf
from freeze.elf import Needs

GOOD = Needs(libraries=("libc.so.6",), paths=("$ORIGIN",), versions=(("GLIBC", (2, 34)),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "_internal").mkdir()
    (tmp_path / "_internal" / "libours.so").write_bytes(b"\x7fELF")
    return tmp_path


def seen(folder: Path, monkeypatch: pytest.MonkeyPatch, needs: Needs) -> list[str]:
    monkeypatch.setattr(elf, "needs_of", lambda _path: needs)
    return list(check.libraries(folder))


def test_a_sound_library(folder, monkeypatch):
    assert seen(folder, monkeypatch, GOOD) == []


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        (Needs(libraries=("libcairo.so.2",), paths=(), versions=()), "libcairo.so.2"),
        (Needs(libraries=(), paths=(), versions=(("GLIBC", (2, 36)),)), "GLIBC 2.36"),
        (Needs(libraries=(), paths=(), versions=(("GLIBCXX", (3, 4, 31)),)), "GLIBCXX 3.4.31"),
        (Needs(libraries=(), paths=("/build/lib",), versions=()), "/build/lib"),
    ],
)
def test_what_only_the_builder_has(folder, monkeypatch, needs, told):
    assert any(told in sentence for sentence in seen(folder, monkeypatch, needs))


def test_a_library_that_lies_here_is_not_missing(folder, monkeypatch):
    needs = Needs(libraries=("libours.so",), paths=(), versions=())
    assert seen(folder, monkeypatch, needs) == []


@pytest.mark.parametrize("name", ["libgomp.so.1", "vcomp140.dll", "libomp.dylib", "libiomp5md.dll"])
def test_openmp(folder, name):
    (folder / name).write_bytes(b"")
    assert any(name in sentence for sentence in check.openmp(folder))


def test_a_place_of_this_checkout_is_found_even_across_pieces(folder, monkeypatch):
    monkeypatch.setattr(check, "_CHUNK_BYTES", 1024)
    place = str(check.ROOT).encode()
    (folder / "clean.bin").write_bytes(b"x" * 5000)
    (folder / "told.bin").write_bytes(b"x" * (1024 - len(place) // 2) + place + b"x" * 3000)
    assert [line.split()[0] for line in check.build_paths(folder)] == ["told.bin"]


def test_size_without_the_model(folder):
    (folder / "big.gguf").write_bytes(b"x" * 2000)
    assert not list(check.size(folder, budget_bytes=1000))
    (folder / "big.so").write_bytes(b"x" * 2000)
    assert list(check.size(folder, budget_bytes=1000))


def test_links_to_nowhere(folder):
    (folder / "libgone.so").symlink_to("libgone.so.1")
    assert list(check.dangling(folder)) == ["libgone.so is a link to nowhere"]
