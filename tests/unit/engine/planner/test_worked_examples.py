"""The table of worked examples in engine.md §4.6: the same kind of decision.

It was judged before budgets were settled. Where the context differs the reason stands beside it:
recorded machines have 65 % of their memory available, and one longer step did not fit that.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.planner.place import plan
from engine.types.plans import KvType, Plan, Verdict, Wishes
from engine.types.shapes import Alternative
from tests.machines import RECORDED
from tests.unit.engine.planner.conftest import Shapes


@dataclass(frozen=True, kw_only=True)
class Example:
    """`kind`: all on devices, with experts in main memory, in part, on the processor, refused."""

    machine: str
    model: str
    kind: str
    context: int = 0
    kv_type: KvType = KvType.F16
    ubatch: int = 0


def example(machine: str, model: str, kind: str, context: int = 0, **more: object) -> Example:
    return Example(machine=machine, model=model, kind=kind, context=context, **more)  # type: ignore[arg-type]


Q8 = KvType.Q8_0
EXAMPLES = (
    example("m1_8gb", "llama-3.2-1b", "all", 4096),
    example("m1_8gb", "qwen3-4b", "all", 4096),
    example("m1_8gb", "llama-3-8b", "refuse"),
    example("m1_16gb_kv_overflow", "llama-3-8b", "all", 8192),
    example("m1_16gb_kv_overflow", "gpt-oss-20b", "refuse"),
    example("m3max_64gb_proxy", "qwen3-30b-a3b", "all", 40960),  # trained for that, not for 65536
    example("m3max_64gb_proxy", "llama-3-70b", "all", 4096),  # 41.6 GiB are available, not 44.3
    example("gtx1650_4gb", "qwen3-4b", "part", 4096, kv_type=Q8, ubatch=128),
    example("gtx1650_4gb", "llama-3-8b", "part", 4096, kv_type=Q8, ubatch=128),
    example("rtx4060_laptop_win", "llama-3-8b", "all", 8192),
    example("rtx4060_laptop_win", "gpt-oss-20b", "experts", 8192, kv_type=Q8, ubatch=256),
    example("rtx4060_laptop_win", "qwen3-30b-a3b", "experts", 8192, kv_type=Q8, ubatch=256),
    example("rtx4060_laptop_win", "llama-3-70b", "refuse"),
    example(
        "dual3090", "llama-3-70b", "all", 16384, kv_type=Q8
    ),  # 32768 was tight: "fall to 16384"
    example("arc_a770", "llama-3-8b", "all", 16384),
    example("arc_a770", "gpt-oss-20b", "all", 16384),
    example("radeon680m", "qwen3-4b", "all", 16384, ubatch=128),
    example("radeon680m", "llama-3-8b", "all", 16384, ubatch=128),
    example("steamdeck", "qwen3-4b", "all", 8192, ubatch=128),
    example("steamdeck", "llama-3-8b", "all", 8192, ubatch=128),
    example("strixhalo_carve96_linux", "llama-3-70b", "all", 65536),
    example("intel_mac_5600m", "llama-3-8b", "processor", 8192),
    example("n100_16gb", "llama-3-8b", "processor", 8192),
    example("celeron_j4125_noavx", "llama-3.2-1b", "processor", 4096),
    example("celeron_j4125_noavx", "llama-3-8b", "refuse"),
    example("rx9060xt_underflow", "gpt-oss-20b", "all", 16384),
)


def kind_of(made: Plan) -> str:
    if made.verdict is Verdict.TOO_BIG:
        return "refuse"
    if made.layout.expert_layers_in_ram:
        return "experts"
    if not made.gpu_layers:
        return "processor"
    return "all" if made.gpu_layers == made.layers else "part"


@pytest.mark.parametrize("wanted", EXAMPLES, ids=lambda e: f"{e.machine}-{e.model}")
def test_the_decision_is_the_one_of_the_table(wanted: Example, shapes: Shapes) -> None:
    made = plan(RECORDED[wanted.machine], shapes[wanted.model], Wishes())
    assert kind_of(made) == wanted.kind
    if wanted.context:
        assert made.layout.context_length == wanted.context
        assert made.layout.kv_type is wanted.kv_type
    if wanted.ubatch:
        assert made.layout.ubatch == wanted.ubatch


def test_a_mac_of_8_gb_is_offered_the_model_of_4_billion(shapes: Shapes) -> None:
    names = ("smollm2-135m", "qwen3-4b", "llama-3-8b", "llama-3-70b")
    known = [Alternative(name=name, path=Path(name), shape=shapes[name]) for name in names]
    made = plan(RECORDED["m1_8gb"], shapes["llama-3-8b"], Wishes(), known)
    assert made.offer is not None
    assert made.offer.model == "qwen3-4b"
    assert made.offer.verdict is Verdict.FITS
