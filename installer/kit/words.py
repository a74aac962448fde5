"""The words of START-HERE.html, a file for each language, and the little markup in them."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

from devenv.places import ROOT
from engine.models.catalogue import ModelPurpose

HERE = Path(__file__).resolve().parent / "data"
LANGUAGES = ("en", "zh-Hans")
PURPOSES = {
    ModelPurpose.TINY: "Short answers, on almost any computer.",
    ModelPurpose.QUICK: "Quick answers, easy on the battery.",
    ModelPurpose.EVERYDAY: "Everyday writing and questions.",
    ModelPurpose.CAREFUL: "Longer, more careful texts.",
    ModelPurpose.LONG: "Long, careful texts.",
    ModelPurpose.HARD: "Hard problems, step by step.",
    ModelPurpose.STUDY: "Studying, sums and step-by-step answers.",
    ModelPurpose.CODE: "Programs and technical questions.",
    ModelPurpose.LANGUAGES: "Writing and translating in many languages.",
    ModelPurpose.MANY_LANGUAGES: "Speaks more than 70 languages.",
    ModelPurpose.PICTURES: "Made for pictures too. Snug uses it for text so far.",
}
"""As the window says it; a test compares them with its translations."""
_STRONG = re.compile(r"\*\*(.+?)\*\*")


class Words:
    """Those of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        text = (HERE / f"words.{language}.json").read_text(encoding="utf-8")
        self._said: Mapping[str, str] = json.loads(text)

    def plain(self, key: str, **values: object) -> str:
        """For HTML, without markup."""
        return escape(self._said[key].format(**values))

    def html(self, key: str, **values: object) -> str:
        """With `**words**` strong. `values` are HTML already."""
        strong = _STRONG.sub(r"<strong>\1</strong>", escape(self._said[key], quote=False))
        return strong.format(**values)

    def purpose(self, purpose: ModelPurpose) -> str:
        english = PURPOSES[purpose]
        return escape(english if self.language == "en" else _translated()[english])


@cache
def _translated() -> dict[str, str]:
    """What the window says in Chinese of a model's purpose."""
    file = ROOT / "resources" / "translations" / "snug_zh_CN.ts"
    contexts = ET.parse(file).iter("context")  # noqa: S314 - our own file
    context = next(found for found in contexts if found.findtext("name") == "Purpose")
    pairs = ((m.findtext("source"), m.findtext("translation")) for m in context.iter("message"))
    return {source: translation for source, translation in pairs if source and translation}
