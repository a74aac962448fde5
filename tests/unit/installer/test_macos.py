"""What Apple and people's Macs read of Snug is in order: property lists, rights, the icon."""

import plistlib
import struct
import xml.etree.ElementTree as ET

import pytest

from linux import tree
from linux.tree import Release
from macos import icns, info, lint, pictures, sign
from tests.unit.freeze.mach_files import BY_PYINSTALLER

RELEASE = Release(version="1.2.3", made_s=86_400)


def test_what_a_mac_is_told_is_in_order():
    data = plistlib.dumps(BY_PYINSTALLER | info.plist("0.1.0"))
    assert lint.problems(plistlib.loads(data)) == []


def test_it_has_one_name_on_all_systems():
    text = tree.filled("snug.metainfo.xml", RELEASE)
    found = ET.fromstring(text.encode())
    assert str(found.findtext("id")).lower() == info.IDENTIFIER
    assert found.findtext("name") == info.NAME


def test_files_have_the_same_mime_types_as_on_linux():
    text = "".join(path.read_text("utf-8") for path in tree.DATA.glob("snug-*.xml"))
    for kind in info.plist("1")["UTImportedTypeDeclarations"]:
        (mime,) = kind["UTTypeTagSpecification"]["public.mime-type"]
        assert f'"{mime}"' in text


def test_no_older_macos_than_the_parts_need():
    assert info.FLOOR >= (13, 0)  # the tag of Qt's wheels
    assert info.plist("1")["LSMinimumSystemVersion"] == "13.3"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"CFBundleVersion": "0.1.0rc1"}, "CFBundleVersion must be one to three numbers"),
        ({"CFBundleShortVersionString": 1.0}, "CFBundleShortVersionString must be a text"),
        ({"CFBundleIdentifier": "Snug"}, "no identifier"),
        ({"NSHighResolutionCapable": "true"}, "NSHighResolutionCapable"),
        ({"LSBackgroundOnly": True}, "hide the window"),
        ({"LSEnvironment": {}}, "LSEnvironment"),
        ({"UTImportedTypeDeclarations": []}, "nobody declares"),
        (
            {"UTImportedTypeDeclarations": [{"UTTypeIdentifier": "public.gguf"}]},
            "no name for a kind",
        ),
        (
            {"CFBundleDocumentTypes": [{"CFBundleTypeName": "X", "LSHandlerRank": "Owner"}]},
            "somebody's default",
        ),
    ],
)
def test_what_apple_would_refuse_is_seen_here(change, told):
    found = lint.problems(BY_PYINSTALLER | info.plist("0.1.0") | change)
    assert any(told in problem for problem in found)


def test_one_right_and_no_other():
    """Each one more weakens what protects a person."""
    rights = plistlib.loads(sign.RIGHTS.read_bytes())
    assert rights == {"com.apple.security.cs.allow-unsigned-executable-memory": True}


def unpacked(data):
    """The pictures of an icon by kind."""
    assert struct.unpack_from(">4sI", data) == (b"icns", len(data))
    found, place = {}, 8
    while place < len(data):
        kind, length = struct.unpack_from(">4sI", data, place)
        found[kind.decode("ascii")] = data[place + 8 : place + length]
        place += length
    return found


def test_the_icon_has_every_size_and_its_double(tmp_path):
    found = unpacked(pictures.icon(tmp_path / "snug.icns").read_bytes())
    edges = {}
    for kind, picture in found.items():
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        edges[kind] = struct.unpack(">II", picture[16:24])
    assert edges == {kind: (edge, edge) for kind, edge in icns.KINDS.items()}
