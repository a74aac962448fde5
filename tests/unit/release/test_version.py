"""A version is the same in the tag, the project and the changelog."""

from datetime import date
from pathlib import Path

import pytest

from devenv.errors import SetupError
from release import version

ON = date(2026, 12, 1)
PROJECT = '[project]\nname = "snug"\nversion = "0.1.0"\nrequires-python = ">=3.11"\n'
CHANGELOG = "# Changelog\n\n## Unreleased\n### Added\n- New.\n\n## 0.1.0 – 2026-01-01\n- First.\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    project, changelog = tmp_path / "pyproject.toml", tmp_path / "CHANGELOG.md"
    project.write_text(PROJECT, encoding="utf-8")
    changelog.write_text(CHANGELOG, encoding="utf-8")
    return project, changelog


def test_a_bump_names_what_is_unreleased(files: tuple[Path, Path]) -> None:
    version.bump("0.2.0", ON, *files)
    assert not any(b"\r" in path.read_bytes() for path in files)
    project, changelog = (path.read_text(encoding="utf-8") for path in files)
    assert project == PROJECT.replace("0.1.0", "0.2.0")
    assert "## Unreleased\n\n## 0.2.0 – 2026-12-01\n### Added\n- New.\n" in changelog
    version.check("v0.2.0", changelog, "0.2.0")
    assert version.notes(changelog, "0.2.0") == "### Added\n- New.\n"
    assert version.notes(changelog, "0.1.0") == "- First.\n"


@pytest.mark.parametrize("wrong", ["0.1.0", "1.0", "v1.0.0", "1.0.0rc1", ""])
def test_a_bump_that_makes_no_sense_changes_nothing(files: tuple[Path, Path], wrong: str) -> None:
    with pytest.raises(SetupError):
        version.bump(wrong, ON, *files)
    assert [path.read_text(encoding="utf-8") for path in files] == [PROJECT, CHANGELOG]


def test_nothing_to_tell_is_no_release(files: tuple[Path, Path]) -> None:
    files[1].write_text("## Unreleased\n\n## 0.1.0\n- First.\n", encoding="utf-8")
    with pytest.raises(SetupError, match=r"says nothing of 0\.2\.0"):
        version.bump("0.2.0", ON, *files)


@pytest.mark.parametrize(
    ("tag", "changelog", "says"),
    [
        ("v0.2.0", "## 0.1.0\n- x\n", "it has to be v0.1.0"),
        ("0.1.0", "## 0.1.0\n- x\n", "it has to be v0.1.0"),
        ("v0.1.0", "## Unreleased\n- x\n", "has no “## 0.1.0”"),
        ("v0.1.0", "## 0.2.0\n- x\n## 0.1.0\n- y\n", "above the other versions"),
        ("v0.1.0", "## 0.1.0\n\n## 0.0.9\n- y\n", "says nothing"),
    ],
)
def test_a_tag_that_does_not_agree_is_refused(tag: str, changelog: str, says: str) -> None:
    with pytest.raises(SetupError, match=says.replace(".", r"\.")):
        version.check(tag, changelog, "0.1.0")


def test_the_project_itself_can_be_bumped(tmp_path: Path) -> None:
    project, changelog = tmp_path / "pyproject.toml", tmp_path / "CHANGELOG.md"
    project.write_bytes(version.PROJECT.read_bytes())
    said = version.CHANGELOG.read_text(encoding="utf-8")
    added = said.replace("## Unreleased\n", "## Unreleased\n- New.\n")  # none after a release
    changelog.write_text(added, encoding="utf-8")
    version.bump("999.0.0", ON, project, changelog)
    version.check("v999.0.0", changelog.read_text(encoding="utf-8"), "999.0.0")
