"""Models worth having, chosen by hand: who made them, what for, where they are, and the few
published numbers from which a first judgement can be made before any network is asked.

Sizes and hashes are not in it: the hub tells them when a person asks. Pure, but for one file."""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from engine.types.hub import HubKind


class ModelClass(StrEnum):
    GENERAL = "general"
    SMALL = "small"
    STUDYING = "studying"
    CODING = "coding"
    LANGUAGES = "languages"
    VISION = "vision"


class ModelPurpose(StrEnum):
    """What a model is good for, in a line that `ui/` and the command line have the words of."""

    TINY = "tiny"
    QUICK = "quick"
    EVERYDAY = "everyday"
    CAREFUL = "careful"
    LONG = "long"
    HARD = "hard"
    STUDY = "study"
    CODE = "code"
    LANGUAGES = "languages"
    MANY_LANGUAGES = "many_languages"
    PICTURES = "pictures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Sizes as their makers publish them (config.json). `attention_layers` keep a whole context,
    the others a window or a state; `feed_forward` is the dense part, 0 where there is none."""

    layers: int
    attention_layers: int
    width: int
    heads: int
    kv_heads: int
    head_width: int
    feed_forward: int
    vocabulary: int
    window: int = 0
    tied: bool = True
    experts: int = 0
    experts_used: int = 0
    expert_feed_forward: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One model. `rank`: the larger, the better its answers (chosen by hand). `repo` is its place
    at Hugging Face, `modelscope` that at ModelScope, "" where it is not known to be there.
    `sees`: there is a projector beside it, for pictures. `active_parameters` a token reads."""

    id: str
    name: str
    maker: str
    licence: str
    classes: frozenset[ModelClass]
    repo: str
    quantization: str
    purpose: ModelPurpose
    rank: int
    parameters: int
    active_parameters: int
    context_length: int
    numbers: Numbers
    sees: bool = False
    modelscope: str = ""

    def repo_at(self, kind: HubKind) -> str:
        """ "" where that hub is not known to have it."""
        return self.modelscope if kind is HubKind.MODELSCOPE else self.repo


def read_catalogue(path: Path) -> tuple[Entry, ...]:
    """The entries of resources/catalogue.json."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return tuple(_entry(fields) for fields in found["models"])


def _entry(fields: dict[str, Any]) -> Entry:
    read = {
        **fields,
        "classes": frozenset(map(ModelClass, fields["classes"])),
        "purpose": ModelPurpose(fields["purpose"]),
        "numbers": Numbers(**fields["numbers"]),
        "active_parameters": fields.get("active_parameters", fields["parameters"]),
    }
    return Entry(**read)
