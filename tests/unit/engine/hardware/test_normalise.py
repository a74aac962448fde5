"""The lies devices tell, and that nothing implausible comes out, whatever goes in."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hardware.claims import Claim, Opinion
from engine.hardware.names import clean, essence, is_software
from engine.hardware.normalise import normalise
from engine.types.hardware import Device, DeviceKind, DeviceProblem, System

GIB = 1 << 30
CARD = Claim(
    backend="vulkan", name="Vulkan0", description="AMD Radeon RX 9060 XT",
    kind="gpu", total_bytes=16 * GIB, free_bytes=15 * GIB,
)  # fmt: skip
SHARED = Claim(
    backend="vulkan", name="Vulkan0", description="AMD Radeon 780M (RADV PHOENIX)",
    kind="igpu", total_bytes=20 * GIB, free_bytes=18 * GIB,
)  # fmt: skip


def checked(
    *claims: Claim,
    opinions: tuple[Opinion, ...] = (),
    memory_bytes: int = 32 * GIB,
    system: System = System.LINUX,
    architecture: str = "x86_64",
) -> tuple[Device, ...]:
    return normalise(
        claims,
        opinions,
        main_memory_bytes=memory_bytes,
        system=system,
        architecture=architecture,
    )


def test_an_honest_card_stays_as_it_is():
    (device,) = checked(CARD)
    assert (device.total_bytes, device.free_bytes) == (16 * GIB, 15 * GIB)
    assert device.problem is None


@pytest.mark.parametrize("free", [17592186039468 << 20, 1 << 63, 16 * GIB + 1, -1, 1 << 46])
def test_free_memory_that_can_not_be_is_unknown(free):
    """Unsigned underflow (llama.cpp pull 20858), and more free than there is (29277)."""
    (device,) = checked(replace(CARD, free_bytes=free))
    assert device.free_bytes is None
    assert device.total_bytes == 16 * GIB
    assert device.problem is None


@pytest.mark.parametrize(("total", "free"), [(0, 0), (None, None), (1 << 46, 1), (-5, 0)])
def test_a_card_without_a_believable_size_can_not_be_used(total, free):
    (device,) = checked(replace(CARD, total_bytes=total, free_bytes=free))
    assert device.problem is DeviceProblem.NO_MEMORY
    assert device.free_bytes is None


def test_a_second_opinion_replaces_what_can_not_be():
    told = Opinion(id="0000:03:00.0", dedicated_bytes=16 * GIB, free_bytes=9 * GIB, driver="amdgpu")
    broken = replace(CARD, id="0000:03:00.0", free_bytes=1 << 63)
    (device,) = checked(broken, opinions=(told,))
    assert device.free_bytes == 9 * GIB
    assert device.driver == "amdgpu"
    (without_total,) = checked(replace(broken, total_bytes=None), opinions=(told,))
    assert without_total.total_bytes == 16 * GIB


def test_of_two_believable_numbers_the_smaller_counts():
    told = Opinion(description="AMD Radeon(TM) RX 9060 XT", free_bytes=3 * GIB)
    assert checked(CARD, opinions=(told,))[0].free_bytes == 3 * GIB
    generous = replace(told, free_bytes=15 * GIB + 1)
    assert checked(CARD, opinions=(generous,))[0].free_bytes == 15 * GIB


def test_windows_tells_no_address_and_is_believed_by_name():
    nvml = Opinion(id="0000:01:00.0", description=CUDA.description, driver="550.54")
    dxgi = Opinion(description=CUDA.description, free_bytes=5 * GIB)
    card = replace(CUDA, id="0000:01:00.0")
    (device,) = checked(card, opinions=(nvml, dxgi))
    assert (device.free_bytes, device.driver) == (5 * GIB, "550.54")
    other = replace(nvml, id="0000:02:00.0", driver="other")
    second = replace(CUDA, name="CUDA1", id="0000:02:00.0")
    both = checked(card, second, opinions=(nvml, other, dxgi))
    assert [device.driver for device in both] == ["550.54", "other"]
    assert [device.free_bytes for device in both] == [5 * GIB, 5 * GIB]


def test_a_device_without_an_address_among_equal_cards_gets_no_opinion():
    said = [
        Opinion(id=f"0000:0{i}:00.0", description=CUDA.description, free_bytes=i) for i in (1, 2)
    ]
    (device,) = checked(CUDA, opinions=tuple(said))
    assert device.free_bytes == 23 * GIB
    (device,) = checked(CUDA, opinions=(said[0],))
    assert device.free_bytes == 1


def test_an_opinion_of_another_card_changes_nothing():
    other = Opinion(id="0000:09:00.0", description=CARD.description, free_bytes=1)
    (device,) = checked(replace(CARD, id="0000:03:00.0"), opinions=(other,))
    assert device.free_bytes == 15 * GIB


def test_zero_of_zero_stays_unusable_whatever_others_say():
    """CUDA reports it when its context could not be made (llama.cpp 18577)."""
    told = Opinion(description="NVIDIA X", dedicated_bytes=8 * GIB, free_bytes=8 * GIB)
    claim = Claim(backend="cuda", name="CUDA0", description="NVIDIA X", total_bytes=0, free_bytes=0)
    (device,) = checked(claim, opinions=(told,))
    assert device.problem is DeviceProblem.NO_MEMORY


def test_a_carve_out_is_counted_apart_and_the_rest_is_main_memory():
    told = Opinion(
        description=SHARED.description, dedicated_bytes=2 * GIB, dedicated_used_bytes=GIB
    )
    (device,) = checked(SHARED, opinions=(told,))
    assert (device.dedicated_bytes, device.dedicated_used_bytes) == (2 * GIB, GIB)
    assert device.total_bytes == 20 * GIB


def test_a_carve_out_for_the_picture_alone_is_none():
    told = Opinion(description=SHARED.description, dedicated_bytes=128 << 20)
    (device,) = checked(SHARED, opinions=(told,))
    assert device.dedicated_bytes == 0


@pytest.mark.parametrize(
    ("lent_gib", "total_gib", "free_gib"), [(4, 6, 4), (18, 20, 18), (80, 20, 18), (None, 20, 18)]
)
def test_a_device_that_shares_gets_no_more_than_it_may_borrow(lent_gib, total_gib, free_gib):
    """A 780M whose heaps add up to 20 GiB and which may borrow 4: the rest fails to allocate."""
    told = Opinion(
        description=SHARED.description,
        dedicated_bytes=2 * GIB,
        dedicated_used_bytes=GIB,
        shared_bytes=None if lent_gib is None else lent_gib * GIB,
        shared_used_bytes=GIB,
    )
    (device,) = checked(SHARED, opinions=(told,))
    assert (device.total_bytes, device.free_bytes) == (total_gib * GIB, free_gib * GIB)


def test_what_a_device_borrowed_is_still_part_of_what_it_may_have():
    """Else a loaded model could not be counted as room for the next one."""
    told = Opinion(description=SHARED.description, shared_bytes=4 * GIB, shared_used_bytes=4 * GIB)
    (device,) = checked(SHARED, opinions=(told,))
    assert (device.total_bytes, device.free_bytes) == (4 * GIB, 0)


@pytest.mark.parametrize("size", [0, -1, 1 << 63])
def test_a_loan_that_can_not_be_is_not_believed(size):
    told = Opinion(description=SHARED.description, shared_bytes=size, shared_used_bytes=size)
    (device,) = checked(SHARED, opinions=(told,))
    assert (device.total_bytes, device.free_bytes) == (20 * GIB, 18 * GIB)


def test_shared_memory_is_not_counted_twice():
    """An integrated device's heaps add up to more than the machine has."""
    (device,) = checked(replace(SHARED, total_bytes=60 * GIB, free_bytes=59 * GIB))
    assert (device.total_bytes, device.free_bytes) == (32 * GIB, 32 * GIB)


