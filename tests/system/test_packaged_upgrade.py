"""An upgrade while the window is open, as dpkg does it: a new file comes in the place of the old.
Needs SNUG_PACKAGED, the folder that `dev.py package` froze, and Debian's xvfb and xdotool."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from freeze.places import executable

if not sys.platform.startswith("linux"):
    pytest.skip("elsewhere a program that runs can not be replaced", allow_module_level=True)

from tests.hands.screen import virtual_screen
from tests.system.stranger import copied, person, turns, until
from tests.system.typing_hands import opened

FOLDER = os.environ.get("SNUG_PACKAGED", "")
pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="SNUG_PACKAGED names no frozen folder"),
    pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool"),
    pytest.mark.serial,
]
PLACES = ("ctrl+comma", "Escape", "ctrl+shift+d", "Escape")
"""Settings and models, which nobody has opened yet: their modules are not loaded."""


def replace_by_another(program: Path) -> None:
    newer = program.with_name("snug.dpkg-new")
    newer.write_bytes(b"another version, with everything at other places" * 1000)
    newer.chmod(0o755)
    newer.replace(program)


def test_an_open_window_goes_on_through_an_upgrade() -> None:
    with virtual_screen("1280x800x24") as screen, person() as who:
        program = executable(copied(Path(FOLDER).absolute(), who.place))
        home = who.new_home("upgraded")
        world = who.environment(home) | {"DISPLAY": screen["DISPLAY"]}
        with opened(who, [program], world, home) as window:
            assert "Paris" in window.answer()
            replace_by_another(program)
            for keys in PLACES:
                window.press(keys)
            window.write("And of Italy?")
            until(lambda: len(turns(home)) == 4 and window.all_answered(), "no second answer")
        logs = [path.read_text(errors="replace") for path in home.rglob("*.log*")]
        assert logs
        assert not [line for text in logs for line in text.splitlines() if "Traceback" in line]
