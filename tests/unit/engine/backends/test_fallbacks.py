"""Which settings a device may try, and in which order."""

from itertools import pairwise

import pytest

from engine.backends.fallbacks import settings_to_try
from engine.types.hardware import Device, DeviceKind


def device(backend: str, description: str, kind: DeviceKind = DeviceKind.GPU) -> Device:
    return Device(
        backend=backend,
        name="X0",
        description=description,
        kind=kind,
        total_bytes=1 << 33,
        free_bytes=None,
    )


ARC = device("vulkan", "Intel(R) Arc(tm) A770 Graphics (DG2)")
RADEON = device("vulkan", "AMD Radeon RX 6700 XT (RADV NAVI22)")
APU = device("vulkan", "AMD Radeon 780M (RADV PHOENIX)", DeviceKind.IGPU)
M5 = device("metal", "Apple M5", DeviceKind.IGPU)
ALL = [ARC, RADEON, APU, M5, device("cuda", "NVIDIA GeForce RTX 4060"), device("vulkan", "Mali")]


@pytest.mark.parametrize("tried", ALL)
def test_the_first_try_is_without_settings_and_each_next_one_adds_some(tried: Device) -> None:
    ladder = settings_to_try(tried)
    assert ladder[0] == ()
    assert len(ladder) > 1
    for before, after in pairwise(ladder):
        assert after[: len(before)] == before
        assert len(after) > len(before)
    names = [name for name, _ in ladder[-1]]
    assert len(names) == len(set(names))
    assert all(name.startswith("GGML_") for name in names)


def test_intels_devices_lose_the_integer_dot_product_first() -> None:
    _, first, second, *_ = settings_to_try(ARC)
    assert first == (("GGML_VK_DISABLE_INTEGER_DOT_PRODUCT", "1"),)
    assert ("GGML_VK_DISABLE_COOPMAT", "1") in second


def test_an_integrated_radeon_is_given_little_at_a_time_and_a_card_is_not() -> None:
    assert settings_to_try(APU)[1] == (("GGML_VK_MAX_NODES_PER_SUBMIT", "8"),)
    names = {name for settings in settings_to_try(RADEON) for name, _ in settings}
    assert "GGML_VK_MAX_NODES_PER_SUBMIT" not in names


def test_metal_does_without_tensors() -> None:
    assert settings_to_try(M5)[1] == (("GGML_METAL_TENSOR_DISABLE", "1"),)


def test_an_unknown_backend_is_tried_once() -> None:
    assert settings_to_try(device("sycl", "Intel(R) Arc(tm)")) == ((),)
