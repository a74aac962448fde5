"""The lists of the Windows installer: what is installed is what is removed, and nothing else; and
what Windows reads of its files."""

import os
import shutil
import struct
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from devenv.errors import SetupError
from linux.tree import Release
from windows import ico, nsis, pictures
from windows.numbers import four_numbers
from windows.resource import icon, version_resource

HERE = Path(nsis.__file__).parent
FILES = [
    PurePosixPath("_internal/models/starter.gguf"),
    PurePosixPath("_internal/ggml $cpu.dll"),
    PurePosixPath("licences/模型.txt"),
    PurePosixPath("snug.exe"),
]


def test_every_file_is_written_to_its_folder(tmp_path):
    lines = nsis.install_list(tmp_path, FILES).splitlines()
    assert sum(line.startswith("File ") for line in lines) == len(FILES) + 1
    assert 'SetOutPath "${NEW}\\_internal\\models"' in lines
    assert lines[-3:] == [
        'SetOutPath "${NEW}"',
        f'File "{tmp_path / "snug.exe"}"',
        "SetCompress auto",
    ]


def test_the_list_of_files_is_written_first(tmp_path):
    lines = nsis.install_list(tmp_path, FILES).splitlines()
    assert lines[:2] == ['SetOutPath "${NEW}\\_internal"', 'File "${LISTS}\\installed.txt"']


def test_models_are_not_packed_again(tmp_path):
    lines = nsis.install_list(tmp_path, FILES).splitlines()
    before = lines.index(f'File "{tmp_path / FILES[0]}"')
    assert lines[before - 1] == "SetCompress off"
    assert "SetCompress auto" in lines[before : lines.index(f'File "{tmp_path / FILES[1]}"')]


def test_just_the_list_is_removed():
    lines = nsis.installed_list(FILES).split("\r\n")
    assert lines == [
        "_internal\\models\\starter.gguf",
        "_internal\\ggml $cpu.dll",
        "licences\\模型.txt",
        "snug.exe",
        "_internal\\models\\",
        "",
    ]


@pytest.mark.parametrize("name", [path.name for path in HERE.glob("*.ns[ih]")])
def test_no_folder_is_removed_with_all_that_is_in_it(name):
    """NSIS follows links then, and deletes what it never installed."""
    code = [line.split(";")[0] for line in (HERE / name).read_text("utf-8").splitlines()]
    assert not any("RMDir /r" in line for line in code)


def test_the_longest_path_counts_while_it_is_unpacked():
    assert nsis.longest(FILES) == len("\\snug.new\\_internal\\models\\starter.gguf")


@pytest.mark.parametrize("files", [FILES[:2], [*FILES, PurePosixPath("readme.txt")]])
def test_what_the_script_does_not_move_is_not_packed(files):
    with pytest.raises(SetupError, match=r"snug\.exe"):
        nsis.check_parts(files)


def test_the_script_moves_the_same_parts():
    script = (HERE / "swap.nsh").read_text("utf-8")
    for part in (*nsis.PARTS, "uninstall.exe"):
        for step in ("part_aside", "part_back", "part_placed"):
            assert f'!insertmacro {step} "{part}"' in script


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("0.1.0", "0.1.0.0"), ("1.2.3.4", "1.2.3.4"), ("2", "2.0.0.0"), ("1.0.rc1", "1.0.0.0")],
)
def test_versions_have_four_numbers(version, numbers):
    assert four_numbers(version) == numbers


def test_the_version_resource_can_be_read():
    assert "filevers=(0, 1, 0, 0)" in version_resource("0.1.0")


def test_an_icon_holds_its_pictures():
    data = ico.packed([(16, b"small"), (256, b"large one")])
    assert struct.unpack_from("<HHH", data) == (0, 1, 2)
    edge, *_, size, offset = struct.unpack_from("<BBBBHHII", data, 6 + 16)
    assert (edge, data[offset : offset + size]) == (0, b"large one")


def test_the_icon_is_drawn_in_every_size(tmp_path):
    data = icon(tmp_path / "snug.ico").read_bytes()
    assert struct.unpack_from("<HHH", data)[2] == len(ico.SIZES)


def test_the_pictures_of_the_pages_are_bitmaps_that_windows_reads(tmp_path):
    pictures.draw(tmp_path)
    for name in ("side.bmp", "head.bmp"):
        head = (tmp_path / name).read_bytes()[:30]
        assert head[:2] == b"BM"
        assert struct.unpack_from("<H", head, 28) == (24,)  # bits of a point
        image = QImage(str(tmp_path / name))
        corner, middle = image.pixelColor(0, 0), image.pixelColor(image.rect().center())
        assert corner.lightness() > 200
        assert name == "head.bmp" or middle != corner


def test_the_manifest_asks_for_no_administrator_and_takes_any_path():
    text = (HERE / "snug.manifest").read_text("utf-8")
    root = ElementTree.fromstring(text)
    found = {element.tag.rpartition("}")[2]: element for element in root.iter()}
    assert found["requestedExecutionLevel"].get("level") == "asInvoker"
    assert found["longPathAware"].text == "true"
    assert found["activeCodePage"].text == "UTF-8"
    assert (found["dpiAwareness"].text or "").startswith("PerMonitorV2")


@pytest.fixture
def frozen(tmp_path):
    for file in ("_internal/a.dll", "licences/a.txt", "snug"):
        path = tmp_path / "frozen" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.encode())
        os.utime(path, (1_767_225_600, 1_767_225_600))
    return tmp_path / "frozen"


RELEASE = Release(version="0.1.0", made_s=1_767_225_600)
needs_nsis = pytest.mark.skipif(not shutil.which("makensis"), reason="makensis is not installed")


@needs_nsis
def test_who_signs_is_asked_for_installer_and_uninstaller(frozen, tmp_path, monkeypatch):
    signed = tmp_path / "signed"
    command = tmp_path / "sign.sh"
    command.write_text(f'#!/bin/sh\necho "$1 $2" >> "{signed}"\n')
    command.chmod(0o755)
    monkeypatch.setenv("SNUG_SIGN_WINDOWS", f"{command} --quietly")
    made = nsis.build(frozen, tmp_path / "work", tmp_path / "into", RELEASE)
    lines = signed.read_text().splitlines()
    assert len(lines) == 2
    assert f"--quietly {made}" in lines


@needs_nsis
def test_a_signature_that_fails_fails_the_build(frozen, tmp_path, monkeypatch):
    monkeypatch.setenv("SNUG_SIGN_WINDOWS", shutil.which("false") or "false")
    with pytest.raises(SetupError):
        nsis.build(frozen, tmp_path / "work", tmp_path / "into", RELEASE)


@needs_nsis
def test_equal_sources_give_equal_installers(frozen, tmp_path):
    made = [
        nsis.build(frozen, tmp_path / "work", tmp_path / name, RELEASE).read_bytes()
        for name in ("one", "two")
    ]
    assert made[0] == made[1]
    packed = (tmp_path / "work" / "nsis").iterdir()
    assert {path.stat().st_mtime for path in packed} == {RELEASE.made_s}, "whenever it was made"


@needs_nsis
def test_windows_shows_who_made_it(frozen, tmp_path):
    made = nsis.build(frozen, tmp_path / "work", tmp_path / "into", RELEASE).read_bytes()
    for words in ("FileDescription", "Installs Snug", "安装 Snug", "CompanyName"):
        assert words.encode("utf-16-le") in made
    assert b"longPathAware" in made
