"""The files around the program on Linux, read by the programs of those who will read them.

Each test needs that program and is skipped without it; CI installs all of them on Debian.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from linux import deb, flatpak_tree, tree
from linux.tree import Release
from packs import writing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="tools of Linux")

RELEASE = Release(version="1.2.3", made_s=1_700_000_000)
RULES = Path("/usr/share/mime/packages/freedesktop.org.xml")
MODEL, PACK = "application/x-gguf", "application/x-snug-pack"


def need(*tools: str) -> None:
    for tool in tools:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")


def silent(*argv: str | Path, env: Mapping[str, str] | None = None) -> None:
    """The tool finds nothing to say."""
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A frozen folder with a script in the place of the program."""
    folder = tmp_path / "frozen"
    (folder / "licences").mkdir(parents=True)
    (folder / "licences" / "index.json").write_text("[]\n", encoding="utf-8")
    (folder / "snug").write_text("#!/bin/sh\nexec true\n", encoding="utf-8")
    (folder / "snug").chmod(0o755)
    return folder


@pytest.fixture
def root(program: Path, tmp_path: Path) -> Path:
    """What a package holds."""
    folder = tmp_path / "root"
    tree.lay_out(program, folder, RELEASE)
    return folder


def test_shell_scripts_are_sound() -> None:
    need("shellcheck")
    scripts = (*tree.DATA.parent.glob("*.sh"), tree.DATA / "AppRun")
    silent("shellcheck", *scripts)


def test_the_menu_entry_is_valid(root: Path) -> None:
    need("desktop-file-validate")
    silent("desktop-file-validate", root / "usr/share/applications/snug.desktop")


NEWER_REMARKS = {
    "developer-name-tag-deprecated",  # AppStream 1.0 wants an element that Debian 12 does not know
    "developer-info-missing",
    "url-homepage-missing",  # there is none before the first release
}


def test_the_software_centre_has_nothing_to_remark(root: Path) -> None:
    need("appstreamcli")
    file = root / "usr/share/metainfo/app.snug.snug.metainfo.xml"
    argv: list[str | Path] = ["appstreamcli", "validate", "--no-net", "--pedantic", "--no-color"]
    done = subprocess.run([*argv, file], capture_output=True, text=True, check=False)
    remarks = set(re.findall(r"^[EWIP]: \S+ (\S+)", done.stdout, re.MULTILINE))
    assert (done.returncode, remarks - NEWER_REMARKS) == (0, set()), done.stdout


def test_the_manual_has_no_faults(tmp_path: Path) -> None:
    need("mandoc", "man")
    page = tmp_path / "snug.1"
    page.write_text(tree.filled("snug.1", RELEASE), encoding="utf-8")
    silent("mandoc", "-T", "lint", "-W", "all", page)
    argv: list[str | Path] = ["man", "--warnings", "-E", "UTF-8", "-Tutf8", "-Z", "-l", page]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_kinds_of_files_follow_freedesktops_own_grammar(root: Path, tmp_path: Path) -> None:
    need("xmllint")
    if not RULES.exists():
        pytest.skip("shared-mime-info is not installed")
    inside = re.search(r"<!DOCTYPE mime-info \[(.*?)\n\]>", RULES.read_text("utf-8"), re.DOTALL)
    assert inside is not None
    grammar = tmp_path / "mime.dtd"
    grammar.write_text(inside[1], encoding="utf-8")
    file = root / "usr/share/mime/packages/snug.xml"
    silent("xmllint", "--noout", "--nonet", "--dtdvalid", grammar, file)


