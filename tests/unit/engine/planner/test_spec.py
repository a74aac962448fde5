"""From plan to spec."""

from pathlib import Path

from engine.planner.place import plan
from engine.planner.spec import spec_of
from engine.types.plans import Wishes
from tests.machines import RECORDED
from tests.unit.engine.planner.conftest import Shapes


def test_a_spec_says_what_the_plan_says(shapes: Shapes) -> None:
    made = plan(RECORDED["dual3090"], shapes["llama-3-70b"], Wishes())
    spec = spec_of(made, Path("model.gguf"))
    assert (spec.path, spec.layout, spec.devices) == (
        Path("model.gguf"), made.layout, ("CUDA0", "CUDA1"),
    )  # fmt: skip
