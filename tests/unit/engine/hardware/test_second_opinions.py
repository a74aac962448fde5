"""What drivers and systems say of cards: recorded sysfs, hand-packed NVML and DXGI structures."""

import ctypes
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hardware import drm, dxgi, nvml
from engine.hardware.sysctl import integer, text

GIB = 1 << 30


def test_an_apu_tells_its_carve_out_and_what_it_may_borrow():
    """Radeon 780M with 2 GiB set aside and 80 GiB to borrow (ollama 2637)."""
    files = {
        "vendor": "0x1002\n",
        "mem_info_vram_total": "2147483648\n",
        "mem_info_vram_used": "1073741824\n",
        "mem_info_gtt_total": "85899345920\n",
        "mem_info_gtt_used": "85899345919\n",
    }
    card = drm.parse_card(files, "0000:C4:00.0", "amdgpu 6.8.0")
    assert card.id == "0000:c4:00.0"
    assert (card.dedicated_bytes, card.dedicated_used_bytes) == (2 * GIB, GIB)
    assert (card.shared_bytes, card.shared_used_bytes) == (80 * GIB, 80 * GIB - 1)
    assert card.free_bytes == GIB
    assert (card.vendor, card.driver) == ("0x1002", "amdgpu 6.8.0")


def test_a_driver_that_tells_nothing():
    card = drm.parse_card({"vendor": "0x8086\n"}, "0000:00:02.0", "i915 6.8.0")
    assert (card.dedicated_bytes, card.shared_bytes, card.free_bytes) == (None, None, None)


def test_more_used_than_there_is():
    card = drm.parse_card({"mem_info_vram_total": "5", "mem_info_vram_used": "9"}, "", "")
    assert (card.dedicated_used_bytes, card.free_bytes) == (5, 0)


def test_cards_are_found_by_their_folders(tmp_path):
    device = tmp_path / "devices" / "pci0000:00" / "0000:c4:00.0"
    driver = tmp_path / "bus" / "pci" / "drivers" / "amdgpu"
    module = tmp_path / "module" / "amdgpu"
    for folder in (device, driver, module):
        folder.mkdir(parents=True)
    (device / "vendor").write_text("0x1002\n")
    (device / "mem_info_vram_total").write_text("1024\n")
    (device / "driver").symlink_to(driver)
    (module / "version").write_text("6.7.0\n")
    for name in ("card1", "card1-HDMI-A-1", "renderD128"):
        (tmp_path / "class" / "drm" / name).mkdir(parents=True)
    (tmp_path / "class" / "drm" / "card1" / "device").symlink_to(device)
    (card,) = drm.read_cards(tmp_path)
    assert (card.id, card.driver, card.dedicated_bytes) == ("0000:c4:00.0", "amdgpu 6.7.0", 1024)


def test_a_machine_without_cards(tmp_path):
    assert drm.read_cards(tmp_path) == []


def test_structures_of_nvml_have_their_sizes():
    """nvmlMemory_t and nvmlPciInfo_t of nvml.h."""
    assert ctypes.sizeof(nvml.Memory) == 24
    assert ctypes.sizeof(nvml.PciInfo) == 68


CARD = nvml.Card(
    name="NVIDIA GeForce RTX 3090",
    bus_id="00000000:0A:00.0",
    memory=(24 * GIB, 23 * GIB),
    capability=(8, 6),
)


def test_an_nvidia_card_is_written_as_ggml_writes_it():
    opinion = nvml.parse_card(CARD, "550.54.15", trust_free=True)
    assert opinion.id == "0000:0a:00.0"
    assert (opinion.dedicated_bytes, opinion.free_bytes) == (24 * GIB, 23 * GIB)
    assert (opinion.compute_capability, opinion.driver) == ("8.6", "550.54.15")
    assert nvml.parse_card(CARD, "", trust_free=False).free_bytes is None


@pytest.mark.parametrize("text_", ["", "nonsense", "GPU-1"])
def test_no_address_is_none(text_):
    assert nvml.pci_id(text_) == ""


def test_where_nvml_is_not_installed_there_are_no_cards():
    assert nvml.read_cards("darwin") == []


