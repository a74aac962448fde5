"""Every device that a plan may come to is tried, and only those."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.backends import plugins
from engine.errors import Cancelled
from engine.guard.record import Record
from engine.keeper import trials as module
from engine.keeper.devices import against
from engine.keeper.trials import Trials, Trust
from engine.types.backends import (
    BackendProblem,
    DeviceTrial,
    Origin,
    Outcome,
    Plugin,
    Settings,
)
from engine.types.cancel import CancelToken
from engine.types.hardware import Device, DeviceKind, DeviceProblem, System
from engine.types.plans import FlashAttention
from tests.machines import machine

PASSED = DeviceTrial(outcome=Outcome.PASSED)
WRONG = DeviceTrial(outcome=Outcome.WRONG_ANSWER)
HELPED = DeviceTrial(outcome=Outcome.PASSED, settings=(("GGML_VK_DISABLE_F16", "1"),))


def device(backend: str, name: str, description: str, **changes: object) -> Device:
    made = Device(
        backend=backend,
        name=name,
        description=description,
        kind=DeviceKind.GPU,
        total_bytes=8 << 30,
        free_bytes=7 << 30,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


NVIDIA = "NVIDIA GeForce RTX 4060"
CUDA = device("cuda", "CUDA0", NVIDIA, driver="570.86", compute_capability="8.9")
TWIN = device("vulkan", "Vulkan0", NVIDIA, problem=DeviceProblem.DUPLICATE)
RADEON = device("vulkan", "Vulkan0", "AMD Radeon RX 6700 XT")
APU = device("vulkan", "Vulkan1", "AMD Radeon 780M", kind=DeviceKind.IGPU)
UHD = device("vulkan", "Vulkan0", "Intel(R) UHD Graphics 630", kind=DeviceKind.IGPU)
LLVMPIPE = device("vulkan", "Vulkan0", "llvmpipe", problem=DeviceProblem.SOFTWARE_RENDERER)


class Bench:
    def __init__(self, folder: Path, **outcomes: DeviceTrial | None) -> None:
        self.record = Record(folder / "lessons.json", "build")
        self.outcomes = outcomes
        self.tried: list[str] = []
        self.first: list[Settings] = []
        self.flash: list[FlashAttention] = []
        self.approved: list[tuple[str, Settings]] = []

    def _try(
        self,
        tried: Device,
        flash_attention: FlashAttention,
        ladder: tuple[Settings, ...],
        cancel: CancelToken,
    ) -> DeviceTrial | None:
        self.tried.append(tried.name)
        self.first.append(ladder[0])
        self.flash.append(flash_attention)
        return self.outcomes.get(tried.name, PASSED)

    def trials(self) -> Trials:
        def approve(backend: str, settings: Settings) -> None:
            self.approved.append((backend, settings))

        return Trials(self.record, try_device=self._try, approve=approve)

    def problems(
        self, *devices: Device, trials: Trials | None = None, system: System = System.LINUX
    ) -> list[DeviceProblem | None]:
        report = machine(devices=devices, system=system)
        judged = (trials or self.trials()).judged(report, "drivers", CancelToken())
        return [found.problem for found in judged.devices]


def test_a_card_and_its_twin_are_both_tried(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert bench.problems(CUDA, TWIN) == [None, DeviceProblem.DUPLICATE]
    assert bench.tried == ["CUDA0", "Vulkan0"]


def test_where_cuda_fails_vulkan_takes_the_card(tmp_path: Path) -> None:
    bench = Bench(tmp_path, CUDA0=WRONG)
    assert bench.problems(CUDA, TWIN) == [DeviceProblem.WRONG_ANSWER, DeviceProblem.DUPLICATE]
    assert bench.tried == ["CUDA0", "Vulkan0"]


def test_an_integrated_device_beside_a_card_is_only_tried_when_it_is_needed(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path)
    assert bench.problems(RADEON, APU) == [None, None]
    assert bench.tried == ["Vulkan0"]
    bench = Bench(tmp_path / "2", Vulkan0=replace(WRONG, outcome=Outcome.TIMED_OUT))
    assert bench.problems(RADEON, APU) == [DeviceProblem.PROBE_TIMED_OUT, None]
    assert bench.tried == ["Vulkan0", "Vulkan1"]


@pytest.mark.parametrize("unwanted", [UHD, LLVMPIPE])
def test_what_no_plan_uses_is_not_tried(tmp_path: Path, unwanted: Device) -> None:
    bench = Bench(tmp_path)
    assert bench.problems(unwanted) == [unwanted.problem]
    assert bench.tried == []


def test_the_settings_that_helped_are_approved_at_every_start(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Vulkan0=HELPED)
    for _ in range(2):
        trials = bench.trials()
        assert bench.problems(RADEON, trials=trials) == [None]
        assert trials.details == {"vulkan": "GGML_VK_DISABLE_F16=1"}
    assert bench.tried == ["Vulkan0"]
    assert bench.approved == [("vulkan", HELPED.settings)] * 2


def test_after_sleep_the_settings_that_helped_come_first(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Vulkan0=HELPED)
    trials = bench.trials()
    bench.problems(RADEON, trials=trials)
    trials.distrust(Trust.NONE)
    bench.problems(RADEON, trials=trials)
    assert bench.first == [(), HELPED.settings]


def test_a_device_that_could_not_be_tried_is_tried_at_the_next_start(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Vulkan0=None)
    trials = bench.trials()
    for _ in range(2):
        assert bench.problems(RADEON, trials=trials) == [DeviceProblem.PROBE_CRASHED]
    assert not trials.lasting
    assert bench.tried == ["Vulkan0"]
    bench.outcomes = {}
    assert bench.problems(RADEON) == [None]


def test_a_device_is_tried_as_it_would_be_used(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.problems(APU, system=System.WINDOWS)
    assert bench.flash == [FlashAttention.OFF]


def test_a_person_who_cancels_leaves_nothing_behind(tmp_path: Path) -> None:
    def cancelled(*_: object) -> DeviceTrial:
        raise Cancelled

    bench = Bench(tmp_path)
    with pytest.raises(Cancelled):
        bench.problems(RADEON, trials=Trials(bench.record, try_device=cancelled))
    assert bench.problems(RADEON) == [None]
    assert bench.tried == ["Vulkan0"]


def test_a_child_is_given_the_plugins_with_the_settings_to_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugin = Plugin(backend="vulkan", path=Path("/v.so"), origin=Origin.BUILT_IN)
    given: list[Settings] = []

    def run_role(role: str, argument: object, **more: object) -> dict[str, object]:
        (approved,) = more["approved"]  # type: ignore[misc, attr-defined]
        given.append(approved.settings)  # type: ignore[has-type]
        return {"passed": len(given) > 1, "detail": ""}

    monkeypatch.setattr(module, "run_role", run_role)
    monkeypatch.setattr(plugins, "approved", lambda: (plugin,))
    ladder: tuple[Settings, ...] = ((), HELPED.settings)
    trial = module.try_in_child(RADEON, FlashAttention.AUTO, ladder, CancelToken())
    assert trial == HELPED
    assert given == list(ladder)


def test_what_is_against_a_backend_is_the_planners_word() -> None:
    assert against(machine(devices=(UHD,))) == {"vulkan": BackendProblem.SLOWER}
    old = replace(CUDA, compute_capability="3.5")
    assert against(machine(devices=(old, TWIN))) == {"cuda": BackendProblem.DENIED}
    assert against(machine(devices=(CUDA, TWIN))) == {}