@pytest.mark.parametrize(
    "description",
    [
        "llvmpipe (LLVM 17.0.6, 256 bits)",
        "SwiftShader Device (LLVM 10.0.0)",
        "Microsoft Basic Render Driver",
        "virgl (AMD Radeon)",
        "Virtio-GPU Venus (NVIDIA)",
        "SVGA3D; build: RELEASE; LLVM",
    ],
)
def test_pitfall_58_a_software_renderer_is_no_card(description):
    (device,) = checked(replace(CARD, description=description))
    assert device.problem is DeviceProblem.SOFTWARE_RENDERER


@pytest.mark.parametrize("description", ["AMD Radeon 780M", "NVIDIA RTX", "Intel(R) Arc(TM) A770"])
def test_real_cards_are_no_software(description):
    assert not is_software(description)


def test_processors_and_devices_made_of_others_are_left_out():
    claims = [replace(CARD, kind=kind, name=kind) for kind in ("cpu", "meta", "tpu", "gpu")]
    assert [device.name for device in checked(*claims)] == ["gpu"]


def test_a_processor_is_only_told_of_when_it_could_not_be_tried():
    failed = Claim(backend="cpu", name="cpu", problem=DeviceProblem.PROBE_CRASHED)
    (device,) = checked(failed)
    assert device.kind is DeviceKind.ACCEL
    assert device.problem is DeviceProblem.PROBE_CRASHED