class FakeNvml:
    """Fills the caller's memory as the library does."""

    def nvmlSystemGetDriverVersion(self, buffer, size):  # noqa: N802 - NVML's name
        buffer.value = b"580.1"
        return 0

    def nvmlDeviceGetCount_v2(self, count):  # noqa: N802
        count._obj.value = 2
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, index, handle):  # noqa: N802
        handle._obj.value = index.value + 1
        return 0

    def nvmlDeviceGetName(self, handle, buffer, size):  # noqa: N802
        buffer.value = b"NVIDIA H200"
        return 0

    def nvmlDeviceGetMemoryInfo(self, handle, memory):  # noqa: N802
        memory._obj.total, memory._obj.free = 141 * GIB, 140 * GIB
        return 0 if handle.value == 1 else 3

    def nvmlDeviceGetPciInfo_v3(self, handle, info):  # noqa: N802
        info._obj.bus_id = b"00000000:01:00.0"
        return 0

    def nvmlDeviceGetCudaComputeCapability(self, handle, major, minor):  # noqa: N802
        major._obj.value, minor._obj.value = 9, 0
        return 0


def test_a_card_without_memory_information_is_still_named():
    """GB10 and integrated ones answer "not supported"."""
    first, second = nvml._read(FakeNvml(), trust_free=True)
    assert first.dedicated_bytes == 141 * GIB
    assert (second.dedicated_bytes, second.free_bytes) == (None, None)
    assert second.compute_capability == "9.0"


def adapter(name: str, *, vendor: int, dedicated: int, shared: int, flags: int = 0) -> bytes:
    """DXGI_ADAPTER_DESC1 by its offsets on 64 bits (dxgi.h)."""
    data = bytearray(312)
    encoded = name.encode("utf-16-le")
    data[: len(encoded)] = encoded
    struct.pack_into("<I", data, 256, vendor)
    struct.pack_into("<QQQ", data, 272, dedicated, 0, shared)
    struct.pack_into("<I", data, 304, flags)
    return bytes(data)


def test_windows_tells_the_budget_of_a_card():
    description = adapter("Radeon RX", vendor=0x1002, dedicated=16 * GIB, shared=8 * GIB)
    local = struct.pack("<4Q", 15 * GIB, 2 * GIB, 0, 0)
    opinion = dxgi.parse_adapter(description, local)
    assert (opinion.description, opinion.vendor) == ("Radeon RX", "0x1002")
    assert (opinion.dedicated_bytes, opinion.shared_bytes) == (16 * GIB, 8 * GIB)
    assert opinion.free_bytes == 13 * GIB
    assert dxgi.parse_adapter(description).free_bytes is None


def test_use_over_budget_leaves_nothing():
    description = adapter("X", vendor=1, dedicated=1, shared=1)
    assert dxgi.parse_adapter(description, struct.pack("<4Q", 5, 9, 0, 0)).free_bytes == 0


def test_the_basic_render_driver_is_no_card():
    name = "Microsoft Basic Render Driver"
    assert dxgi.parse_adapter(adapter(name, vendor=0x1414, dedicated=0, shared=1, flags=2)) is None


@given(st.binary(max_size=400), st.binary(max_size=40))
def test_any_bytes_of_dxgi_are_survived(description, local):
    opinion = dxgi.parse_adapter(description, local)
    assert opinion is None or opinion.free_bytes is None or opinion.free_bytes >= 0


METHOD = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class FakeCom:
    """A COM object in this process's memory: a pointer to a table of functions."""

    def __init__(self, methods):
        self._keep = [METHOD(methods.get(index, lambda *_: -1)) for index in range(15)]
        pointers = [ctypes.cast(method, ctypes.c_void_p).value for method in self._keep]
        self._table = (ctypes.c_void_p * len(pointers))(*pointers)
        self._object = ctypes.c_void_p(ctypes.addressof(self._table))
        self.pointer = ctypes.c_void_p(ctypes.addressof(self._object))


def test_com_objects_are_called_through_their_tables():
    """The places in the tables are those of dxgi.h: EnumAdapters1 12, GetDesc1 10, Release 2."""
    released = []
    described = adapter("Arc", vendor=0x8086, dedicated=GIB, shared=2 * GIB)

    def describe(_, target, __):
        ctypes.memmove(target, described, len(described))
        return 0

    card = FakeCom({10: describe, 2: lambda *_: released.append("card") or 0})

    def enumerate_adapters(_, index, target):
        if index:
            return -1
        ctypes.cast(target, ctypes.POINTER(ctypes.c_void_p))[0] = card.pointer.value
        return 0

    factory = FakeCom({12: enumerate_adapters})
    (opinion,) = [dxgi._read(found) for found in dxgi._adapters(factory.pointer)]
    assert (opinion.description, opinion.dedicated_bytes) == ("Arc", GIB)
    assert released == ["card"]


def test_values_of_sysctl():
    assert integer(struct.pack("<i", -1)) == -1
    assert integer(struct.pack("<q", 1 << 40)) == 1 << 40
    assert integer(b"abc") is None
    assert integer(None) is None
    assert text(b"Apple M1\0rest") == "Apple M1"
    assert text(None) == ""
