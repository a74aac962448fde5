"""Only what is missing is installed, and a person without rights gets a line to type."""

import os

import pytest

from devenv import system_packages

LDD = """\tlinux-vdso.so.1 (0x00007ffd)
\tlibxcb-cursor.so.0 => not found
\tlibc.so.6 => /lib/libc.so.6 (0x00007f)
\tlibodd.so.9 => not found
"""


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would be installed, on a Linux machine with a font and two missing libraries."""
    asked: list[list[str]] = []
    monkeypatch.setattr(system_packages, "SYSTEM", "linux")
    monkeypatch.setattr(system_packages, "missing_libraries", lambda: {"libxcb-cursor.so.0"})
    monkeypatch.setattr(system_packages, "_has_font", lambda: True)
    monkeypatch.setattr(system_packages, "_apt_install", lambda names: asked.append(names) or True)
    monkeypatch.setattr(system_packages.shutil, "which", lambda name: name)
    return asked


def test_missing_libraries_are_those_ldd_does_not_find() -> None:
    assert system_packages.not_found(LDD) == {"libxcb-cursor.so.0", "libodd.so.9"}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX only")
def test_root_gets_the_missing_package(
    installed: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    system_packages.need_for_window()
    assert installed == [["libxcb-cursor0"]]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX only")
def test_others_get_the_line_to_type(
    installed: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    system_packages.need_for_window()
    assert not installed
    assert "sudo apt-get install libxcb-cursor0" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX only")
def test_a_failing_apt_is_not_the_end(
    installed: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(system_packages, "_apt_install", lambda names: False)
    system_packages.need_for_window()
    assert "going on without" in capsys.readouterr().err
