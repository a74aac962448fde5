"""The whole way to a choice, with children and a device: Mesa's, passed off as a card. It computes
what the processor does, and is slower, so the processor is used, and that is known from then on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue

import pytest

from app.fitting import make_host
from engine.guard.marker import CrashMarker
from engine.guard.record import Record
from engine.hardware.memory import read_memory
from engine.keeper.keeper import KeeperParts, ModelKeeper
from engine.keeper.planning import Planning
from engine.keeper.proving import ChildProver
from engine.types.cancel import CancelToken
from engine.types.models import Failed, Loaded, LoadedInfo, LoadSpec
from engine.types.plans import LoadRequest, Measured, Reason, Rehearsal, Wishes
from tests import vulkan

pytestmark = [pytest.mark.model, pytest.mark.serial]
_SLOW_S = 280


@dataclass(slots=True)
class Watched:
    """See `Prover`: the real one, and where it was asked to try a model."""

    prover: ChildProver = field(default_factory=ChildProver)
    tried_on: list[Sequence[str]] = field(default_factory=list)

    def measure(self, spec: LoadSpec, cancel: CancelToken) -> Measured:
        return self.prover.measure(spec, cancel)

    def rehearse(
        self,
        spec: LoadSpec,
        cancel: CancelToken,
        *,
        prompt_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Rehearsal:
        self.tried_on.append(spec.devices)
        return self.prover.rehearse(spec, cancel, prompt_tokens=prompt_tokens, timeout_s=timeout_s)


def load(folder: Path, model: Path, prover: Watched) -> LoadedInfo:
    report = vulkan.card_here()
    keeper = ModelKeeper(
        KeeperParts(
            planning=Planning(read_report=lambda _: report),
            prover=prover,
            record=Record(folder / "lessons.json", "a build"),
            marker=CrashMarker(folder / "running.json"),
            make_host=make_host,
            read_memory=read_memory,
            watch_period_s=None,
        )
    )
    events: Queue[object] = Queue()
    request = LoadRequest(path=model, wishes=Wishes(context_length=512, ubatch=32))
    keeper.load(request, events.put, CancelToken())
    while not isinstance(event := events.get(timeout=_SLOW_S), Loaded | Failed):
        pass
    assert keeper.close(30)
    assert isinstance(event, Loaded), event
    return event.info


def test_a_device_that_is_slower_is_tried_once_and_passed_over(
    tmp_path: Path, starter_model: Path
) -> None:
    with vulkan.approved():
        first = Watched()
        info = load(tmp_path, starter_model, first)
        assert first.tried_on == [(vulkan.DEVICE,), ()]
        assert info.backend == "cpu"
        assert info.plan is not None
        assert Reason.DEVICE_SLOWER in info.plan.reasons
        second = Watched()
        assert load(tmp_path, starter_model, second).backend == "cpu"
        assert second.tried_on == []