def test_blas_has_no_memory_of_its_own():
    blas = Claim(backend="BLAS", name="BLAS", kind="accel", total_bytes=0, free_bytes=0)
    (device,) = checked(blas)
    assert (device.backend, device.problem) == ("blas", DeviceProblem.NO_MEMORY)


CUDA = Claim(
    backend="CUDA", name="CUDA0", description="NVIDIA GeForce RTX 3090",
    total_bytes=24 * GIB, free_bytes=23 * GIB,
)  # fmt: skip
VULKAN = replace(CUDA, backend="Vulkan", name="Vulkan0")


def problems(devices: tuple[Device, ...]) -> dict[str, DeviceProblem | None]:
    return {device.name: device.problem for device in devices}


DUPLICATE = DeviceProblem.DUPLICATE


def test_one_card_through_two_backends_belongs_to_the_better_one():
    assert problems(checked(VULKAN, CUDA)) == {"Vulkan0": DUPLICATE, "CUDA0": None}


@pytest.mark.parametrize("backend", ["SYCL", "ROCm", "HIP", "OpenCL"])
def test_backends_that_are_not_shipped_give_way_to_vulkan(backend):
    other = replace(CUDA, backend=backend, name="X0")
    assert problems(checked(other, VULKAN)) == {"X0": DUPLICATE, "Vulkan0": None}


def test_drivers_name_one_card_differently():
    rocm = replace(CUDA, backend="ROCm", name="ROCm0", description="AMD Radeon RX 6700 XT")
    radv = replace(VULKAN, description="AMD Radeon RX 6700 XT (RADV NAVI22)")
    assert problems(checked(rocm, radv)) == {"ROCm0": DUPLICATE, "Vulkan0": None}
    assert essence("Intel(R) Arc(TM) A770 Graphics (DG2)") == essence("Intel Arc A770")


def test_two_equal_cards_are_two():
    claims = [replace(CUDA, name=f"CUDA{i}") for i in (0, 1)]
    claims += [replace(VULKAN, name=f"Vulkan{i}") for i in (0, 1, 2)]
    found = problems(checked(*claims))
    assert [name for name, problem in found.items() if problem is None] == [
        "CUDA0",
        "CUDA1",
        "Vulkan2",
    ]


def test_the_address_tells_cards_apart_and_together():
    first = replace(CUDA, id="0000:01:00.0")
    same = replace(VULKAN, id="0000:01:00.0", description="GeForce by another name")
    other = replace(VULKAN, id="0000:02:00.0", name="Vulkan1")
    found = problems(checked(first, same, other))
    assert found == {"CUDA0": None, "Vulkan0": DUPLICATE, "Vulkan1": None}


