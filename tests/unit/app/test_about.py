"""What Snug is made of: in a packaged program, in a bundle of macOS, and in a checkout."""

import json
from pathlib import Path

import pytest

from app import about
from app.about import Part, read, text_of

ENTRIES = [
    {"name": "snug", "version": "0.1.0", "licence": "Apache-2.0", "files": ["snug/LICENSE"]},
    {"name": "zipp", "version": "4.1", "licence": "MIT", "files": ["zipp/LICENSE"]},
    {"name": "Qt", "version": "6.11.3", "licence": "LGPL-3.0-only",
     "files": ["Qt/Qt.txt", "Qt/LGPL-3.0.txt"]},
    {"name": "ICU", "version": "as in PySide6", "licence": "NOASSERTION", "files": []},
]  # fmt: skip


def packaged(folder: Path, entries: object = ENTRIES) -> Path:
    """The folder of licences, as packaging writes it."""
    licences = folder / "licences"
    licences.mkdir(parents=True)
    for entry in ENTRIES:
        for name in entry["files"]:
            (licences / name).parent.mkdir(exist_ok=True)
            (licences / name).write_text(f"{name}: you may.\n", encoding="utf-8")
    (licences / "index.json").write_text(json.dumps(entries), encoding="utf-8")
    return licences


def test_a_packaged_program_names_all_its_parts_with_their_texts(tmp_path: Path) -> None:
    licences = packaged(tmp_path)
    found = read(tmp_path)
    assert found.folder == licences
    assert [part.name for part in found.parts] == ["ICU", "Qt", "zipp"]
    assert (found.itself.name, found.itself.version) == ("Snug", about.version("snug"))
    assert text_of(found.itself) == "snug/LICENSE: you may."
    assert (found.parts[0].version, found.parts[0].licence) == ("", "")
    assert text_of(found.parts[1]) == (
        "Qt.txt\n------\n\nQt/Qt.txt: you may.\n\n"
        "LGPL-3.0.txt\n------------\n\nQt/LGPL-3.0.txt: you may."
    )


def test_in_a_bundle_they_lie_among_the_resources(tmp_path: Path) -> None:
    licences = packaged(tmp_path / "Snug.app" / "Contents" / "Resources")
    program = tmp_path / "Snug.app" / "Contents" / "MacOS"
    program.mkdir()
    assert read(program).folder == licences


@pytest.mark.parametrize("entries", [{}, [], [1, {"name": ""}], "x", [{"files": 3}]])
def test_an_index_that_makes_no_sense_is_no_index(tmp_path: Path, entries: object) -> None:
    packaged(tmp_path, entries)
    assert read(tmp_path).folder is None
    assert read(tmp_path).parts


def test_no_text_is_read_outside_the_folder(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("mine")
    packaged(
        tmp_path / "p", [{"name": "x", "files": ["../../secret", str(secret), "snug/LICENSE"]}]
    )
    (part,) = read(tmp_path / "p").parts
    assert text_of(part) == "snug/LICENSE: you may."


def test_a_checkout_names_what_is_installed(tmp_path: Path) -> None:
    found = read()
    named = {part.name.lower().replace("_", "-"): part for part in found.parts}
    assert {"python", "pyside6-essentials", "llama-cpp-python", "httpx", "keyring"} <= set(named)
    assert "pytest" not in named
    assert named["httpx"].licence
    assert "Apache License" in text_of(found.itself)
    assert found.folder is None


def test_what_can_not_be_read_has_no_text(tmp_path: Path) -> None:
    odd = tmp_path / "LICENSE"
    odd.write_bytes(b"\xff\xfe caf\xe9\r\n")
    assert "caf" in text_of(Part(name="x", files=(odd, tmp_path / "gone", tmp_path)))
    assert text_of(Part(name="x", files=(tmp_path / "gone",))) == ""
    assert text_of(Part(name="x")) == ""
