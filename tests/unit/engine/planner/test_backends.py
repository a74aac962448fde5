"""Which devices are used, and which are known to be wrong, slow or not shipped."""

from dataclasses import replace

import pytest

from engine.planner.backends import Selection, select_devices
from engine.types.hardware import Device, DeviceKind, DeviceProblem, HardwareReport, System
from engine.types.plans import FlashAttention, Reason, Wishes
from tests.machines import card, integrated, machine


def selected(
    *devices: Device, report: HardwareReport | None = None, wishes: Wishes | None = None
) -> Selection:
    plain = report or machine()
    return select_devices(replace(plain, devices=devices), wishes or Wishes())


def mac(architecture: str = "arm64", *, emulated: bool = False) -> HardwareReport:
    report = machine(system=System.MACOS, architecture=architecture)
    return replace(report, cpu=replace(report.cpu, emulated=emulated))


CUDA = card(8)
RADEON = card(16, backend="vulkan", description="AMD Radeon RX 7800 XT (RADV NAVI32)")
APU = integrated(16)
METAL = integrated(16, backend="metal", description="Apple M1")


def test_cuda_comes_before_vulkan_and_cards_before_integrated_devices() -> None:
    assert selected(APU, RADEON, CUDA).devices == (CUDA,)
    assert selected(APU, RADEON).devices == (RADEON,)
    assert selected(APU).devices == (APU,)


def test_several_cards_of_one_backend_are_used_together_in_their_order() -> None:
    second = card(24, number=1)
    assert selected(CUDA, RADEON, second).devices == (CUDA, second)


def test_only_one_integrated_device_is_used() -> None:
    second = replace(integrated(8, description="AMD Radeon 610M"), name="VULKAN1")
    assert selected(APU, second).devices == (APU,)


def test_no_device_is_said() -> None:
    assert selected().reasons == (Reason.NO_DEVICE,)
    blas = card(0, backend="blas", kind=DeviceKind.ACCEL)
    assert selected(blas).reasons == (Reason.NO_DEVICE,)


@pytest.mark.parametrize("backend", ["rocm", "hip", "sycl", "opencl", "rpc", "cann"])
def test_backends_that_are_not_shipped_are_denied(backend: str) -> None:
    found = selected(card(16, backend=backend))
    assert found.devices == ()
    assert found.reasons == (Reason.DEVICE_DENIED,)


def test_metal_is_for_apple_processors_without_emulation() -> None:
    assert selected(METAL, report=mac()).devices == (METAL,)
    assert selected(METAL, report=mac("x86_64")).devices == ()
    assert selected(METAL, report=mac("x86_64", emulated=True)).devices == ()
    assert selected(RADEON, report=mac("x86_64")).reasons == (Reason.DEVICE_DENIED,)  # MoltenVK


@pytest.mark.parametrize(
    "description",
    [
        "Intel(R) UHD Graphics", "Intel(R) UHD Graphics 630", "Intel(R) Iris(R) Xe Graphics",
        "Intel(R) HD Graphics 520", "Intel(R) Graphics (ADL-N)",
    ],
)  # fmt: skip
def test_old_intel_graphics_are_slower_than_the_processor(description: str) -> None:
    found = selected(integrated(16, description=description))
    assert found.devices == ()
    assert found.reasons == (Reason.DEVICE_SLOWER,)


@pytest.mark.parametrize(
    "description",
    ["Intel(R) Arc(TM) 130V GPU", "Intel(R) Arc(TM) Graphics (MTL)", "Intel(R) Graphics (LNL)"],
)
def test_new_intel_graphics_are_used(description: str) -> None:
    assert selected(integrated(16, description=description)).backend == "vulkan"


def test_snapdragon_runs_on_its_processor() -> None:
    windows = machine(system=System.WINDOWS, architecture="arm64")
    assert selected(card(8, backend="vulkan"), report=windows).devices == ()
    adreno = integrated(8, description="Adreno X1-85")
    assert selected(adreno).reasons == (Reason.DEVICE_DENIED,)


@pytest.mark.parametrize(
    ("capability", "used"), [("3.5", False), ("5.0", True), ("8.9", True), ("", True), ("?", True)]
)
def test_old_cuda_cards_are_denied(capability: str, used: bool) -> None:
    assert bool(selected(card(8, compute_capability=capability)).devices) is used


@pytest.mark.parametrize(
    ("driver", "used"), [("470.223", False), ("550.54.14", True), ("12.6", True), ("", True)]
)
def test_old_cuda_drivers_are_denied(driver: str, used: bool) -> None:
    assert bool(selected(card(8, driver=driver)).devices) is used


