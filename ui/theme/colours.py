"""The colour tokens of the three themes, as typed values. No other module names a colour."""

import json
from dataclasses import dataclass, fields
from functools import cache

from PySide6.QtGui import QColor

from app.paths import RESOURCES


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """One theme. What each token is for stands in the design's colour table."""

    window: QColor
    sidebar: QColor
    sunken: QColor
    raised: QColor
    bubble: QColor
    hover: QColor
    hover_up: QColor
    selected: QColor
    border: QColor
    control: QColor
    line: QColor
    text: QColor
    text2: QColor
    text3: QColor
    disabled: QColor
    accent: QColor
    accent_hover: QColor
    accent_pressed: QColor
    on_accent: QColor
    accent_soft: QColor
    accent_soft_text: QColor
    accent_off: QColor
    focus: QColor
    good: QColor
    good_soft: QColor
    good_fill: QColor
    warn: QColor
    warn_soft: QColor
    warn_fill: QColor
    bad: QColor
    bad_soft: QColor
    bad_fill: QColor
    info: QColor
    info_soft: QColor
    info_fill: QColor
    slot: QColor
    scrim: QColor
    c_key: QColor
    c_str: QColor
    c_num: QColor
    c_com: QColor
    c_fn: QColor
    lamp: QColor
    lamp_edge: QColor
    dusk: QColor
    on_bad: QColor
    toast: QColor
    toast_link: QColor


def _colour(text: str) -> QColor:
    if not text.startswith("rgba("):
        return QColor(text)
    red, green, blue, alpha = text.removeprefix("rgba(").removesuffix(")").split(",")
    return QColor(int(red), int(green), int(blue), round(float(alpha) * 255))


@cache
def colours(theme: str) -> Colours:
    """The tokens of `theme`: "light", "dark" or "hc"."""
    tokens = json.loads((RESOURCES / "tokens.json").read_text("utf-8"))["themes"][theme]
    return Colours(**{field.name: _colour(tokens[field.name]) for field in fields(Colours)})
