"""This machine as it is: real files, real limits, a real probe child, the real command line."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from engine.child.spawn import run_role
from engine.child.wire import encode
from engine.errors import BackendUnusable
from engine.hardware.linux_memory import read_linux_memory
from engine.hardware.memory import read_memory
from engine.hardware.probe import read_report
from engine.hardware.report_json import from_json, to_json
from engine.planner.bandwidths import measured_bytes_per_s
from engine.runtimes.fake import Death, Hang, Script, Stage
from engine.runtimes.llamacpp import devices
from engine.types.hardware import DeviceProblem, HardwareReport
from tests.system.limits import memory_group

MIB = 1 << 20
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())"]
linux = pytest.mark.skipif(sys.platform != "linux", reason="a limit of Linux")


def snug(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command, after `before` in the same shell."""
    shell = ["sh", "-c", f'{before}exec "$@"', "sh"] if before else []
    return subprocess.run(
        [*shell, *PROGRAM, *arguments],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False, cwd=ROOT,
    )  # fmt: skip


def report_of(done: subprocess.CompletedProcess[str]) -> HardwareReport:
    assert done.returncode == 0, done.stderr
    return from_json(json.loads(done.stdout))


def test_ggml_knows_this_processor():
    """Read through structures whose sizes were checked against the header."""
    found = devices.found()
    (cpu,) = [device for device in found if device.kind == "cpu"]
    assert (cpu.backend, cpu.name) == ("cpu", "CPU")
    assert cpu.total_bytes == pytest.approx(psutil.virtual_memory().total, rel=0.01)
    assert cpu.supports_mmap
    assert ctypes.sizeof(devices.Props) == 56
    assert devices.Props.caps.offset == 48


def test_a_library_of_another_shape_is_refused(monkeypatch):
    monkeypatch.setitem(devices._SIZES, "Props", 64)
    devices.ggml.cache_clear()
    with pytest.raises(devices.native.IncompatibleLibrary, match="Props"):
        devices.ggml()
    devices.ggml.cache_clear()


@pytest.mark.parametrize("backend", ["vulkan", "nonsense", "../../planted", ""])
def test_a_backend_that_was_not_approved_is_not_looked_for(backend):
    with pytest.raises(BackendUnusable):
        devices.probe({"backend": backend})


def test_a_child_answers_what_this_process_finds():
    answer = run_role("probe", {"backend": "cpu"}, timeout_s=60)
    names = [device["name"] for device in answer["devices"]]
    assert names == [device.name for device in devices.found()]


def test_the_report_of_this_machine():
    report = read_report()
    assert report.memory.total_bytes == pytest.approx(psutil.virtual_memory().total, rel=0.01)
    assert report.cpu.logical_cores == psutil.cpu_count()
    assert [device for device in report.devices if device.backend == "cpu"] == []
    assert from_json(json.loads(json.dumps(to_json(report)))) == report


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("script", "timeout_s", "problem"),
    [
        (
            Script(death=Death(stage=Stage.PROBE, signal_name="SIGSEGV")),
            60.0,
            DeviceProblem.PROBE_CRASHED,
        ),
        (
            Script(death=Death(stage=Stage.PROBE, signal_name="SIGILL")),
            60.0,
            DeviceProblem.PROBE_CRASHED,
        ),
        (Script(death=Death(stage=Stage.PROBE, exit_code=3)), 60.0, DeviceProblem.PROBE_CRASHED),
        (Script(hang=Hang(stage=Stage.PROBE, seconds=600)), 1.0, DeviceProblem.PROBE_TIMED_OUT),
    ],
)
def test_pitfalls_58_and_59_a_real_child_dies_or_hangs(script, timeout_s, problem):
    def run(role, argument, *, timeout_s):
        scripted = {**argument, "script": encode(script)}
        return run_role(f"fake_{role}", scripted, timeout_s=timeout_s)

    (device,) = read_report(("vulkan",), run_role=run, timeout_s=timeout_s).devices
    assert (device.backend, device.problem) == ("vulkan", problem)


