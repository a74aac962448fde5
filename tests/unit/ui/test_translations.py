"""Chinese is complete and what is shipped is what the sources say.

After a change of words: lupdate over `ui/`, translate, lrelease; see the commands below.
"""

import re
import subprocess
from html import unescape
from pathlib import Path

import PySide6
import pytest
from PySide6.QtCore import QLibraryInfo, QTranslator

from app.paths import RESOURCES
from ui.shell import languages

ROOT = Path(__file__).parents[3]
TS = RESOURCES / "translations" / "snug_zh_CN.ts"
QM = TS.with_suffix(".qm")
_TOOLS = Path(PySide6.__file__).parent
_MESSAGE = re.compile(
    r"<source>(.*?)</source>\s*<translation( [^>]*)?>(.*?)</translation>", re.DOTALL
)
_CONTEXT = re.compile(r"<name>(.*?)</name>(.*?)</context>", re.DOTALL)


def run(tool, *arguments):
    subprocess.run([_TOOLS / tool, *arguments], check=True, capture_output=True, timeout=60)


def entries(path):
    """(context, source) -> (state, translation)."""
    found = {}
    for name, body in _CONTEXT.findall(path.read_text("utf-8")):
        for source, state, translation in _MESSAGE.findall(body):
            found[name, unescape(source)] = (state, unescape(translation))
    return found


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """What lupdate finds in the sources now."""
    made = tmp_path_factory.mktemp("ts") / "snug_zh_CN.ts"
    sources = sorted(str(path) for path in (ROOT / "ui").rglob("*.py"))
    run("lupdate", *sources, "-ts", made, "-no-obsolete", "-locations", "none")
    return entries(made)


def test_every_string_of_the_window_is_in_the_file_and_no_other(fresh):
    assert set(fresh) == set(entries(TS))


def test_every_string_is_translated():
    unfinished = [key for key, (state, text) in entries(TS).items() if state or not text.strip()]
    assert unfinished == []


def test_placeholders_and_leading_and_trailing_spaces_survive():
    for (_, source), (_, text) in entries(TS).items():
        assert sorted(re.findall(r"\{\w+\}", source)) == sorted(re.findall(r"\{\w+\}", text))


def test_chinese_uses_full_width_marks_and_is_polite():
    for _, text in entries(TS).values():
        assert not re.search(r"[\u4e00-\u9fff][,;:?!.]", text), text
        assert "你" not in text


def test_the_compiled_file_is_current(tmp_path):
    made = tmp_path / "fresh.qm"
    run("lrelease", TS, "-qm", made)
    assert made.read_bytes() == QM.read_bytes()


def test_the_compiled_file_speaks(qapp):
    translator = QTranslator()
    assert translator.load(str(QM))
    assert translator.translate("Sidebar", "New chat") == "新对话"


def test_qt_brings_its_own_chinese(qapp):
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    assert (folder / "qtbase_zh_CN.qm").exists()


@pytest.mark.parametrize(
    ("choice", "system", "language"),
    [
        ("system", ["zh-Hans-CN", "en"], "zh_CN"),
        ("system", ["zh"], "zh_CN"),
        ("system", ["zh-Hant-TW", "zh-TW"], "en"),
        ("system", ["fr-FR", "en-GB", "zh-CN"], "en"),
        ("system", [], "en"),
        ("en", ["zh-CN"], "en"),
        ("zh_CN", ["en-GB"], "zh_CN"),
    ],
)
def test_the_language_is_the_persons_or_the_systems(choice, system, language):
    assert languages.resolved(choice, system) == language
