"""Plans for those who only want to know: like the keeper's, made again when memory changes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.events import ModelReady, ModelUnloaded
from app.judging import Judge
from engine.errors import Cancelled, NotAModel
from engine.guard.record import Record
from engine.keeper.machine import Machine
from engine.models.reading import read_chat_model
from engine.models.scaled import scaled
from engine.planner import place
from engine.types.cancel import CancelToken
from engine.types.hardware import HardwareReport
from engine.types.models import LoadedInfo, LoadSpec, UnloadReason
from engine.types.plans import Layout, Plan, PoolUse, Use, Verdict, Wishes
from engine.types.shapes import ModelShape
from tests import zoo
from tests.machines import RECORDED
from tests.unit.app.plans import plan

MACHINE = next(iter(RECORDED.values()))
GIB = 1 << 30


class ThisMachine:
    """Always as the test says; counts who asks."""

    def __init__(self) -> None:
        self.available_bytes = MACHINE.memory.available_bytes

    def report(self, cancel: CancelToken | None = None) -> HardwareReport:
        memory = replace(MACHINE.memory, available_bytes=self.available_bytes)
        return replace(MACHINE, memory=memory)


class Desk:
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.machine = ThisMachine()
        self.wishes: list[Wishes] = []
        machine: Machine = self.machine  # type: ignore[assignment]
        self.judge = Judge(lambda: Record(folder / "lessons.json", "test"), lambda _: machine)
        true_plan = place.plan

        def counted(report: HardwareReport, shape: ModelShape, wishes: Wishes) -> Plan:
            self.wishes.append(wishes)
            return true_plan(report, shape, wishes)

        monkeypatch.setattr(place, "plan", counted)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    return Desk(tmp_path, monkeypatch)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return zoo.write("smollm2-135m", tmp_path)


def test_a_file_and_its_shape_get_the_planners_plan(desk: Desk, model: Path) -> None:
    _, shape = read_chat_model(model)
    of_file = desk.judge.of_file(model, CancelToken())
    assert of_file == place.plan(desk.machine.report(), shape, Wishes())
    assert desk.judge.of_shape("elsewhere", shape, CancelToken()) == of_file


def test_a_plan_holds_until_memory_changes(desk: Desk, model: Path) -> None:
    for _ in range(3):
        desk.judge.of_file(model, CancelToken())
    assert len(desk.wishes) == 1
    desk.machine.available_bytes -= 2 * GIB
    desk.judge.of_file(model, CancelToken())
    assert len(desk.wishes) > 1


def test_what_the_model_in_memory_holds_is_free(desk: Desk, model: Path) -> None:
    use = Use(kv_bytes=GIB)
    loaded = replace(plan(), memory=(PoolUse(pool="ram", use=use, budget_bytes=2 * GIB),))
    spec = LoadSpec(path=model, layout=Layout(context_length=512))
    info = LoadedInfo(spec=spec, name="m", backend="cpu", load_ms=1, notices=(), plan=loaded)
    desk.judge.hear(ModelReady(info=info))
    desk.judge.of_file(model, CancelToken())
    assert desk.wishes[-1].freed == (("ram", GIB),)
    desk.judge.hear(ModelUnloaded(name="m", reason=UnloadReason.IDLE))
    desk.judge.of_file(model, CancelToken())
    assert desk.wishes[-1].freed == ()


def test_what_is_no_model_and_a_cancel_are_told(desk: Desk, tmp_path: Path, model: Path) -> None:
    (tmp_path / "letter.gguf").write_bytes(b"Dear model")
    with pytest.raises(NotAModel):
        desk.judge.of_file(tmp_path / "letter.gguf", CancelToken())
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        desk.judge.of_file(model, cancel)


@pytest.mark.parametrize("factor", [0.5, 1.0, 1.7])
def test_another_quantization_takes_more_or_less(model: Path, factor: float) -> None:
    _, shape = read_chat_model(model)
    assert isinstance(shape, ModelShape)
    other = scaled(shape, factor)
    assert isinstance(other, ModelShape)
    assert other.weights_bytes == int(shape.weights_bytes * factor)
    assert (other == shape) is (factor == 1.0)
    assert other.layers[0].key_width == shape.layers[0].key_width
    needed = [place.plan(MACHINE, it, Wishes(context_length=4096)) for it in (shape, other)]
    memory = [sum(pool.use.weights_bytes for pool in it.memory) for it in needed]
    assert needed[0].verdict is not Verdict.UNKNOWN
    assert (memory[1] > memory[0]) is (factor > 1.0)
