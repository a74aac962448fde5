"""The files of a release: all of them, nothing else, and made the same way twice."""

import json
import zipfile
from pathlib import Path

import pytest

from devenv import commands
from devenv.errors import SetupError
from freeze import build as freezing
from linux import appdir, appimage
from release import __main__ as command
from release import fetch, names, papers, sums

VERSION = "1.2.3"
MADE_S = 1_767_225_600


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "release"
    made.mkdir()
    for name in names.listed(VERSION):
        (made / name).write_bytes(name.encode())
    return made


def run(verb: str, folder: Path, *more: str) -> int:
    return command.main([verb, str(folder), "--version", VERSION, *more])


def test_a_whole_release_passes(folder: Path) -> None:
    assert run("sums", folder) == 0
    assert run("verify", folder) == 0
    for name in names.attestations():
        (folder / name).write_text("{}", encoding="utf-8")
    assert run("verify", folder, "--attested") == 0
    listed = (folder / sums.NAME).read_text(encoding="utf-8")
    assert len(listed.splitlines()) == len(names.listed(VERSION))


def test_what_is_missing_strange_or_empty_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "snug-1.2.2-setup.exe").touch()
    (folder / "snug-1.2.3-setup.exe").unlink()
    (folder / "sbom-linux.cdx.json").write_bytes(b"")
    assert run("sums", folder) == 1
    assert capsys.readouterr().err.splitlines()[1:] == [
        "    sbom-linux.cdx.json is empty",
        "    snug-1.2.2-setup.exe is not a file of release 1.2.3",
        "    snug-1.2.3-setup.exe is missing",
    ]
    assert not (folder / sums.NAME).exists(), "half a release has no sums"


def test_sums_are_made_anew(folder: Path) -> None:
    assert run("sums", folder) == 0
    (folder / "snug_1.2.3_amd64.deb").write_bytes(b"made again")
    assert run("sums", folder) == 0
    assert run("verify", folder) == 0


def test_a_folder_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for verb in ("sums", "verify"):
        assert run(verb, tmp_path / "gone") == 1
        assert "gone: " in capsys.readouterr().err


def test_a_changed_file_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sums", folder) == 0
    (folder / "snug_1.2.3_amd64.deb").write_bytes(b"another")
    assert run("verify", folder) == 1
    assert "snug_1.2.3_amd64.deb has changed" in capsys.readouterr().err


def test_attestations_do_not_belong_there_before_they_are_made(folder: Path) -> None:
    assert run("sums", folder) == 0
    assert run("verify", folder, "--attested") == 1


def frozen(where: Path, version: str = VERSION) -> Path:
    licences = where / "snug" / "licences"
    (licences / "Qt").mkdir(parents=True)
    (licences / "Qt" / "LGPL.txt").write_text("text", encoding="utf-8")
    body = {"bomFormat": "CycloneDX", "metadata": {"component": {"version": version}}}
    (licences / papers.SBOM).write_text(json.dumps(body), encoding="utf-8")
    return where / "snug"


def test_papers_are_the_same_twice(tmp_path: Path) -> None:
    assert papers.SBOM == freezing.SBOM
    folder = frozen(tmp_path)
    made = [papers.write(folder, tmp_path / n, VERSION, "linux", MADE_S) for n in ("1", "2")]
    assert [path.name for path in made[0]] == [names.sbom("linux"), names.licences("linux")]
    assert [p.read_bytes() for p in made[0]] == [p.read_bytes() for p in made[1]]
    with zipfile.ZipFile(made[0][1]) as archive:
        assert archive.namelist() == ["licences/Qt/LGPL.txt", f"licences/{papers.SBOM}"]


def test_papers_of_another_version_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"is not Snug 1\.2\.3"):
        papers.write(frozen(tmp_path, "1.2.2"), tmp_path, VERSION, "linux", MADE_S)
    with pytest.raises(SetupError, match=r"has no sbom\.cdx\.json"):
        papers.write(tmp_path / "nothing", tmp_path, VERSION, "linux", MADE_S)


def test_the_runtime_is_the_one_that_an_appimage_takes() -> None:
    pinned = fetch.PINNED["appimage-runtime"]
    assert pinned.sha256 == appimage.PINNED["x86_64"]
    assert f"/{appdir.RUNTIME_RELEASE}/" in pinned.address


@pytest.mark.parametrize("pinned", fetch.PINNED.values(), ids=list(fetch.PINNED))
def test_what_is_fetched_is_pinned(pinned: fetch.Pinned) -> None:
    assert pinned.address.startswith("https://")
    assert len(bytes.fromhex(pinned.sha256)) == 32
    assert "--proto" in fetch.command(pinned, Path("x"))


def test_another_file_than_the_pinned_one_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(argv: list[str | Path], _: str) -> None:
        Path(argv[argv.index("--output") + 1]).write_bytes(b"another")

    monkeypatch.setattr(commands, "run", changed)
    pinned = fetch.Pinned(address="https://example.invalid/file", sha256="0" * 64)
    with pytest.raises(SetupError, match="has the sha256"):
        fetch.fetch(pinned, tmp_path)
    assert not list(tmp_path.iterdir())
