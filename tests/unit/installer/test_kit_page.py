"""START-HERE.html: it names what is there, asks nobody for anything, and reads the same twice."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from devenv.places import ROOT
from engine.models.catalogue import ModelPurpose
from kit import page, words
from kit.contents import START, Asked, Contents, collect
from kit.models import KitModel
from tests import ggufs
from tests.split_gguf import split
from tests.unit.installer.kit_shelf import INSTALLERS, MADE_S, PACKS, asked, filled, made


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return filled(tmp_path)


class Page(HTMLParser):
    """Tags, links, words and ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.said = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attrs)
        self.links += [found["href"] or ""] if "href" in found else []
        self.ids |= {found["id"] or ""} if "id" in found else set()
        assert not [name for name in found if name.startswith("on") or name == "src"]
        if tag not in ("meta", "path", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.said += data


def test_the_page_is_whole_and_its_links_lead_somewhere(shelf: Path) -> None:
    kit = made(shelf)
    found = Page((kit / START).read_text(encoding="utf-8"))
    assert not found.open
    for link in found.links:
        assert link[1:] in found.ids if link.startswith("#") else (kit / unquote(link)).exists()
    assert {"en", "zh-Hans"} <= found.ids
    assert set(found.links) == {"#en", "#zh-Hans", "models/", "packs/", "licences/"}, (
        "a browser downloads an installer that is a link, away from what lies beside it"
    )
    assert "svg" in found.tags
    assert not {"script", "link", "img", "iframe", "object"} & set(found.tags)


def test_the_page_asks_the_network_for_nothing(shelf: Path) -> None:
    text = (made(shelf) / START).read_text(encoding="utf-8")
    assert re.findall(r"https?:[^\"\s]*", text) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in text
    assert "default-src 'none'" in text


def test_the_page_names_all_that_is_there_and_nothing_else(shelf: Path) -> None:
    whole = page.document(collect(asked(shelf)), MADE_S)
    for name in (
        *INSTALLERS,
        "Tiny.gguf",
        PACKS[1],
        "macOS 13.3",
        "More info",
        "Run anyway",
        "仍要运行",
    ):
        assert name in whole, name
    only_linux = Asked(version="1.2.3", installers=(shelf / "installers",))
    for name in INSTALLERS[:2]:
        (shelf / "installers" / name).unlink()
    text = page.document(collect(only_linux), MADE_S)
    said = Page(text).said
    for name in ("Windows", "Run anyway", "Mac", "models", "packs", "PowerShell"):
        assert name not in said, name


def test_names_are_words_and_no_markup() -> None:
    evil = "<img src=x onerror=alert(1)>&amp;\"'"
    model = KitModel(
        name=evil,
        files=(Path("a&b.gguf"),),
        size_bytes=10**9,
        licence=evil,
        purpose=None,
        talks=True,
    )
    contents = Contents(
        version=evil, installers=(), packs=(), models=(model,), model_files=(), licences=()
    )
    text = page.document(contents, MADE_S)
    assert "<img" not in text
    assert Page(text).said.count(evil) >= 2 * 2
    assert "a&amp;b.gguf" in text


def test_a_known_model_says_what_it_is_for(shelf: Path) -> None:
    (shelf / "models" / "Tiny.gguf").rename(shelf / "models" / "Qwen3.5-4B-Q4_K_M.gguf")
    text = page.document(collect(asked(shelf)), MADE_S)
    assert "<h3>Qwen3.5 4B</h3><p>Everyday writing and questions.</p>" in text
    assert "日常写作和提问。" in text


def test_an_unknown_model_speaks_for_itself(shelf: Path) -> None:
    changed = ggufs.chat({"general.name": "Own one", "general.license": "mit"})
    (shelf / "models" / "Tiny.gguf").write_bytes(changed)
    model = collect(asked(shelf)).models[0]
    assert (model.name, model.licence, model.purpose) == ("Own one", "mit", None)


def test_parts_of_a_model_are_one_model(shelf: Path) -> None:
    whole = shelf / "models" / "Tiny.gguf"
    split(whole, shelf / "models", 2, "Two")
    whole.unlink()
    contents = collect(asked(shelf))
    assert [len(model.files) for model in contents.models] == [2]
    assert [file.name for file in contents.model_files] == [
        "models/Two-00001-of-00002.gguf",
        "models/Two-00002-of-00002.gguf",
    ]


def test_both_languages_say_the_same() -> None:
    said = {
        language: json.loads((words.HERE / f"words.{language}.json").read_text(encoding="utf-8"))
        for language in words.LANGUAGES
    }
    english, chinese = said["en"], said["zh-Hans"]
    assert list(english) == list(chinese)
    for key, text in english.items():
        assert re.findall(r"\{\w+\}", text) == re.findall(r"\{\w+\}", chinese[key]), key
        assert text.count("**") == chinese[key].count("**"), key


def test_purposes_are_said_as_in_the_window() -> None:
    assert set(words.PURPOSES) == set(ModelPurpose)
    chinese = words.Words("zh-Hans")
    assert all(chinese.purpose(purpose) for purpose in ModelPurpose)
    source = (ROOT / "ui/models/page_words.py").read_text(encoding="utf-8")
    assert all(f'"{text}"' in source for text in words.PURPOSES.values())


def test_the_page_can_be_read_in_light_and_dark() -> None:
    style = page._style()
    assert "prefers-color-scheme: dark" in style
    assert "@LIGHT@" not in style
    used, known = set(re.findall(r"var\((--\w+)\)", style)), set(re.findall(r"(--\w+):", style))
    assert used == known
