"""The page of `snug hardware` for every recorded machine: a line for all, no jargon, no gaps."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.hardware import page
from engine.hardware.machines import report_of
from engine.types.hardware import DeviceProblem, Pressure, Speed

MIB, GIB = 1 << 20, 1 << 30
FILE = Path(__file__).resolve().parents[2] / "data" / "machines.json"
MACHINES = {
    entry["id"]: entry for entry in json.loads(FILE.read_text(encoding="utf-8"))["machines"]
}
JARGON = re.compile(r"\b(None|RAM|VRAM|iGPU|bytes|cgroup|heap|backend|DeviceProblem)\b")


def page_of(name: str) -> str:
    return page(report_of(MACHINES[name]))


@pytest.mark.parametrize("name", MACHINES)
def test_every_machine_has_a_page(name):
    text = page_of(name)
    titles = [line.split()[0] for line in text.splitlines() if not line.startswith(" ")]
    assert titles == ["System", "Processor", "Memory", "Graphics"]
    assert not JARGON.search(text)
    for gpu in MACHINES[name]["gpus"]:
        assert gpu["desc"] in text


def test_each_device_has_a_state_and_a_reason():
    text = page_of("rtx4060_laptop_cudacrash")
    assert "not used: its driver stopped when it was tried" in text
    assert "ready; models run on it first" in text
    assert "another entry is the same card" in page_of("arc_a770")
    assert "it reports no memory" in page_of("zero_zero")


@pytest.mark.parametrize(
    "problem", [problem for problem in DeviceProblem if problem is not DeviceProblem.DUPLICATE]
)
def test_every_problem_has_words(problem):
    report = report_of(MACHINES["gtx1650_4gb"])
    broken = replace(report, devices=(replace(report.devices[0], problem=problem),))
    assert re.search(r"not (used|needed): ", page(broken))


def test_the_cores_in_use_have_a_reason():
    assert "a model uses 4 cores: the slow ones would hold the others up" in page_of("m1_8gb")
    assert "a model uses 4 cores: one thread for each core is fastest" in page_of("n100_16gb")
    assert "7 cores: the rest is left to other programs" in page_of("m3max_64gb_proxy")
    report = report_of(MACHINES["n100_16gb"])
    held = replace(report, cpu=replace(report.cpu, usable_cores=1))
    assert "a model uses 1 core: this program may use no more" in page(held)


def test_limits_and_pressure_are_told():
    report = report_of(MACHINES["celeron_j4125_noavx"])
    memory = replace(
        report.memory,
        limit_bytes=2048 * MIB,
        address_space_left_bytes=900 * MIB,
        commit_left_bytes=3000 * MIB,
        swap_total_bytes=4096 * MIB,
        swap_free_bytes=1024 * MIB,
        pressure=Pressure.CRITICAL,
    )
    text = page(replace(report, memory=memory))
    assert "may use 2.0 GB" in text
    assert "may address 900 MB more" in text
    assert "promises programs 2.9 GB more" in text
    assert "swap space: 4.0 GB, 1.0 GB of it free" in text
    assert "Memory is full" in text


def test_the_measured_speed_is_one_line():
    report = report_of(MACHINES["n100_16gb"])
    assert "its speed is not measured yet" in page(report)
    speed = Speed(threads=4, bytes_per_s=(("Q4_K", 8.7 * GIB), ("F16", 1.0)), overhead_s=1e-6)
    assert "reads about 8.7 GB of weights a second\n" in page(replace(report, speed=speed))
    repacked = replace(speed, repacked_bytes_per_s=(("Q4_K", 28.2 * GIB),), others_share=0.5)
    line = "reads about 28 GB of weights a second, or more: it was busy when measured\n"
    assert line in page(replace(report, speed=repacked))


def test_shared_memory_is_called_shared():
    text = page_of("strixhalo_carve96_linux")
    assert "shared with the processor, 96.0 GB set aside for it" in text


def test_an_engine_that_did_not_start_is_told():
    report = report_of(MACHINES["gtx1650_4gb"])
    device = replace(report.devices[0], backend="cpu", problem=DeviceProblem.PROBE_CRASHED)
    assert "The engine did not start" in page(replace(report, devices=(device,)))