@linux
def test_ulimit_is_seen(snug_home):
    limit_kib = 8 << 20
    report = report_of(snug("hardware", "--json", before=f"ulimit -v {limit_kib}; "))
    assert 0 < report.memory.address_space_left_bytes < limit_kib * 1024
    assert report.memory.limit_bytes is None
    free = report_of(snug("hardware", "--json"))
    assert free.memory.address_space_left_bytes is None


@linux
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_tight_ulimit_still_gives_a_report(form, snug_home):
    done = snug("hardware", *form, before=f"ulimit -v {200 << 10}; ")
    assert done.returncode == 0, done.stderr
    assert ("address_space_left_bytes" if form else "a limit set with ulimit") in done.stdout


@linux
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_affinity_is_seen():
    code = (
        "import os; from engine.hardware.cpu import read_cpu;"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); print(read_cpu().usable_cores)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "1\n"


@linux
def test_a_memory_limited_cgroup_is_seen(tmp_path):
    """A made-up tree beside the real numbers: the machine may not let us make a real group."""
    group, proc = tmp_path / "cgroup" / "box", tmp_path / "proc"
    (proc / "self").mkdir(parents=True)
    group.mkdir(parents=True)
    (proc / "meminfo").write_text(Path("/proc/meminfo").read_text())
    (proc / "self" / "cgroup").write_text("0::/box\n")
    (proc / "self" / "mountinfo").write_text(f"1 2 0:3 / {group.parent} rw - cgroup2 cgroup2 rw\n")
    (group / "memory.max").write_text(f"{500 * MIB}\n")
    (group / "memory.current").write_text(f"{200 * MIB}\n")
    (group / "memory.stat").write_text(f"inactive_file {50 * MIB}\n")
    (group / "memory.pressure").write_text("some avg10=99.00 avg60=0 avg300=0 total=1\n")
    memory = read_linux_memory(proc)
    assert memory.limit_bytes == 500 * MIB
    assert memory.available_bytes == 350 * MIB
    assert memory.pressure.value == "warn"
    assert memory.total_bytes == read_memory().total_bytes


FILE_MIB, GROUP_MIB = 200, 400
READ_OFTEN = f"""
import mmap, os, sys
from engine.hardware.memory import read_memory
path = sys.argv[1]
with open(path, "wb") as file:
    for _ in range({FILE_MIB}):
        file.write(os.urandom(1 << 20))
    file.flush()
    os.fsync(file.fileno())
with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
    for _ in range(4):
        sum(view[i] for i in range(0, len(view), 4096))
        while file.read(1 << 20):
            pass
        file.seek(0)
memory = read_memory()
print(memory.limit_bytes, memory.available_bytes)
"""


@linux
def test_a_file_that_was_read_often_leaves_its_room_in_a_real_cgroup(tmp_path):
    """After a model was used and unloaded, its file is on the active list; it must fit again."""
    with memory_group(GROUP_MIB * MIB) as enter:
        if enter is None:
            pytest.skip("no memory cgroup can be made here")
        done = subprocess.run(
            [sys.executable, "-c", READ_OFTEN, str(tmp_path / "weights")],
            capture_output=True, text=True, check=True, cwd=ROOT, timeout=120, preexec_fn=enter,
        )  # fmt: skip
    limit, available = (int(number) // MIB for number in done.stdout.split())
    assert limit == GROUP_MIB
    assert GROUP_MIB - FILE_MIB / 2 < available < GROUP_MIB


def test_the_report_holds_the_speed_that_fit_goes_by(snug_home):
    report = report_of(snug("hardware", "--json"))
    assert report.speed is not None
    assert measured_bytes_per_s(report.speed) > 0
    assert "of weights a second" in snug("hardware").stdout


def test_the_page_is_for_people(snug_home):
    done = snug("hardware")
    assert done.returncode == 0
    assert done.stderr == ""
    for title in ("System", "Processor", "Memory", "Graphics"):
        assert f"\n{title}" in f"\n{done.stdout}"
    assert "a model uses" in done.stdout