@pytest.mark.parametrize(
    ("capability", "flash"),
    [("5.2", FlashAttention.OFF), ("7.2", FlashAttention.OFF), ("7.5", FlashAttention.AUTO)],
)
def test_flash_attention_is_off_where_it_is_slow(capability: str, flash: FlashAttention) -> None:
    assert selected(card(8, compute_capability=capability)).flash_attention is flash


def test_flash_attention_hangs_on_amd_integrated_graphics_under_windows() -> None:
    windows = machine(system=System.WINDOWS)
    assert selected(APU, report=windows).flash_attention is FlashAttention.OFF
    assert selected(APU).flash_attention is FlashAttention.AUTO


def test_amdvlk_allocates_too_little_at_once() -> None:
    assert selected(replace(RADEON, driver="AMDVLK 2024.Q1")).devices == ()


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (DeviceProblem.PROBE_CRASHED, Reason.DEVICE_FAILED),
        (DeviceProblem.PROBE_TIMED_OUT, Reason.DEVICE_FAILED),
        (DeviceProblem.NO_MEMORY, Reason.DEVICE_FAILED),
        (DeviceProblem.SOFTWARE_RENDERER, Reason.SOFTWARE_RENDERER),
    ],
)
def test_a_device_with_a_problem_is_left_out(problem: DeviceProblem, reason: Reason) -> None:
    assert selected(replace(CUDA, problem=problem)).reasons == (reason,)


def test_a_software_renderer_is_seen_by_its_name() -> None:
    found = selected(card(8, backend="vulkan", description="llvmpipe (LLVM 17.0.6, 256 bits)"))
    assert found.reasons == (Reason.SOFTWARE_RENDERER,)


class TestDuplicates:
    """The same card through CUDA and Vulkan."""

    twin = card(
        8, backend="vulkan", problem=DeviceProblem.DUPLICATE,
        description="NVIDIA GeForce RTX 4060 (driver 560)",
    )  # fmt: skip

    def test_the_better_backend_keeps_it(self) -> None:
        assert selected(CUDA, self.twin).devices == (CUDA,)

    def test_the_twin_serves_where_the_better_one_can_not(self) -> None:
        wishes = Wishes(denied=frozenset({"cuda"}))
        found = selected(CUDA, self.twin, wishes=wishes)
        assert found.devices == (self.twin,)
        assert found.reasons == (Reason.DEVICE_FAILED,)
        old = replace(CUDA, compute_capability="3.5")
        assert selected(old, self.twin).devices == (self.twin,)

    def test_a_twin_in_its_own_backend_is_never_used(self) -> None:
        first = replace(self.twin, problem=None, id="0000:01:00.0")
        second = replace(self.twin, name="VULKAN1", id="0000:01:00.0")
        assert selected(first, second).devices == (first,)


def test_caution_goes_to_the_next_backend_and_then_to_the_processor() -> None:
    assert selected(CUDA, RADEON, wishes=Wishes(caution=1)).devices == (CUDA,)
    assert selected(CUDA, RADEON, wishes=Wishes(caution=2)).devices == (RADEON,)
    assert selected(CUDA, wishes=Wishes(caution=2)).devices == ()
    assert selected(CUDA, RADEON, wishes=Wishes(caution=3)).devices == ()


def test_caution_takes_the_same_card_another_way_and_says_nothing_of_lesser_devices() -> None:
    uhd = integrated(16, description="Intel(R) UHD Graphics")
    devices = (CUDA, TestDuplicates.twin, uhd)
    found = [selected(*devices, wishes=Wishes(caution=caution)) for caution in range(4)]
    assert [one.backend for one in found] == ["cuda", "cuda", "vulkan", "cpu"]
    assert found[2].devices == (TestDuplicates.twin,)
    assert all(one.reasons == () for one in found)
    denied = selected(*devices, wishes=Wishes(caution=2, denied=frozenset({"cuda"})))
    assert (denied.devices, denied.reasons) == ((), (Reason.DEVICE_FAILED,))
    lone = selected(uhd, wishes=Wishes(caution=2))
    assert lone.reasons == (Reason.DEVICE_SLOWER,)


def test_no_more_devices_are_used_than_llama_takes() -> None:
    many = [card(24 - number % 3, number=number) for number in range(20)]
    found = selected(*many).devices
    assert len(found) == 16
    names = [device.name for device in found]
    assert names == [device.name for device in many if device in found]
    left_out = {device.total_bytes for device in many if device not in found}
    assert left_out == {card(22).total_bytes}
