"""The Models page, driven as a person would: choose, pause, resume, fail, retry, use, chat."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.hands.outside import RealWindow
from tests.hands.screen import virtual_screen
from tests.servers.hub import Hub, OnDisk, Repo, hub_server

pytestmark = [pytest.mark.model, pytest.mark.serial]

ENTRY = "smollm3-3b"
NAME = "SmolLM3 3B"
REPO = "ggml-org/SmolLM3-3B-GGUF"
FILE = "SmolLM3-Q4_K_M.gguf"
FRANCE = "What is the capital of France?"
SLOW_BYTES_PER_S = 2_000_000
WAIT_S = 240
"""Other tests may need the processor too."""


@pytest.fixture(params=["offscreen", pytest.param("xvfb", marks=pytest.mark.xvfb)])
def screen(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    offscreen = nullcontext({"QT_QPA_PLATFORM": "offscreen"})
    with virtual_screen() if request.param == "xvfb" else offscreen as environment:
        yield environment


@pytest.fixture
def hub(starter_model: Path, snug_home: Path) -> Iterator[Hub]:
    """What is asked for there is small and real, whatever its name says."""
    repo = Repo(id=REPO, files={FILE: OnDisk(starter_model)})
    with hub_server(repo) as server:
        settings = {"hub": server.address, "language": "en", "other_programs": False}
        (snug_home / "settings.json").write_text(json.dumps(settings), "utf-8")
        yield server


class Page:
    """The page as a person sees it."""

    def __init__(self, window: RealWindow) -> None:
        self.window = window
        self.seen: list[int] = []

    def open(self) -> None:
        self.window.until(lambda: self.window.do("shown", widget="modelPill"), "no model", WAIT_S)
        self.window.do("click", widget="openModels")
        self.window.until(lambda: self.window.do("shown", widget="modelsPage"), "no page", WAIT_S)

    def button(self, kind: str) -> str:
        found: list[str] = self.window.do("named", prefix=f"{kind}:")
        return found[0] if found else ""

    def press(self, kind: str, timeout_s: float = WAIT_S) -> None:
        name = self.window.until(lambda: self.button(kind), f"no {kind}", timeout_s)
        self.window.do("click", widget=name)

    @property
    def said(self) -> str:
        """What is read out of the row of the download."""
        row = self.button("download")
        return str(self.window.do("name", widget=row)) if row else ""

    @property
    def models(self) -> list[str]:
        """What is read out of the rows of the models on this computer."""
        rows = [name for name in self.window.do("named", prefix="model:") if name.count(":") == 1]
        return [str(self.window.do("name", widget=row)) for row in rows]

    @property
    def percent(self) -> int:
        """Of the bar, which must never go back."""
        bar = self.button("progress")
        if not bar:
            return self.seen[-1] if self.seen else 0
        name = str(self.window.do("name", widget=bar))
        self.seen.append(int(name.rpartition(" ")[2].removesuffix("%")))
        return self.seen[-1]

    def reaches(self, percent: int) -> None:
        self.window.until(lambda: self.percent >= percent, f"never at {percent} %", WAIT_S)


def test_choose_pause_resume_fail_retry_and_chat(
    screen: dict[str, str], hub: Hub, tmp_path: Path
) -> None:
    hub.slow_down(SLOW_BYTES_PER_S)
    with RealWindow(**screen) as window:
        page = Page(window)
        page.open()
        window.until(lambda: window.do("shown", widget="machineCard"), "no memory", WAIT_S)
        assert hub.seen() == []  # nothing is asked before a person's act
        window.do("click", widget="chip:languages")
        get = f"get:{ENTRY}"
        window.until(lambda: window.do("shown", widget=get), "not on offer", WAIT_S)
        assert window.do("name", widget=get).startswith(f"Get {NAME}, ")
        window.do("click", widget=get)

        page.reaches(5)
        window.do("grab", path=str(tmp_path / "running.png"))
        page.press("pause")
        window.until(lambda: "Paused at" in page.said, "it does not pause", 30)
        held = page.percent
        page.press("play")
        page.reaches(held + 5)

        hub.vanish()
        window.until(lambda: "The connection dropped" in page.said, "it does not fail", WAIT_S)
        window.do("grab", path=str(tmp_path / "failed.png"))
        assert "Nothing is lost" in page.said
        hub.appear()
        hub.slow_down(0)
        page.press("resume")
        page.press("useNow")
        assert page.seen == sorted(page.seen), "progress went back"

        window.until(lambda: window.do("shown", widget="composer"), "not at the chat", WAIT_S)
        window.say(FRANCE)
        assert has_words(window.answered(1, WAIT_S))
        window.do("click", widget="openModels")
        window.until(lambda: f"{NAME}. In use" in page.models, "it is not in use", WAIT_S)
        window.do("grab", path=str(tmp_path / "library.png"))
        code, _, errors = window.close()
    assert (code, errors) == (0, "")


def has_words(answer: str) -> bool:
    """So small a model says anything where the starter's own settings do not hold it."""
    return len(answer.partition(":")[2].split()) >= 3


TOKEN = "hf_" + "a" * 34


@pytest.fixture
def gated(starter_model: Path, snug_home: Path) -> Iterator[Hub]:
    repo = Repo(id=REPO, files={FILE: OnDisk(starter_model)}, gated="manual")
    with hub_server(repo, tokens={TOKEN: frozenset({REPO})}) as server:
        settings = {"hub": server.address, "language": "en", "other_programs": False}
        (snug_home / "settings.json").write_text(json.dumps(settings), "utf-8")
        yield server


def test_what_wants_a_key_asks_for_it_and_then_comes(gated: Hub, tmp_path: Path) -> None:
    with RealWindow(QT_QPA_PLATFORM="offscreen") as window:
        page = Page(window)
        page.open()
        window.do("click", widget="chip:languages")
        window.until(lambda: window.do("shown", widget=f"get:{ENTRY}"), "not on offer", WAIT_S)
        window.do("click", widget=f"get:{ENTRY}")
        window.until(lambda: window.do("shown", widget="tokenDialog"), "it does not ask", WAIT_S)
        window.do("type", widget="tokenField", text=TOKEN)
        window.do("press", widget="tokenField", key="Return")
        window.until(lambda: window.do("shown", widget="toast"), "nothing is said", WAIT_S)
        window.do("grab", path=str(tmp_path / "kept.png"))
        page.press("useNow")
        window.say(FRANCE)
        assert has_words(window.answered(1, WAIT_S))
        code, _, errors = window.close()
    assert (code, errors) == (0, "")
    assert next(one.token for one in gated.seen("hub")) is None
    assert TOKEN in {one.token for one in gated.seen("hub")}
    assert {one.token for one in gated.seen("cdn")} == {None}  # it goes nowhere else
