"""What a Mac's libraries say about themselves is read rightly, on any system."""

import pytest

from freeze import macho, provenance
from freeze.macho import Role
from tests.unit.freeze import mach_files as made


@pytest.fixture
def file(tmp_path):
    def write(data, name="lib.dylib"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def test_a_library(file):
    path = file(
        made.thin(
            made.PLUGIN,
            libraries=("@rpath/libllama.dylib", made.SYSTEM),
            optional=("/System/Library/Frameworks/New.framework/New",),
            places=("@loader_path/..", "/opt/homebrew/lib"),
            oldest=(13, 3),
        )
    )
    assert macho.is_macho(path)
    (found,) = macho.slices(path)
    assert (found.processor, found.role, found.oldest) == ("arm64", Role.PLUGIN, (13, 3))
    assert found.libraries == ("@rpath/libllama.dylib", made.SYSTEM)
    assert found.optional == ("/System/Library/Frameworks/New.framework/New",)
    assert found.places == ("@loader_path/..", "/opt/homebrew/lib")


@pytest.mark.parametrize("wide", [False, True])
def test_one_file_for_two_processors(file, wide):
    intel = made.thin(processor=made.INTEL, oldest=(12, 0))
    path = file(made.fat((made.INTEL, intel), (made.ARM, made.thin()), wide=wide))
    assert macho.is_macho(path)
    found = {part.processor: part.oldest for part in macho.slices(path)}
    assert found == {"x86_64": (12, 0), "arm64": (13, 0)}


def test_the_mark_of_old_compilers(file):
    assert macho.slices(file(made.old((10, 13))))[0].oldest == (10, 13)


def test_what_is_no_library(file, tmp_path):
    java = b"\xca\xfe\xba\xbe\x00\x00\x00\x41" + bytes(100)
    assert not macho.is_macho(file(java, "Some.class"))
    assert not macho.is_macho(file(b"\xca\xfe\xba\xbe", "short"))
    assert not macho.is_macho(file(b"\x7fELF" + bytes(100), "lib.so"))
    link = tmp_path / "link.dylib"
    link.symlink_to(file(made.thin()))
    assert not macho.is_macho(link)
    assert not macho.is_macho(tmp_path)


@pytest.mark.parametrize("length", [6, 20, 40, 60])
def test_a_file_that_is_cut_off_is_told(file, length):
    with pytest.raises(ValueError, match=r".+"):
        macho.slices(file(made.thin()[:length]))


def test_a_command_that_leads_nowhere_is_told(file):
    data = bytearray(made.thin())
    data[36:40] = b"\xff\xff\xff\x7f"
    with pytest.raises(ValueError, match="out of the header"):
        macho.slices(file(bytes(data)))


def test_libraries_are_needed_by_name_wherever_they_come_from(file):
    python = "/Library/Frameworks/Python.framework/Versions/3.12/lib/libssl.3.dylib"
    path = file(made.thin(libraries=(python, made.SYSTEM), optional=("@rpath/libmay.dylib",)))
    assert provenance.mac_needs(path) == {"libssl.3.dylib", "libSystem.B.dylib", "libmay.dylib"}
    assert provenance.mac_needs(file(b"text", "no.so")) == set()
