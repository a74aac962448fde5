"""What Apple and people's Macs read of Snug is in order: property lists, rights, the icon."""

import plistlib
import struct
import xml.etree.ElementTree as ET

import pytest

from linux import tree
from linux.tree import Release
from macos import __main__ as verbs
from macos import icns, info, lint, pictures, sign
from tests.unit.freeze import mach_files as made

BY_PYINSTALLER = {
    "CFBundleExecutable": "snug",
    "CFBundleIconFile": "snug.icns",
    "CFBundleInfoDictionaryVersion": "6.0",
    "CFBundlePackageType": "APPL",
}
RELEASE = Release(version="1.2.3", made_s=86_400)


def test_what_a_mac_is_told_is_in_order():
    data = plistlib.dumps(BY_PYINSTALLER | info.plist("0.1.0"))
    assert lint.info_problems(plistlib.loads(data)) == []


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


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("0.1.0", "0.1.0"), ("1.2", "1.2.0"), ("0.2.0rc1", "0.2.0"), ("1.2rc1.3", "1.2.0")],
)
def test_versions_are_three_numbers(version, numbers):
    assert info.three_numbers(version) == numbers


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
    found = lint.info_problems(BY_PYINSTALLER | info.plist("0.1.0") | change)
    assert any(told in problem for problem in found)


def test_one_right_and_no_other():
    rights = plistlib.loads(sign.RIGHTS.read_bytes())
    assert lint.rights_problems(rights) == []
    more = {**rights, "com.apple.security.cs.disable-library-validation": True}
    assert lint.rights_problems(more)
    assert lint.rights_problems({})


def test_a_bundle_is_asked_for_its_lists(tmp_path):
    app = made.bundle(tmp_path)
    for facts, problems in ((BY_PYINSTALLER | info.plist("1.2.3"), 0), (info.plist("1.2.3"), 4)):
        (app / "Contents" / "Info.plist").write_bytes(plistlib.dumps(facts))
        assert len(verbs.problems_of_lists(app)) == problems


def test_the_icon_has_every_size_and_its_double(tmp_path):
    found = icns.unpacked(pictures.icon(tmp_path / "snug.icns").read_bytes())
    edges = {}
    for kind, picture in found.items():
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        edges[kind] = struct.unpack(">II", picture[16:24])
    assert edges == {kind: (edge, edge) for kind, edge in icns.KINDS.items()}


def test_an_icon_that_is_not_whole_is_told():
    data = icns.packed(dict.fromkeys(icns.KINDS.values(), b"picture"))
    assert set(icns.unpacked(data).values()) == {b"picture"}
    with pytest.raises(ValueError, match="no whole icon"):
        icns.unpacked(data[:-1])
