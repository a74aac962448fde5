"""The catalogue by hand: sound, and its first judgement that of the true headers."""

import re
from collections import Counter
from pathlib import Path

import pytest

from app.paths import RESOURCES
from engine.models.catalogue import Entry, ModelClass, read_catalogue
from engine.models.reading import read_chat_model
from engine.models.sketch import sketch
from engine.planner.place import plan
from engine.types.plans import Verdict, Wishes
from tests.machines import RECORDED, machine
from tests.zoo import write

ENTRIES = {entry.id: entry for entry in read_catalogue(RESOURCES / "catalogue.json")}
TRUE_HEADERS = {
    "qwen3.5-4b": "qwen3.5-4b",
    "qwen3-4b-2507": "qwen3-4b",
    "gpt-oss-20b": "gpt-oss-20b",
    "granite-4-tiny": "granite-4-h-tiny",
    "qwen3-vl-8b": "qwen3-vl-8b",
    "qwen3-coder-30b": "qwen3-30b-a3b",
}
"""Entries whose architecture the zoo has, of the same size."""
PUBLISHED_BYTES = {
    "qwen3.5-4b": 2_740_937_888,
    "qwen3.5-2b": 1_280_835_840,
    "qwen3.5-35b-a3b": 22_016_023_168,
    "gemma-4-12b": 7_381_382_048,
    "ministral-3-3b": 2_147_023_008,
    "ministral-3-8b": 5_198_911_904,
    "ministral-3-14b": 8_239_593_024,
    "gpt-oss-20b": 12_109_566_624,
    "qwen3-4b-2507": 2_497_280_736,
    "phi-4-mini": 2_491_874_272,
    "lfm2.5-1.2b": 730_895_168,
    "lfm2-8b-a1b": 5_044_779_712,
    "smollm3-3b": 1_915_305_312,
}
"""What others have recorded of these files; only to see how far off a sketch is."""


def test_it_has_about_twenty_models_of_every_class() -> None:
    classes = Counter(kind for entry in ENTRIES.values() for kind in entry.classes)
    assert 18 <= len(ENTRIES) <= 25
    assert all(classes[kind] >= 3 for kind in ModelClass), classes


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_every_entry_is_whole(entry: Entry) -> None:
    assert re.fullmatch(r"[\w.-]+/[\w.-]+", entry.repo)
    assert all((entry.name, entry.maker, entry.licence, entry.classes))
    assert 0 < entry.active_parameters <= entry.parameters
    assert 0 < entry.numbers.attention_layers <= entry.numbers.layers
    assert entry.numbers.kv_heads <= entry.numbers.heads
    assert entry.numbers.experts_used <= entry.numbers.experts


def test_ids_names_and_ranks_tell_models_apart() -> None:
    for values in (
        [entry.name for entry in ENTRIES.values()],
        [entry.repo for entry in ENTRIES.values()],
        [entry.rank for entry in ENTRIES.values()],
    ):
        assert len(set(values)) == len(values), Counter(values).most_common(2)


@pytest.mark.parametrize("name", PUBLISHED_BYTES)
def test_a_sketch_is_about_as_large_as_the_file(name: str) -> None:
    assert sketch(ENTRIES[name]).file_bytes == pytest.approx(PUBLISHED_BYTES[name], rel=0.06)


@pytest.mark.parametrize("name", TRUE_HEADERS)
def test_a_sketch_is_judged_as_the_true_header_on_every_machine(name: str, tmp_path: Path) -> None:
    _facts, true = read_chat_model(write(TRUE_HEADERS[name], tmp_path))
    rough = sketch(ENTRIES[name])
    for machine_name, report in RECORDED.items():
        expected = plan(report, true, Wishes()).verdict
        assert plan(report, rough, Wishes()).verdict is expected, machine_name


@pytest.mark.parametrize("total_gib", [4, 8, 16, 32, 64])
def test_something_runs_well_on_every_usual_computer(total_gib: int) -> None:
    report = machine(total_gib)
    verdicts = Counter(plan(report, sketch(entry), Wishes()).verdict for entry in ENTRIES.values())
    assert verdicts[Verdict.FITS] >= 3
    assert verdicts[Verdict.UNKNOWN] == 0
