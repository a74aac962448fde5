"""Whatever a model is called, its folder has a name that means the same on every disk."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.models.library.copying import copy_in
from engine.models.library.filenames import is_file_name
from engine.models.library.manifest import read_manifest
from engine.models.library.naming import safe_name
from engine.types.cancel import CancelToken
from tests.unit.engine.library.made import SMALL, Told, model_of


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Gemma 3 4B", "Gemma 3 4B"),
        ("通义千问 2.5", "通义千问 2.5"),
        ("модель", "модель"),
        ("e\u0301te\u0301", "été"),
        ("CON", "model CON"),
        ("aux.gguf", "model aux.gguf"),
        ("a/b\\c:d*e?", "a_b_c_d_e_"),
        ("..", "model"),
        (".hidden", "hidden"),
        ("ends with a dot. ", "ends with a dot"),
        ("turned \u202eround\n", "turned round"),
        ("file.part", "file.part_"),
        ("", "model"),
    ],
)
def test_names_for_every_disk(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@given(st.text(max_size=400))
def test_any_text_becomes_a_name(text: str) -> None:
    name = safe_name(text)
    assert is_file_name(name)
    assert "/" not in name
    assert name.isprintable()
    assert safe_name(name) == name


def test_a_long_name_keeps_the_number_of_its_part() -> None:
    name = safe_name("x" * 400 + "-00002-of-00003.gguf")
    assert name.endswith("x-00002-of-00003.gguf")
    assert len(name) <= 200


@pytest.mark.parametrize("name", ["nul", "通义千问", "a" * 300, "a: b"])
def test_such_names_are_copied(tmp_path: Path, name: str) -> None:
    model = model_of({"t.gguf": SMALL}, tmp_path / "stick", name=name)
    path = copy_in(model, tmp_path / "library", Told(), CancelToken())
    assert path.read_bytes() == SMALL
    assert read_manifest(path.parent) is not None
