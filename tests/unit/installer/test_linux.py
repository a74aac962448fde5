"""The files around the program on Linux."""

import xml.etree.ElementTree as ET

import pytest

from devenv.errors import SetupError
from freeze import check
from linux import deb, needs, tree
from linux.tree import Release

RELEASE = Release(version="1.2.3", made_s=86_400)


def test_every_library_of_the_system_has_a_package():
    for name in needs.DEBIAN:
        assert check.FROM_SYSTEM.fullmatch(name)


def test_depends_follow_from_libraries():
    assert needs.debian_depends(["libGL.so.1"]) == "libc6 (>= 2.34), libgl1"
    with pytest.raises(SetupError, match=r"libnew\.so\.1"):
        needs.debian_depends(["libnew.so.1"])
    assert "libGL.so.1()(64bit)" in needs.rpm_requires(["libGL.so.1"])


def test_release_is_filled_in():
    text = tree.filled("snug.metainfo.xml", RELEASE)
    release = ET.fromstring(text.encode()).find("releases/release")
    assert release is not None
    assert release.attrib == {"version": "1.2.3", "date": "1970-01-02"}


def test_the_menu_opens_files_that_the_system_knows_by_their_magic():
    entry = tree.filled("snug.desktop", RELEASE)
    mime = ET.fromstring(tree.filled("snug-gguf.xml", RELEASE).encode())
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kind = mime.find(f"{space}mime-type")
    assert kind is not None
    assert f"MimeType={kind.attrib['type']};" in entry
    match = kind.find(f"{space}magic/{space}match")
    assert match is not None
    assert match.attrib == {"type": "string", "offset": "0", "value": "GGUF"}
    assert "Exec=snug --open %F" in entry


def test_control_is_a_paragraph():
    text = deb._control(RELEASE, "amd64", "libc6", 1024)
    assert text.endswith(".\n")
    assert "\n\n" not in text
    assert "Version: 1.2.3\n" in text