def test_a_broken_backend_takes_no_card_from_the_others():
    crashed = replace(CUDA, problem=DeviceProblem.PROBE_CRASHED)
    found = problems(checked(crashed, VULKAN))
    assert found == {"CUDA0": DeviceProblem.PROBE_CRASHED, "Vulkan0": None}


def test_metal_and_opencl_call_shared_memory_their_own():
    metal = Claim(
        backend="MTL", name="MTL0", description="Apple M1", total_bytes=5 * GIB, free_bytes=5 * GIB
    )
    mac = checked(metal, system=System.MACOS, architecture="arm64", memory_bytes=8 * GIB)
    assert (mac[0].backend, mac[0].kind) == ("metal", DeviceKind.IGPU)
    adreno = replace(metal, backend="OpenCL", description="Qualcomm(R) Adreno(TM) X1-85 GPU")
    assert checked(adreno)[0].kind is DeviceKind.IGPU
    old_mac = replace(metal, description="AMD Radeon Pro 5600M")
    assert checked(old_mac, system=System.MACOS)[0].kind is DeviceKind.GPU


def test_names_with_nul_control_characters_and_chinese():
    claim = replace(CARD, description="显卡\0X\x1b[31m\n摩尔线程 \ud800", name="V\0ulkan0")
    (device,) = checked(claim)
    assert device.description == "显卡 X [31m 摩尔线程"
    assert device.name == "V ulkan0"
    assert clean("x" * 500) == "x" * 120


sizes = (
    st.none() | st.sampled_from([0, 1, GIB, 1 << 46, 1 << 63, (1 << 64) - 1, -1]) | st.integers()
)
names = st.text(max_size=30) | st.sampled_from(["CUDA0", "Vulkan0", "llvmpipe", "Radeon 780M"])
ids = st.sampled_from(["", "0000:01:00.0", "0000:02:00.0"])
claims = st.builds(
    Claim,
    backend=st.sampled_from(["cuda", "Vulkan", "MTL", "HIP", "", "cpu"]) | st.text(max_size=5),
    name=names,
    description=names,
    kind=st.sampled_from(["cpu", "gpu", "igpu", "accel", "meta", "?"]),
    total_bytes=sizes,
    free_bytes=sizes,
    id=ids,
    problem=st.none() | st.sampled_from([DeviceProblem.PROBE_CRASHED]),
)
said = st.builds(
    Opinion,
    id=ids,
    description=names,
    dedicated_bytes=sizes,
    dedicated_used_bytes=st.integers(),
    shared_bytes=sizes,
    shared_used_bytes=st.integers(),
    free_bytes=sizes,
)


@given(
    st.lists(claims, max_size=6),
    st.lists(said, max_size=4),
    st.integers(0, 1 << 42),
    st.sampled_from(System),
    st.sampled_from(["x86_64", "arm64"]),
)
def test_what_comes_out_can_be_believed(claims, opinions, memory_bytes, system, architecture):
    devices = normalise(
        claims,
        opinions,
        main_memory_bytes=memory_bytes,
        system=system,
        architecture=architecture,
    )
    for device in devices:
        assert_sane(device, memory_bytes)
    usable = [device for device in devices if device.problem is None]
    assert len({device.name for device in usable}) == len(usable)
    addresses = [device.id for device in usable if device.id]
    assert len(set(addresses)) == len(addresses)


def assert_sane(device: Device, memory_bytes: int) -> None:
    assert device.name
    assert device.backend
    assert (device.name + device.description).isprintable()
    assert device.total_bytes is None or 0 <= device.total_bytes < 1 << 46
    assert device.free_bytes is None or 0 <= device.free_bytes <= (device.total_bytes or 0)
    assert 0 <= device.dedicated_used_bytes <= device.dedicated_bytes <= (device.total_bytes or 0)
    if device.problem is None:
        assert device.total_bytes
        if device.kind is DeviceKind.IGPU:
            assert device.total_bytes <= memory_bytes + device.dedicated_bytes
