"""Predicted memory against what really loaded models take, each in a process of its own."""

import sys
from pathlib import Path

import pytest

from engine.types.plans import Layout
from tests.true_loads import LAYOUTS, load, predicted

_CLOSE_BYTES = 20_000_000
_CLOSE_SHARE = 0.05


def _name(layout: Layout) -> str:
    return f"{layout.context_length}-{layout.kv_type.value}"


@pytest.mark.model
@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is counted as Linux does")
@pytest.mark.parametrize("layout", LAYOUTS, ids=_name)
@pytest.mark.parametrize("model", ["starter_model", "gemma_model"])
def test_a_real_load_takes_what_was_predicted(
    model: str, layout: Layout, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(model)
    use, real = predicted(path, layout), load(path, layout)
    off = use.total_bytes - real.growth_bytes
    allowed = max(_CLOSE_BYTES, real.growth_bytes * _CLOSE_SHARE)
    assert abs(off) <= allowed, f"{use}, total {use.total_bytes}: measured {real.growth_bytes}"
