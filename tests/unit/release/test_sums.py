"""SHA256SUMS: what sha256sum reads, and nothing that could leave a file out."""

import os
from pathlib import Path

import pytest

from release import sums

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        f"{EMPTY} one\n",
        f"{EMPTY.upper()}  one\n",
        f"{EMPTY}  ../one\n",
        f"{EMPTY}  /one\n",
        f"{EMPTY}  C:one\n",
        f"\\{EMPTY}  o\\nne\n",
        f"{EMPTY}  one\n{EMPTY}  one\n",
        f"{EMPTY}  one\n# no comment\n",
        "\udcff",
    ],
)
def test_a_list_is_read_strictly_or_not_at_all(tmp_path: Path, text: str) -> None:
    (tmp_path / "one").touch()
    (tmp_path / sums.NAME).write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(sums.SumsMistake, match="SHA256SUMS is damaged"):
        sums.problems(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such name")
def test_a_name_that_would_be_two_lines_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / f"one\n{EMPTY}  two").touch()
    with pytest.raises(sums.SumsMistake, match="simpler name"):
        sums.write(tmp_path)
    assert not (tmp_path / sums.NAME).exists()


def test_all_is_well(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "模 型").touch()
    (tmp_path / "Z").write_bytes(b"z")
    sums.write(tmp_path)
    text = (tmp_path / sums.NAME).read_text(encoding="utf-8")
    assert text.splitlines()[1] == f"{EMPTY}  a/模 型"
    assert not sums.problems(tmp_path)


def test_a_missing_list_is_named(tmp_path: Path) -> None:
    with pytest.raises(sums.SumsMistake, match="there is no SHA256SUMS"):
        sums.problems(tmp_path)
