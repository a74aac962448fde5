"""A Models page with a few models of each kind."""

import pytest

from engine.types.library import Owner, Trouble
from engine.types.plans import Verdict
from tests.unit.ui.models import stock
from tests.unit.ui.models.page_window import PageWindow


@pytest.fixture
def page_window():
    made = PageWindow()
    made.library.models_there = [
        stock.model("Gemma 3 4B"),
        stock.model("Qwen3 1.7B", Owner.PROGRAM),
        stock.model("Huge"),
        stock.model("Broken", trouble=Trouble.PARTS_MISSING),
        stock.model("Llama 8B", Owner.OLLAMA),
    ]
    made.library.chosen = "gemma-3-4b"
    made.library.plans = {
        "gemma-3-4b": stock.plan(Verdict.FITS, 4),
        "qwen3-1.7b": stock.plan(Verdict.FITS, 2),
        "huge": stock.plan(Verdict.TOO_BIG, 44),
    }
    made.shop.judgements = [
        stock.judged("smollm3-3b", Verdict.FITS, 3, size_gb=2.0, best=True),
        stock.judged("gpt-oss-20b", Verdict.TOO_BIG, 13, size_gb=12.1),
    ]
    return made
