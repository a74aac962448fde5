"""Packs in the real window, as people hand them over: with the file manager, dropped, from a stick,
to a Snug that is open already, and as macOS does it. Plug-ins are really loaded by a child."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from app import packs
from app.paths import find
from engine.packs import keys
from tests.forged_packs import KEYS
from tests.ggufs import chat
from tests.hands.outside import ROOT
from tests.hands.screen import virtual_screen
from tests.plugins import FINDS_NO_DEVICE
from tests.system.packed_window import PackedWindow
from tests.system.test_packs import pack

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="compiles plug-ins for Linux"),
    pytest.mark.serial,
]
TRUST = json.dumps({key_id: key.hex() for key_id, key in KEYS.items()})
QUESTION = "Add support for NVIDIA graphics cards?"
ADDED = "Support for NVIDIA graphics cards is added.\nIt is used the next time Snug starts."

THERE = "Support for NVIDIA graphics cards is there already.\nNothing needs to be done."


@pytest.fixture(autouse=True)
def _our_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "TRUSTED", KEYS)


@pytest.fixture
def world(snug_home: Path) -> Iterator[Mapping[str, str]]:
    (snug_home / "settings.json").write_text(json.dumps({"language": "en"}))
    path = os.pathsep.join((str(ROOT), str(ROOT / "packaging")))
    with virtual_screen() as screen:
        yield {**screen, "PACKED_KEYS": TRUST, "PYTHONPATH": path}


def in_use() -> list[str]:
    return [plugin.backend for plugin in packs.approved_packs(find())]


def add(window: PackedWindow, *, stays: bool = False) -> str:
    """Press Add, and wait for what became of it. `stays`: another question comes at once."""
    window.do("click", widget="packAdd")
    window.sees("packClose")
    said = window.said
    window.do("click", widget="packClose")
    if not stays:
        window.until(lambda: not window.do("named", prefix="packDialog"), "it stays open")
    return said


def is_quiet(window: PackedWindow, seconds: float = 1.5) -> bool:
    """No question comes."""
    time.sleep(seconds)
    return not window.do("named", prefix="packDialog") + window.do("named", prefix="addDialog")


def open_with_second(world: Mapping[str, str], *files: Path) -> None:
    """As the file manager does while Snug is open."""
    program = "import sys; from ui.main import main; sys.exit(main())"
    subprocess.run(
        [sys.executable, "-c", program, "--open", *map(str, files)],
        env={**os.environ, **world},
        cwd=ROOT,
        check=True,
        timeout=60,
    )


def test_a_pack_that_is_opened_is_asked_about_and_used_from_the_next_start_on(
    world: Mapping[str, str], tmp_path: Path
) -> None:
    file = pack(tmp_path / "1")
    with PackedWindow(world, [file]) as window:
        window.sees("packDialog")
        said = window.said
        assert said.startswith(QUESTION)
        assert "of space. Snug checked that it comes from Snug's makers." in said
        window.until(lambda: window.do("focused") == "packCancel", "the safe answer is not ready")
        assert add(window) == ADDED
        assert in_use() == ["cuda"]

        window.drop(file)  # once more
        window.sees("packClose")
        assert window.said == THERE
        window.do("click", widget="packClose")
        assert window.close()[0] == 0


def test_models_and_packs_of_a_stick_are_asked_about_one_after_the_other(
    world: Mapping[str, str], tmp_path: Path
) -> None:
    """With packs of other systems, which nobody hears of."""
    stick = tmp_path / "stick"
    (stick / "models").mkdir(parents=True)
    (stick / "models" / "small-Q4_0.gguf").write_bytes(chat({"general.name": "Small One"}))
    (stick / "packs").mkdir()
    pack(tmp_path / "1").rename(stick / "packs" / "linux.pack")
    with PackedWindow(world, [stick / "models", stick / "packs"]) as window:
        window.sees("packDialog")
        assert add(window) == ADDED
        window.sees("addDialog")
        assert "Add Small?" in window.do("words", widget="addDialog")
        assert "packs" not in window.do("words", widget="addDialog")
        window.do("click", widget="addCancel")
        assert is_quiet(window)

        window.drop(stick / "packs")  # in which there is no model, and nobody misses one
        window.sees("packClose")
        window.do("click", widget="packClose")
        assert is_quiet(window)
        assert "no model" not in window.do("name", widget="window")


def test_a_pack_comes_from_a_second_start_while_another_question_is_open(
    world: Mapping[str, str], tmp_path: Path
) -> None:
    file = pack(tmp_path / "1")
    half = tmp_path / "half.pack"
    half.write_bytes(file.read_bytes()[:1000])
    with PackedWindow(world) as window:
        window.sees("composer")
        open_with_second(world, half)
        window.sees("packDialog")
        assert window.said.startswith("Snug cannot add half.pack")
        open_with_second(world, file)
        open_with_second(world, half)
        time.sleep(1.5)
        assert window.said.startswith("Snug cannot add half.pack")  # nothing opened above it
        window.do("click", widget="packClose")
        window.until(lambda: window.said.startswith(QUESTION), "the others are lost")
        assert "half.pack: The end of the file is missing." in window.said
        window.do("click", widget="packCancel")
        assert not in_use()


def test_what_is_dropped_twice_at_once_is_asked_about_one_after_the_other(
    world: Mapping[str, str], tmp_path: Path
) -> None:
    file = pack(tmp_path / "1")
    with PackedWindow(world) as window:
        window.sees("modelPill")
        window.drop(file)
        window.drop(file)
        window.sees("packDialog")
        assert add(window, stays=True) == ADDED
        window.until(lambda: window.said == THERE, "the second is lost")
        window.do("click", widget="packClose")
        assert is_quiet(window)


def test_what_macos_wants_to_have_opened_is_opened(
    world: Mapping[str, str], tmp_path: Path
) -> None:
    file = pack(tmp_path / "1")
    with PackedWindow(world) as window:
        window.do("file_open", path=str(file))  # before Snug has begun
        window.sees("packDialog")
        assert window.said.startswith(QUESTION)
        window.do("click", widget="packCancel")
        window.until(lambda: not window.do("named", prefix="packDialog"), "it stays open")
        window.do("file_open", path=str(file))
        window.sees("packDialog")


def test_a_pack_that_does_not_work_here_is_told_in_plain_words(
    world: Mapping[str, str], tmp_path: Path
) -> None:
    file = pack(tmp_path / "1", FINDS_NO_DEVICE.replace('"Vulkan"', '"CUDA"'))
    with PackedWindow(world, [file]) as window:
        window.sees("packDialog")
        said = add(window)
        assert "Support for NVIDIA graphics cards was not added." in said
        assert "Snug found no graphics card in this computer that it is for." in said
        assert "Nothing was changed. Snug works as before." in said
        assert not in_use()
        window.say("Hello")  # and it goes on
        assert window.answered(1)


def test_escape_stops_it_and_nothing_stays(world: Mapping[str, str], tmp_path: Path) -> None:
    file = pack(tmp_path / "1")
    with PackedWindow({**world, "PACKED_TRIAL": "1"}, [file]) as window:
        window.sees("packDialog")
        window.do("click", widget="packAdd")
        window.until(lambda: "Trying it out." in window.said, "it does not come to the trial")
        time.sleep(0.6)  # at first it is deaf to keys, which were meant for something else
        window.do("press", widget="packDialog", key="Escape")
        window.until(lambda: not window.do("named", prefix="packDialog"), "it does not stop")
        assert window.do("name", widget="toastText") == "Stopped. Nothing was added."
        assert not list(find().packs.glob("**/*.so"))
        window.drop(file)
        window.sees("packAdd")
        window.do("click", widget="packAdd")
        window.until(lambda: "Trying it out." in window.said, "it does not begin again")
        assert window.close()[0] == 0  # in the middle of it
    assert not in_use()
