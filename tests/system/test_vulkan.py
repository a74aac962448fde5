"""Real models on a real device: Mesa's software Vulkan. The same text, in the memory foretold.

Each load is in a child: a driver that was started once stays in its process.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Queue

import pytest

from engine.child.host import ChildHost
from engine.keeper.planning import Planning
from engine.keeper.proving import ChildProver
from engine.models.shape import read_shape
from engine.planner.estimate.memory import estimate
from engine.planner.spec import spec_of
from engine.types.cancel import CancelToken
from engine.types.generation import Finished, GenerationRequest, TextDelta
from engine.types.history import History
from engine.types.models import Failed, Loaded, LoadedInfo, LoadSpec
from engine.types.plans import Layout, LoadRequest, Reason, Verdict, Wishes
from tests import vulkan
from tests.system.child_talk import WAIT_S, load
from tests.system.talk import GREEDY, SYSTEM, user
from tests.vulkan import DEVICE, by_pool

pytestmark = [pytest.mark.model, pytest.mark.serial]

PLAIN = Layout(context_length=512, ubatch=32, threads=2)
QUESTION = GenerationRequest(
    messages=(SYSTEM, user("What is the capital of France? Answer in one short sentence.")),
    sampling=GREEDY,
    max_tokens=6,
)
"""One full batch, which the device computes whatever lies in main memory, and a small one. The
processor is sure of each word here by 1.5 logits or more; a question whose words were near ties
(0.04 and 0.007) was answered differently, as another batch size would do too."""
_SLOW_S = 240
"""A token takes seconds where a processor plays the device and others are busy."""


@pytest.fixture(scope="module", autouse=True)
def _software_device() -> Iterator[None]:
    with vulkan.approved():
        yield


def on_device(layers: int, *, head: bool = True) -> Layout:
    return replace(
        PLAIN, backends=("vulkan",), device_layers=(layers,), output_on_device=head and layers > 0
    )


@contextmanager
def loaded(path: Path, layout: Layout) -> Iterator[tuple[ChildHost, LoadedInfo]]:
    host = ChildHost("local")
    devices = (DEVICE,) if layout.backends else ()
    event = load(host, LoadSpec(path=path, layout=layout, devices=devices))
    try:
        assert isinstance(event, Loaded), event
        yield host, event.info
    finally:
        assert host.close(WAIT_S)


@pytest.fixture(scope="module")
def processors_text(starter_model: Path) -> str:
    with loaded(starter_model, PLAIN) as (host, _):
        return said(host)


def said(host: ChildHost) -> str:
    events: Queue[object] = Queue()
    host.generate(QUESTION, events.put, CancelToken())
    text = ""
    while not isinstance(event := events.get(timeout=_SLOW_S), Finished | Failed):
        text += event.text if isinstance(event, TextDelta) else ""
    assert isinstance(event, Finished), event
    assert event.stats.prompt_tokens > PLAIN.ubatch
    return text


@pytest.mark.parametrize("layers", [0, 12, 30])
def test_the_device_writes_what_the_processor_writes(
    layers: int, starter_model: Path, processors_text: str
) -> None:
    with loaded(starter_model, on_device(layers)) as (host, info):
        assert info.backend == "vulkan"
        assert said(host) == processors_text
        assert "Paris" in processors_text
        require_foretold(starter_model, on_device(layers), info)


@pytest.mark.parametrize("layers", [0, 7, 18])
def test_a_model_with_windows_takes_of_each_pool_what_was_foretold(
    layers: int, gemma_model: Path
) -> None:
    """Its head is larger than the 128 MiB that this device's shaders reach: it stays."""
    layout = on_device(layers, head=False)
    with loaded(gemma_model, layout) as (_, info):
        require_foretold(gemma_model, layout, info)


def require_foretold(path: Path, layout: Layout, info: LoadedInfo) -> None:
    """Weights, cache and compute buffer of each pool within 3 % of the native log of a true load,
    or within 1 MiB where a pool holds nothing but a small compute buffer.
    A mapped file counts as a whole there, from its first tensor in main memory to its last."""
    for pool, use in zip(("ram", DEVICE), estimate(read_shape(path), layout), strict=True):
        weights, kv, compute = by_pool(info.measured, pool)
        foretold = use.weights_bytes + use.kv_bytes + use.compute_bytes
        case = f"{pool} {use} {info.measured}"
        if pool == "ram":
            assert use.weights_bytes <= weights * 1.001, case
            weights = use.weights_bytes
        assert use.weights_bytes == pytest.approx(weights, rel=0.001, abs=20_000), case
        assert use.kv_bytes == pytest.approx(kv, rel=0.001, abs=20_000), case
        assert foretold == pytest.approx(weights + kv + compute, rel=0.03, abs=1 << 20), case
        assert use.compute_bytes >= compute, case


def test_a_plan_for_the_device_is_measured_rehearsed_and_loaded(starter_model: Path) -> None:
    """The way of every model: children are told which plug-ins are approved, and with what
    settings."""
    report, cancel = vulkan.card_here(), CancelToken()
    planning = Planning(read_report=lambda _: report)
    request = LoadRequest(path=starter_model, wishes=Wishes(context_length=1024))
    made = planning.plan(request, History(), cancel)
    assert made.verdict in (Verdict.FITS, Verdict.FITS_SLOWLY)
    assert Reason.ALL_ON_DEVICE in made.reasons
    assert made.devices == (DEVICE,)
    spec = spec_of(made, starter_model)
    prover = ChildProver()
    measured = prover.measure(spec, cancel)
    rehearsal = prover.rehearse(spec, cancel)
    assert rehearsal.measured.kv_bytes == measured.kv_bytes
    assert rehearsal.measured.compute_bytes == measured.compute_bytes
    assert dict(measured.kv_bytes).keys() == {DEVICE}
    assert rehearsal.prompt_tokens == made.layout.ubatch
    with loaded(starter_model, spec.layout) as (_, info):
        assert info.measured.kv_bytes == measured.kv_bytes
        assert info.measured.compute_bytes == measured.compute_bytes
