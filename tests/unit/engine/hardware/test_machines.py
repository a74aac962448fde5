"""Other machines from files: every recorded one, and reports of our own, exactly."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import MachineUnreadable
from engine.hardware.machines import parse_cpu_text, read_machine, report_of
from engine.hardware.report_json import Malformed, from_json, to_json
from engine.types.backends import BackendProblem, BackendReport, BackendState, Origin
from engine.types.hardware import (
    Cpu,
    Device,
    DeviceKind,
    DeviceProblem,
    HardwareReport,
    Memory,
    Pressure,
    Speed,
    System,
)

MIB = 1 << 20
FILE = Path(__file__).resolve().parents[3] / "data" / "machines.json"
MACHINES = {
    entry["id"]: entry for entry in json.loads(FILE.read_text(encoding="utf-8"))["machines"]
}


def report(name: str) -> HardwareReport:
    return report_of(MACHINES[name])


def usable(name: str) -> list[str]:
    return [device.name for device in report(name).devices if device.problem is None]


def problem(name: str, device_name: str) -> DeviceProblem | None:
    (found,) = [device for device in report(name).devices if device.name == device_name]
    return found.problem


@pytest.mark.parametrize("name", MACHINES)
def test_every_recorded_machine_is_read(name):
    entry, machine = MACHINES[name], report(name)
    assert machine.memory.total_bytes == entry["ram_total_mib"] * MIB
    assert 0 < machine.memory.available_bytes <= machine.memory.total_bytes
    assert machine.system.value == entry["os"].partition("-")[0]
    assert 1 <= machine.cpu.usable_cores <= machine.cpu.physical_cores
    assert [device.name for device in machine.devices] == [gpu["name"] for gpu in entry["gpus"]]


@pytest.mark.parametrize("name", MACHINES)
def test_every_recorded_machine_survives_json(name):
    assert from_json(json.loads(json.dumps(to_json(report(name))))) == report(name)


def test_what_is_available_is_assumed_only_where_nobody_said():
    assert report("strixhalo_carve96_linux").memory.available_bytes == 22601 * MIB
    assert report("m1_8gb").memory.available_bytes == int(8192 * MIB * 0.65)


def test_cards_are_used_once_and_by_the_better_backend():
    assert usable("rtx4060_laptop_win") == ["CUDA0", "Vulkan0"]
    assert usable("arc_a770") == ["Vulkan0"]
    assert usable("rx6700xt_rocm") == ["Vulkan0"]
    assert usable("dual3090") == ["CUDA0", "CUDA1"]


def test_a_crashed_probe_leaves_the_card_to_the_next_backend():
    assert problem("rtx4060_laptop_cudacrash", "CUDA0") is DeviceProblem.PROBE_CRASHED
    assert usable("rtx4060_laptop_cudacrash") == ["Vulkan0"]
    assert problem("snapdragon_x", "Vulkan0") is DeviceProblem.PROBE_CRASHED


def test_absurd_numbers_of_recorded_machines():
    (underflow,) = report("rx9060xt_underflow").devices
    assert (underflow.total_bytes, underflow.free_bytes) == (16304 * MIB, None)
    (more_than_all,) = report("radeon780m_win_hip").devices
    assert (more_than_all.backend, more_than_all.free_bytes) == ("rocm", None)
    assert problem("zero_zero", "CUDA0") is DeviceProblem.NO_MEMORY


@pytest.mark.parametrize(
    ("name", "dedicated_mib"),
    [
        ("strixhalo_carve96_linux", 98304),
        ("radeon680m", 4096),
        ("radeon780m_linux_gtt", 2048),
        ("steamdeck", 4096),
        ("arc_130v_win", 0),
        ("m1_8gb", 0),
    ],
)
def test_shared_devices_and_their_carve_outs(name, dedicated_mib):
    (device,) = report(name).devices
    assert device.kind is DeviceKind.IGPU
    assert device.dedicated_bytes == dedicated_mib * MIB


def test_an_adreno_shares_memory_whatever_opencl_says():
    assert report("snapdragon_x").devices[0].kind is DeviceKind.IGPU
    assert report("snapdragon_x").cpu.architecture == "arm64"


@pytest.mark.parametrize(
    ("words", "cores"),
    [
        ("Apple M1 4P+4E", (8, 4, 8)),
        ("Apple M2 Max 8P+4E", (12, 8, 12)),
        ("Ryzen 7 7840HS 8c/16t", (8, 8, 16)),
        ("Intel(R) N100 4c/4t AVX2", (4, 4, 4)),
        ("Snapdragon X Elite 12c", (12, 12, 12)),
        ("x86_64 AVX2", (4, 4, 4)),
        ("0c/0t", (1, 1, 1)),
    ],
)
def test_core_counts_in_words(words, cores):
    cpu = parse_cpu_text(words, System.LINUX, arm=False)
    assert (cpu.physical_cores, cpu.performance_cores, cpu.logical_cores) == cores


def test_instruction_sets_in_words():
    def features(words):
        return parse_cpu_text(words, System.LINUX, arm=False).features

    assert features("Intel Celeron J4125 4c/4t SSE4.2 only") == {"ssse3", "sse41", "sse42"}
    assert "avx2" in features("x86_64 AVX2")
    assert features("Ryzen 6800H") == frozenset()
    assert parse_cpu_text("Intel(R) N100 4c/4t AVX2", System.WINDOWS, arm=False).name == (
        "Intel(R) N100"
    )


def save(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_all_forms_of_a_file_are_read(tmp_path):
    entry = MACHINES["m1_8gb"]
    forms = [
        entry, [entry], {"machines": [entry], "note": "x"}, to_json(report("m1_8gb")),
    ]  # fmt: skip
    for number, form in enumerate(forms):
        assert read_machine(save(tmp_path / f"{number}.json", form)) == report("m1_8gb")


def test_a_file_from_powershell_has_another_encoding(tmp_path):
    path = tmp_path / "machine.json"
    path.write_bytes(json.dumps(MACHINES["m1_8gb"]).encode("utf-16"))
    assert read_machine(path) == report("m1_8gb")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"os": "beos", "cpu": "x", "ram_total_mib": 1}',
        b'{"os": "linux", "cpu": "x"}',
        b'{"os": "linux", "cpu": "x", "ram_total_mib": "much"}',
        b'{"os": "linux", "cpu": "x", "ram_total_mib": 1e30}',
        b'{"os": "linux", "cpu": "x", "ram_total_mib": 1, "gpus": {}}',
        b'{"os": "linux", "cpu": "x", "ram_total_mib": 1, "gpus": [3]}',
        b'{"error": {"code": "engine"}}',
        b'{"system": "linux", "cpu": {}, "memory": {}}',
        b" " * (5 << 20),
    ],
)
def test_what_is_no_machine_is_told(tmp_path, data):
    path = tmp_path / "machine.json"
    path.write_bytes(data)
    with pytest.raises(MachineUnreadable) as caught:
        read_machine(path)
    assert caught.value.path == path
    assert caught.value.detail


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(MachineUnreadable):
            read_machine(path)


def test_of_several_machines_one_must_be_chosen():
    with pytest.raises(MachineUnreadable, match="25 machines"):
        read_machine(FILE)


sizes = st.integers(0, 1 << 45)
cores = st.integers(1, 256)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
rates = st.floats(0, 1e15)
cpus = st.builds(
    Cpu,
    name=text,
    architecture=text,
    physical_cores=cores,
    performance_cores=cores,
    logical_cores=cores,
    usable_cores=cores,
    features=st.frozensets(text),
    emulated=st.booleans(),
)
speeds = st.builds(
    Speed,
    threads=cores,
    bytes_per_s=st.lists(st.tuples(text, rates), max_size=3).map(tuple),
    overhead_s=rates,
    attention_s=st.lists(st.tuples(text, rates, rates), max_size=3).map(tuple),
)


@st.composite
def memories(draw):
    available, total = sorted([draw(sizes), draw(sizes)])
    return Memory(
        total_bytes=total,
        available_bytes=available,
        limit_bytes=draw(st.none() | sizes),
        address_space_left_bytes=draw(st.none() | sizes),
        commit_left_bytes=draw(st.none() | sizes),
        swap_total_bytes=draw(sizes),
        swap_free_bytes=draw(sizes),
        pressure=draw(st.sampled_from(Pressure)),
    )


@st.composite
def cards(draw):
    used, dedicated, total = sorted([draw(sizes) for _ in range(3)])
    return Device(
        backend=draw(text),
        name=draw(text),
        description=draw(text),
        kind=draw(st.sampled_from(DeviceKind)),
        total_bytes=draw(st.sampled_from([None, total])),
        free_bytes=draw(st.none() | st.integers(0, total)),
        dedicated_bytes=dedicated,
        dedicated_used_bytes=used,
        id=draw(text),
        driver=draw(text),
        compute_capability=draw(text),
        problem=draw(st.none() | st.sampled_from(DeviceProblem)),
        supports_mmap=draw(st.booleans()),
    )


backends = st.builds(
    BackendReport,
    backend=text,
    state=st.sampled_from(BackendState),
    problem=st.none() | st.sampled_from(BackendProblem),
    detail=text,
    origin=st.sampled_from(Origin),
    variant=text,
)
reports = st.builds(
    HardwareReport,
    system=st.sampled_from(System),
    cpu=cpus,
    memory=memories(),
    devices=st.lists(cards(), max_size=3).map(tuple),
    speed=st.none() | speeds,
    backends=st.lists(backends, max_size=3).map(tuple),
)


@given(reports)
def test_a_report_comes_back_exactly(given_report):
    assert from_json(json.loads(json.dumps(to_json(given_report)))) == given_report


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from(["system", "cpu", "memory", "devices", "speed", "backends"]), json_values)
def test_a_damaged_report_is_refused_in_one_way(key, value):
    body = to_json(report("dual3090")) | {key: value}
    with suppress(Malformed):
        assert isinstance(from_json(body), HardwareReport)


def test_a_report_of_an_older_snug_names_no_backends():
    body = to_json(report("m1_8gb"))
    del body["backends"]
    assert from_json(body) == report("m1_8gb")


@pytest.mark.parametrize(
    "backend",
    [
        7,
        {},
        {"backend": "vulkan"},
        {"backend": 7, "state": "ready"},
        {"backend": "vulkan", "state": "splendid"},
        {"backend": "vulkan", "state": None},
        {"backend": "vulkan", "state": "failed", "problem": "bad mood"},
        {"backend": "vulkan", "state": "failed", "detail": ["a"]},
        {"backend": "vulkan", "state": "ready", "origin": "street"},
        {"backend": "cpu", "state": "ready", "variant": None},
    ],
)
def test_a_backend_that_can_not_be_is_refused(backend):
    for backends in ([backend], [backend] * 2000, {"0": backend}):
        with pytest.raises(Malformed):
            from_json({**to_json(report("m1_8gb")), "backends": backends})


@given(json_values)
def test_a_damaged_machine_is_refused_in_one_way(value):
    entry = MACHINES["radeon680m"]
    gpu = entry["gpus"][0]
    for body in (value, *({**entry, key: value} for key in entry)):
        try_to_read(body)
    for key in gpu:
        try_to_read({**entry, "gpus": [{**gpu, key: value}]})


def try_to_read(body: object) -> None:
    with suppress(Malformed):
        assert isinstance(report_of(body), HardwareReport)


@pytest.mark.parametrize(
    "speed",
    [
        {"threads": 2, "bytes_per_s": [["Q4_K", -1.0]], "overhead_s": 0.0},
        {"threads": 2, "bytes_per_s": [["Q4_K", float("nan")]], "overhead_s": 0.0},
        {"threads": 2, "bytes_per_s": [["Q4_K"]], "overhead_s": 0.0},
        {"threads": "two", "bytes_per_s": [], "overhead_s": 0.0},
    ],
)
def test_a_speed_that_can_not_be_is_refused(speed):
    with pytest.raises(Malformed):
        from_json(to_json(report("m1_8gb")) | {"speed": speed})


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("memory", {"available_bytes": 1 << 45}),
        ("memory", {"total_bytes": -1}),
        ("devices", {"free_bytes": 1 << 45}),
        ("devices", {"dedicated_bytes": 1 << 45}),
        ("devices", {"dedicated_used_bytes": 1}),
        ("cpu", {"usable_cores": 0}),
        ("cpu", {"physical_cores": True}),
    ],
)
def test_an_edited_report_that_contradicts_itself_is_refused(place, change):
    body = to_json(report("gtx1650_4gb"))
    edited = [{**body["devices"][0], **change}] if place == "devices" else body[place] | change
    with pytest.raises(Malformed, match=next(iter(change))):
        from_json({**body, place: edited})
