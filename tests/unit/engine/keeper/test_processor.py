"""The processor's part that is used has answered in a child; what dies there is passed over."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from engine.backends import plugins
from engine.errors import Cancelled, EngineCrashed, EngineStopped, OutOfMemory
from engine.guard.record import Record
from engine.keeper.processor import prove_processor
from engine.types.cancel import CancelToken
from engine.types.hardware import Cpu

CPU = Cpu(
    name="Some processor",
    architecture="x86_64",
    physical_cores=2,
    performance_cores=2,
    logical_cores=2,
    usable_cores=2,
    features=frozenset({"avx2", "amxtile"}),
)


class Children:
    """Variants in their order; those in `deadly` end their process."""

    def __init__(self, deadly: set[str], error: EngineStopped | OutOfMemory | None = None) -> None:
        self.names = ["sapphirerapids", "icelake", "haswell"]
        self.deadly = deadly
        self.error = error
        self.asked: list[str] = []

    def __call__(
        self, role: str, argument: Mapping[str, object], *, timeout_s: float, cancel: CancelToken
    ) -> dict[str, object]:
        if cancel.cancelled:
            raise Cancelled
        if role == "variants":
            if self.error:
                raise self.error
            return {"variants": self.names}
        name = str(argument["variant"]) or self.names[0]
        self.asked.append(name)
        if name in self.deadly:
            raise EngineCrashed("SIGILL", "probe")
        return {"variant": name}


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = plugins.chosen_variant()
    plugins.use_variant("")
    yield
    plugins.use_variant(before)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "lessons.json", "epoch")


def test_the_best_part_is_used_where_it_answers(record: Record) -> None:
    children = Children(deadly=set())
    prove_processor(record, CancelToken(), run=children, cpu=lambda: CPU)
    assert children.asked == ["sapphirerapids"]
    assert plugins.chosen_variant() == ""


def test_the_next_one_is_used_where_the_best_dies(record: Record) -> None:
    children = Children(deadly={"sapphirerapids", "icelake"})
    prove_processor(record, CancelToken(), run=children, cpu=lambda: CPU)
    assert children.asked == ["sapphirerapids", "icelake", "haswell"]
    assert plugins.chosen_variant() == "haswell"


def test_it_is_asked_once_a_processor(record: Record) -> None:
    children = Children(deadly={"sapphirerapids"})
    prove_processor(record, CancelToken(), run=children, cpu=lambda: CPU)
    plugins.use_variant("")
    again = Children(deadly={"sapphirerapids"})
    prove_processor(record, CancelToken(), run=again, cpu=lambda: CPU)
    assert again.asked == []
    assert plugins.chosen_variant() == "icelake"


def test_nothing_is_remembered_where_none_answers(record: Record) -> None:
    children = Children(deadly={"sapphirerapids", "icelake", "haswell"})
    prove_processor(record, CancelToken(), run=children, cpu=lambda: CPU)
    assert plugins.chosen_variant() == ""
    later = Children(deadly=set())
    prove_processor(record, CancelToken(), run=later, cpu=lambda: CPU)
    assert later.asked == ["sapphirerapids"]


def test_a_lack_of_memory_decides_nothing(record: Record) -> None:
    children = Children(deadly={"sapphirerapids"}, error=OutOfMemory("no thread"))
    prove_processor(record, CancelToken(), run=children, cpu=lambda: CPU)
    assert plugins.chosen_variant() == ""


def test_a_cancel_goes_through(record: Record) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        prove_processor(record, cancel, run=Children(deadly=set()), cpu=lambda: CPU)
