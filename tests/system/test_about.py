"""About Snug in the real window: reached by hand, a licence read, and nothing asked of any network.

With SNUG_PACKAGED, the folder of a frozen program, its licences are the ones that are read.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from app import about
from app.ledger import Ledger
from app.paths import find
from tests.hands.outside import RealWindow
from tests.hands.screen import virtual_screen

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="needs Xvfb"),
    pytest.mark.serial,
]


@pytest.fixture
def screen() -> Iterator[Mapping[str, str]]:
    with virtual_screen() as found:
        yield found


def speak(home: Path, language: str) -> None:
    (home / "settings.json").write_text(json.dumps({"language": language}))


def go_there(window: RealWindow) -> None:
    window.until(lambda: window.do("shown", widget="openSettings"), "no settings")
    window.do("click", widget="openSettings")
    name = "settingsGroups:about"
    window.until(lambda: window.do("shown", widget=name), "the settings do not come")
    window.do("click", widget=name)
    window.until(lambda: window.do("shown", widget="aboutPartsCard"), "no parts are listed")


@pytest.mark.parametrize(
    ("language", "title", "made_of"),
    [("en", "About Snug", "Made of"), ("zh_CN", "关于 Snug", "组成部分")],
)
def test_a_licence_is_read_by_hand(
    screen: Mapping[str, str], snug_home: Path, language: str, title: str, made_of: str
) -> None:
    speak(snug_home, language)
    with RealWindow(**screen) as window:
        go_there(window)
        assert window.do("name", widget="settingsPage") == title
        assert window.do("name", widget="aboutName") == f"Snug {about.version('snug')}"
        assert window.do("name", widget="aboutParts") == made_of
        window.do("click", widget="aboutLicence")
        window.until(
            lambda: "Apache License" in window.do("text", widget="licenceBox"), "no text comes"
        )
        window.do("click", widget="licenceClose")
        window.do("press", widget="aboutParts", key="Home")
        window.do("press", widget="aboutParts", key="Return")
        window.until(lambda: len(window.do("text", widget="licenceBox")) > 200, "no text comes")
        window.do("press", widget="licenceText", key="Escape")
        code, _, errors = window.close()
        assert (code, errors) == (0, "")
    assert not Ledger(find().ledger).read()


@pytest.mark.skipif("SNUG_PACKAGED" not in os.environ, reason="SNUG_PACKAGED names no folder")
def test_every_part_of_what_was_packaged_has_its_text() -> None:
    found = about.read(Path(os.environ["SNUG_PACKAGED"]).absolute())
    assert found.folder is not None
    assert len(found.parts) > 30
    assert [part.name for part in (found.itself, *found.parts) if not about.text_of(part)] == []
