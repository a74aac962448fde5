"""What libraries ask for is read rightly, and changed without harm: on this Python's library."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from freeze import elf, elf_file, older, rpath

SAID = """
Dynamic Section:
  NEEDED               libggml-base.so
  NEEDED               libc.so.6
  RUNPATH              $ORIGIN:/somewhere/lib

Version References:
  required from libc.so.6:
    0x06969194 0x00 24 GLIBC_2.14
    0x069691b4 0x00 03 GLIBC_2.34
    0x06969185 0x00 02 GLIBC_2.4
  required from libstdc++.so.6:
    0x0bafd173 0x00 05 CXXABI_1.3.3
    0x08922974 0x00 04 GLIBCXX_3.4.29
"""
LIBRARY = Path(sysconfig.get_config_var("LIBDIR") or "") / str(
    sysconfig.get_config_var("INSTSONAME") or "none"
)
needs_tools = pytest.mark.skipif(
    not (sys.platform == "linux" and LIBRARY.is_file() and shutil.which("objdump")),
    reason="needs objdump and a Python with a shared library",
)


def test_what_objdump_says():
    found = elf.parse(SAID)
    assert found.libraries == ("libggml-base.so", "libc.so.6")
    assert found.paths == ("$ORIGIN", "/somewhere/lib")
    assert dict(found.versions) == {
        "GLIBC": (2, 34),
        "GLIBCXX": (3, 4, 29),
        "CXXABI": (1, 3, 3),
    }


def test_the_hash_of_a_version():
    assert older.elf_hash("GLIBC_2.2.5") == 0x09691A75


@needs_tools
def test_a_changed_library_still_works(tmp_path):
    copy = tmp_path / LIBRARY.name
    shutil.copyfile(LIBRARY, copy)
    older.ask_for_older(copy)
    rpath.forget_places(copy)
    found = elf.needs_of(copy)
    assert not found.paths
    assert found.libraries == elf.needs_of(LIBRARY).libraries
    assert not rpath.forget_places(copy)
    code = f"import ctypes; ctypes.CDLL({str(copy)!r}).Py_GetVersion; print('loaded')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "loaded"


def test_other_files_stay_as_they_are(tmp_path):
    other = tmp_path / "text.so"
    other.write_bytes(b"no library")
    assert elf_file.read(other) is None
    assert not older.ask_for_older(other)
    assert not rpath.forget_places(other)
    assert not elf.is_elf(other)
    assert other.read_bytes() == b"no library"
