"""The lists of the Windows installer: what is installed is what is removed, and nothing else."""

import struct
from pathlib import PurePosixPath

import pytest

from windows import ico, nsis
from windows.numbers import four_numbers
from windows.resource import version_resource

FILES = [
    PurePosixPath("_internal/models/starter.gguf"),
    PurePosixPath("_internal/ggml $cpu.dll"),
    PurePosixPath("licences/模型.txt"),
    PurePosixPath("snug.exe"),
]


def test_every_file_is_written_to_its_folder(tmp_path):
    lines = nsis.install_list(tmp_path, FILES).splitlines()
    assert sum(line.startswith("File ") for line in lines) == len(FILES)
    assert 'SetOutPath "$INSTDIR\\_internal\\models"' in lines
    assert lines[-2:] == [f'File "{tmp_path / "snug.exe"}"', "SetCompress auto"]


def test_models_are_not_packed_again(tmp_path):
    lines = nsis.install_list(tmp_path, FILES).splitlines()
    before = lines.index(f'File "{tmp_path / FILES[0]}"')
    assert lines[before - 1] == "SetCompress off"
    assert "SetCompress auto" in lines[before : lines.index(f'File "{tmp_path / FILES[1]}"')]


def test_just_the_list_is_removed():
    lines = nsis.uninstall_list(FILES).splitlines()
    assert 'Delete "$INSTDIR\\_internal\\ggml $$cpu.dll"' in lines
    assert not any("/r" in line for line in lines)
    folders = [line for line in lines if line.startswith("RMDir")]
    assert folders == [
        'RMDir "$INSTDIR\\_internal\\models"',
        'RMDir "$INSTDIR\\_internal"',
        'RMDir "$INSTDIR\\licences"',
    ]


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
