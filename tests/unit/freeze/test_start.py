"""The first code of the frozen program, with a stand-in for PyInstaller's bootloader: which places
libraries are searched in, and what programs that are opened later get to see."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ld.so and its variables")
START = Path(__file__).parents[3] / "packaging" / "freeze" / "start.py"
THEIRS = "/opt/conda/lib"
PROGRAM = """#!/bin/sh
export SEARCHED="$LD_LIBRARY_PATH" STARTS="$STARTS."
exec "{python}" -S "{bootloader}" "$@"
"""
BOOTLOADER = """
import os, runpy, sys
sys._MEIPASS = {inside!r}
sys.path.insert(0, {modules!r})
os.environ["QT_PLUGIN_PATH"] = os.environ["QML2_IMPORT_PATH"] = "ours"
runpy.run_path({start!r}, run_name="__main__")
"""
MAIN = """
import json, os, sys
def main():
    with open(os.environ["TELL"], "w") as file:
        json.dump({"argv": sys.argv[1:], "executable": sys.executable, **os.environ}, file)
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_program(folder, modules):
    """A script in the place of the executable, which runs `start.py` as PyInstaller does."""
    write(modules / "app" / "streams.py", "def give_streams(): 0")
    write(modules / "ui" / "main.py", MAIN)
    inside, program, bootloader = folder / "_internal", folder / "snug", modules / "bootloader.py"
    inside.mkdir(parents=True)
    places = {"inside": str(inside), "modules": str(modules), "start": str(START)}
    write(bootloader, BOOTLOADER.format(**places))
    write(program, PROGRAM.format(python=sys.executable, bootloader=bootloader))
    program.chmod(0o755)
    return program


@pytest.fixture
def start(tmp_path):
    """Starts a stand-in below a folder of some name; gives what its `main` saw."""

    def begin(environment, folder="Snug", arguments=()):
        program = make_program(tmp_path / folder, tmp_path / "modules")
        inside, told = program.parent / "_internal", tmp_path / "told"
        marks = {"_PYI_ARCHIVE_FILE": str(program), "_PYI_PARENT_PROCESS_LEVEL": "1"}
        given = {name: value.format(inside=inside) for name, value in environment.items()}
        needed = {"PATH": os.environ["PATH"], "TELL": str(told)}
        everything = needed | marks | given
        subprocess.run([program, *arguments], check=True, timeout=60, env=everything)
        return inside, json.loads(told.read_text(encoding="utf-8"))

    return begin


def test_what_the_bootloader_has_set_is_taken_as_it_is(start):
    inside, seen = start({"LD_LIBRARY_PATH": "{inside}"})
    assert (seen["STARTS"], seen["SEARCHED"]) == (".", str(inside))
    assert "LD_LIBRARY_PATH" not in seen


@pytest.mark.parametrize(
    "environment",
    [
        {"LD_LIBRARY_PATH": "{inside}:" + THEIRS, "LD_LIBRARY_PATH_ORIG": THEIRS},
        {"LD_LIBRARY_PATH": THEIRS},
    ],
)
def test_their_places_are_not_searched_but_given_back(start, environment):
    """The second is a start out of a program that an earlier bootloader has marked."""
    inside, seen = start(environment)
    assert (seen["STARTS"], seen["SEARCHED"]) == ("..", str(inside))
    assert seen["LD_LIBRARY_PATH"] == THEIRS


def test_a_start_that_the_bootloader_took_for_a_child_finds_our_libraries(start):
    inside, seen = start({})
    assert seen["SEARCHED"] == str(inside)
    assert "LD_LIBRARY_PATH" not in seen


@pytest.mark.parametrize("folder", ["a:b", "semi;colon", "$LIB"])
def test_a_folder_that_can_not_stand_in_a_search_path_is_searched_all_the_same(start, folder):
    _, seen = start({"LD_LIBRARY_PATH": "{inside}"}, folder)
    assert seen["STARTS"] == ".."
    assert seen["SEARCHED"].startswith("/proc/self/fd/")


def test_neither_marks_nor_arguments_are_mixed_up(start):
    inside, seen = start(
        {"LD_LIBRARY_PATH": THEIRS, "PYTHONEXECUTABLE": "/none"}, arguments=["ask", "a b", "雪"]
    )
    assert seen["argv"] == ["ask", "a b", "雪"]
    assert seen["executable"] == str(inside.parent / "snug")
    assert not [name for name in seen if name.startswith(("_PYI_", "_SNUG", "LD_LIBRARY_PATH_"))]


@pytest.mark.parametrize("paths", ["{inside}", THEIRS])
def test_what_hooks_have_set_for_qt_is_not_handed_on(start, paths):
    _, seen = start({"LD_LIBRARY_PATH": paths, "QT_PLUGIN_PATH": "theirs"})
    assert seen["QT_PLUGIN_PATH"] == "theirs"
    assert "QML2_IMPORT_PATH" not in seen
