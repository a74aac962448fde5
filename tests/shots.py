"""Takes the pictures of README.md anew: the real window, the real model, on a virtual screen.

`python3 dev.py shots` runs it. Each picture is a chat as it happened, at twice the size.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from tests.hands.outside import RealWindow  # noqa: E402
from tests.hands.screen import virtual_screen  # noqa: E402

PICTURES = ROOT / "resources" / "pictures"
CHATS = (
    ("List three easy soups for a cold day.",),
    ("Give me five tips for a good night's sleep.",),
    ("Explain what a lighthouse is for in two sentences.",
     "Write a Python function that adds two numbers."),
)  # fmt: skip


def wait_for_answer(window: RealWindow) -> None:
    window.until(lambda: window.do("shown", widget="stop"), "it does not begin")
    window.until(lambda: not window.do("shown", widget="stop"), "it does not end", 180)


def ready(window: RealWindow) -> bool:
    name = window.do("name", widget="modelPill")
    return "SmolLM2" in name and "," not in name


def talk(window: RealWindow) -> None:
    for chat in CHATS:
        window.do("click", widget="newChat")
        for question in chat:
            window.say(question)
            wait_for_answer(window)


def take(home: Path, theme: str, name: str) -> None:
    settings = {"theme": theme, "language": "en"}
    kept = home / "settings.json"
    if kept.exists():
        settings = {**json.loads(kept.read_text("utf-8")), **settings}
    kept.write_text(json.dumps(settings), "utf-8")
    with (
        virtual_screen("2600x1800x24") as screen,
        RealWindow(**screen, SNUG_HOME=str(home), QT_SCALE_FACTOR="2") as window,
    ):
        window.until(lambda: ready(window), "no model")
        if not (home / "talked").exists():
            talk(window)
            (home / "talked").touch()
        window.until(lambda: len(window.turns()) >= 2, "no chat on the screen")
        window.do("grab", path=str(PICTURES / f"{name}.png"))
        window.close()


def main() -> None:
    os.environ.pop("QT_QPA_PLATFORM", None)
    PICTURES.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp())
    try:
        take(home, "light", "chat-light")
        take(home, "dark", "chat-dark")
    finally:
        shutil.rmtree(home)


if __name__ == "__main__":
    main()
