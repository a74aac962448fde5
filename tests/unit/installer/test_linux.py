"""The files around the program on Linux."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from app.cli import parser
from devenv.errors import SetupError
from freeze import check
from linux import appdir, appimage, deb, flatpak_tree, needs, rpm, tree
from linux.appimage import Runtime
from linux.tree import Release

RELEASE = Release(version="1.2.3", made_s=86_400)
ELF = b"\x7fELF\x02\x01\x01\x00AI\x02" + bytes(5) + b"\x03\x00\x3e\x00" + b"the rest of a runtime"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="AppRun is for Linux")


def test_every_library_of_the_system_has_a_package() -> None:
    for name in needs.DEBIAN:
        assert check.FROM_SYSTEM.fullmatch(name)


def test_depends_follow_from_libraries() -> None:
    assert needs.debian_depends(["libGL.so.1"]) == "libc6 (>= 2.34), libgl1"
    with pytest.raises(SetupError, match=r"libnew\.so\.1"):
        needs.debian_depends(["libnew.so.1"])
    assert "libGL.so.1()(64bit)" in needs.rpm_requires(["libGL.so.1"])


def test_release_is_filled_in() -> None:
    text = tree.filled("snug.metainfo.xml", RELEASE)
    release = ET.fromstring(text.encode()).find("releases/release")
    assert release is not None
    assert release.attrib == {"version": "1.2.3", "date": "1970-01-02"}
    assert release.findtext("description/p")


def _kinds_of_files() -> dict[str, ET.Element]:
    found = ET.fromstring(tree.filled("snug-mime.xml", RELEASE).encode())
    return {kind.attrib["type"]: kind for kind in found.findall(f"{MIME}mime-type")}


def test_the_menu_and_the_software_centre_name_the_kinds_that_the_system_is_taught() -> None:
    kinds = set(_kinds_of_files())
    entry = tree.filled("snug.desktop", RELEASE)
    line = next(line for line in entry.splitlines() if line.startswith("MimeType="))
    told = ET.fromstring(tree.filled("snug.metainfo.xml", RELEASE).encode())
    assert set(line.removeprefix("MimeType=").strip(";").split(";")) == kinds
    assert {kind.text for kind in told.findall("provides/mediatype")} == kinds
    assert "Exec=snug --open %F" in entry


def test_models_are_known_by_their_magic() -> None:
    match = _kinds_of_files()["application/x-gguf"].find(f"{MIME}magic/{MIME}match")
    assert match is not None
    assert match.attrib == {"type": "string", "offset": "0", "value": "GGUF"}


def test_the_manual_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser.parse(["--help"])
    commands = re.findall(r"^    (\w+)  ", capsys.readouterr().out, re.MULTILINE)
    assert "ask" in commands
    manual = tree.filled("snug.1", RELEASE)
    for command in commands:
        assert f"\n.B {command}\n" in manual or f"\n.BI {command} " in manual


@on_linux
def test_everybody_can_read_what_is_installed_wherever_it_was_built(tmp_path: Path) -> None:
    """Also in a folder that is called like the one that it goes to."""
    root = tmp_path / "opt" / "snug" / "build"
    for name in ("opt/snug/snug", "usr/share/doc/snug/copyright"):
        (root / name).parent.mkdir(parents=True, mode=0o700)
        (root / name).touch(0o600)
    tree.give_time(root, RELEASE.made_s)
    assert (root / "usr/share/doc").stat().st_mode & 0o777 == 0o755
    assert (root / "usr/share/doc/snug/copyright").stat().st_mode & 0o777 == 0o644
    assert (root / "opt/snug/snug").stat().st_mode & 0o777 == 0o600, "what is frozen has its own"


def test_control_is_a_paragraph() -> None:
    text = deb._control(RELEASE, "amd64", "libc6", 1024)
    assert text.endswith(".\n")
    assert "\n\n" not in text
    assert "Version: 1.2.3\n" in text


def test_the_spec_tells_nothing_of_the_builder(tmp_path: Path) -> None:
    (tmp_path / "opt" / "snug").mkdir(parents=True)
    (tmp_path / "opt" / "snug" / "a file").touch()
    (tmp_path / "usr" / "share" / "doc" / "snug").mkdir(parents=True)
    spec = rpm._spec(tmp_path, ("libGL.so.1",), RELEASE)
    assert "%global _buildhost snug\n" in spec
    assert "* Fri Jan 02 1970 " in spec
    assert '%dir "/opt/snug"\n%dir "/usr/share/doc/snug"\n"/opt/snug/a file"\n' in spec
    assert "%post" not in spec


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    path = tmp_path / "runtime"
    path.write_bytes(ELF)
    return Runtime(path=path, sha256=hashlib.sha256(ELF).hexdigest())


@pytest.fixture
def squashfs(tmp_path: Path) -> Path:
    path = tmp_path / "snug.squashfs"
    path.write_bytes(b"hsqs and what is in it")
    return path


def test_an_appimage_is_the_runtime_and_the_squashfs(runtime: Runtime, squashfs: Path) -> None:
    made = appimage.join(appimage.checked(runtime), squashfs, RELEASE)
    assert made.name == "Snug-1.2.3-x86_64.AppImage"
    assert made.read_bytes() == ELF + squashfs.read_bytes()
    assert os.name != "posix" or made.stat().st_mode & 0o777 == 0o755


def test_another_runtime_than_the_pinned_one_is_refused(runtime: Runtime) -> None:
    for sha256 in appimage.PINNED.values():
        with pytest.raises(SetupError, match=r"has the sha256"):
            appimage.checked(Runtime(path=runtime.path, sha256=sha256))
    with pytest.raises(SetupError, match=r"no runtime"):
        appimage.checked(Runtime(path=runtime.path / "none", sha256=""))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\x7fELF", "too short"),
        (b"MZ" + ELF[2:], "no program"),
        (ELF[:18] + b"\xb7\x00" + ELF[20:], "not for x86_64"),
        (ELF[:8] + bytes(3) + ELF[11:], "mark is missing"),
        (ELF, ""),
    ],
)
def test_what_is_no_runtime_is_told(content: bytes, fault: str) -> None:
    assert fault in appimage.wrong_with(content, appdir.ARCHITECTURE)
    assert bool(fault) == bool(appimage.wrong_with(content, appdir.ARCHITECTURE))


def test_only_a_squashfs_goes_behind_a_runtime(runtime: Runtime) -> None:
    with pytest.raises(SetupError, match="no squashfs"):
        appimage.join(ELF, runtime.path, RELEASE)


@pytest.fixture
def apprun(tmp_path: Path) -> Path:
    """AppRun beside a program that prints where it is and what it was given."""
    root = tmp_path / "Snug Ω 雪"
    program = root / "opt" / "snug" / "snug"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$0" "${LC_ALL-none}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    target = Path(shutil.copyfile(tree.DATA / "AppRun", root / "AppRun"))
    target.chmod(0o755)
    return target


def _said(*argv: str | Path, **variables: str) -> list[str]:
    done = subprocess.run(
        argv, env={"PATH": "/usr/bin:/bin", **variables}, capture_output=True, check=True
    )
    return done.stdout.decode().splitlines()


@on_linux
def test_apprun_finds_the_program_in_an_odd_place_and_behind_a_link(
    apprun: Path, tmp_path: Path
) -> None:
    link = tmp_path / "menu Ω"
    link.symlink_to(apprun)
    for start in (apprun, link):
        said = _said(start, "--open", "my model.gguf")
        assert said == [str(apprun.parent / "opt/snug/snug"), "none", "--open", "my model.gguf"]


@on_linux
def test_apprun_leaves_the_locale_alone(apprun: Path) -> None:
    said = _said(apprun, LC_ALL="zh_CN.UTF-8", APPIMAGE="/none", APPDIR="/run/.mount_Snug-0aB")
    assert said[1:] == ["zh_CN.UTF-8"]


@on_linux
def test_an_appimage_whose_name_would_be_cut_in_a_letter_starts_under_a_plain_one(
    apprun: Path,
) -> None:
    """The runtime mounts "Snug助手.AppImage" at a path that is no text. sh plays the AppImage."""
    broken = os.fsdecode(b"/run/.mount_Snug\xe5\x8aAbCdEf")
    said = _said(apprun, "-c", 'echo "$0"', APPIMAGE="/bin/sh", APPDIR=broken)
    assert said == ["Snug"]


@on_linux
def test_an_appimage_that_keeps_its_name_all_the_same_is_started_again_just_once(
    apprun: Path,
) -> None:
    """AppImageLauncher starts it by its path. AppRun plays the AppImage."""
    broken = os.fsdecode(b"/run/.mount_Snug\xe5\x8aAbCdEf")
    said = _said(apprun, "--open", APPIMAGE=str(apprun), APPDIR=broken)
    assert said == [str(apprun.parent / "opt/snug/snug"), "none", "--open"]


@on_linux
def test_a_trial_that_this_computer_does_not_allow_says_so() -> None:
    """As in a container that may not mount, or without root."""
    if not shutil.which("setpriv"):
        pytest.skip("setpriv is not installed")
    less = ["setpriv", "--bounding-set=-sys_admin"] if os.geteuid() == 0 else []
    argv = [*less, sys.executable, "-m", "linux.trial", "none.deb", "none.deb"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("snug: the trial of a .deb needs ")


def test_a_flatpak_gets_no_folder_of_the_person() -> None:
    text = flatpak_tree.MANIFEST.read_text(encoding="utf-8")
    allowed = {line.strip(" -\n") for line in text.splitlines() if line.startswith("  - --")}
    assert allowed == {
        "socket=wayland",
        "socket=fallback-x11",
        "share=ipc",
        "device=dri",
        "share=network",
        "talk-name=org.freedesktop.secrets",
    }