@pytest.fixture
def desktop(root: Path, tmp_path: Path) -> dict[str, str]:
    """A system that knows freedesktop's kinds of files and ours."""
    need("update-mime-database")
    if not RULES.exists():
        pytest.skip("shared-mime-info is not installed")
    share = root / "usr" / "share"
    shutil.copy(RULES, share / "mime" / "packages")
    ours = os.environ | {"XDG_DATA_DIRS": str(share), "XDG_DATA_HOME": str(tmp_path / "home")}
    silent("update-mime-database", share / "mime", env=ours)
    return ours


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Name and kind; "" for anything but ours. Two names are git's and Java's for theirs."""
    folder = tmp_path / "files"
    folder.mkdir()
    others = {"pack-0a4d55a8d778e5022fab701977c5d840bbc486d0.pack": b"PACK\x00\x00\x00\x02"}
    others |= {"rt.pack": b"\xca\xfe\xd0\x0d"}
    models = {"model.gguf": b"GGUF\x03", "nameless model": b"GGUF\x03"}
    for name, start in (models | others).items():
        (folder / name).write_bytes(start + bytes(64))
    packs = ("snug-1.2.3-linux-x86_64-cuda13.pack", "for the card (1).pack")
    for name in (*packs, "extension.zip"):
        writing.write(folder / name, b"{}", b"signature", (), lambda _file: ())
    kinds = dict.fromkeys(models, MODEL) | dict.fromkeys(packs, PACK)
    return {str(path): kinds.get(path.name, "") for path in sorted(folder.iterdir())}


_QT = "import sys; from PySide6.QtCore import QMimeDatabase as D; "
_QT += "print(D().mimeTypeForFile(sys.argv[1]).name())"


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(("gio", "info", "-a", "standard::content-type"), id="GNOME and others"),
        pytest.param((sys.executable, "-c", _QT), id="KDE"),
    ],
)
def test_file_managers_know_models_and_packs_and_take_nobody_elses(
    desktop: Mapping[str, str], files: Mapping[str, str], asked: tuple[str, ...]
) -> None:
    need(asked[0])
    for name, kind in files.items():
        done = subprocess.run([*asked, name], env=desktop, capture_output=True, check=True)
        found = next(iter(re.findall(rb"\S+/x-(?:gguf|snug-pack)", done.stdout)), b"").decode()
        assert (name, found) == (name, kind)


def test_the_flatpak_is_made_of_the_same_files(program: Path, tmp_path: Path) -> None:
    need("flatpak-builder")
    manifest = flatpak_tree.build(program, tmp_path, tmp_path, RELEASE)
    done = subprocess.run(
        ["flatpak-builder", "--show-manifest", manifest], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"nknown property" not in done.stderr


def test_the_flatpaks_commands_place_what_it_needs(program: Path, tmp_path: Path) -> None:
    """As flatpak-builder runs them: in a copy of the folder, one shell for each."""
    yaml = pytest.importorskip("yaml")
    manifest = flatpak_tree.build(program, tmp_path, tmp_path, RELEASE)
    content = yaml.safe_load(manifest.read_text(encoding="utf-8"))
    (module,) = content["modules"]
    source = manifest.parent / module["sources"][0]["path"]
    app = tmp_path / "app"
    for command in module["build-commands"]:
        subprocess.run(
            ["sh", "-c", command],
            cwd=source,
            env=os.environ | {"FLATPAK_DEST": str(app)},
            check=True,
        )
    assert subprocess.run([app / "bin" / content["command"]], check=False).returncode == 0
    assert (app / "share/applications" / content["rename-desktop-file"]).is_file()
    assert (app / f"share/icons/hicolor/256x256/apps/{content['rename-icon']}.png").is_file()
    assert (app / f"share/metainfo/{content['id']}.metainfo.xml").is_file()
    assert [path.name for path in (app / "share/mime/packages").iterdir()] == [
        f"{content['id']}.xml"
    ]


LINTIANS_RULES_FOR_DEBIAN_ITSELF = (
    "dir-or-file-in-opt",  # where programs from elsewhere belong (FHS 3.13)
    "malformed-deb-archive",  # zstd, which its dpkg reads and its own archive does not take
    "package-contains-documentation-outside-usr-share-doc",  # the window shows the licences
)


def test_lintian_finds_nothing_in_a_package(program: Path, tmp_path: Path) -> None:
    """In what is made here; what is in other people's libraries is theirs."""
    need("lintian", "dpkg-deb", "objdump")
    package = deb.build(program, tmp_path, tmp_path / "into", RELEASE)
    ignored = ",".join(LINTIANS_RULES_FOR_DEBIAN_ITSELF)
    done = subprocess.run(
        ["lintian", "--allow-root", "--suppress-tags", ignored, package],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("", 0)
