"""Every way to compute has a line, and whatever is wrong with it a sentence to act on."""

import re
from dataclasses import replace
from itertools import product

import pytest

from app.cli import backend_words
from app.cli.hardware import page
from engine.types.backends import BackendProblem, BackendReport, BackendState, Origin
from engine.types.hardware import System
from tests.machines import machine

ACTS = re.compile(
    r"install|update|import|nothing needs to be done|models run on|a newer Snug may use it"
)
JARGON = re.compile(r"\b(None|backend|BackendProblem|plug-?in|dlopen|[a-z]+_[a-z]+)\b")


def lines(*backends: BackendReport, system: System = System.LINUX) -> list[str]:
    return list(backend_words.lines(replace(machine(system=system), backends=backends)))


def failed(name: str, problem: BackendProblem, **more: object) -> BackendReport:
    return BackendReport(backend=name, state=BackendState.FAILED, problem=problem, **more)


@pytest.mark.parametrize("problem", BackendProblem)
@pytest.mark.parametrize("name", ["cpu", "vulkan", "cuda", "metal", "rocm", "directml"])
def test_every_problem_of_every_backend_ends_with_what_to_do(name, problem):
    for origin, system in product(Origin, System):
        first, why = lines(failed(name, problem, origin=origin), system=system)
        assert first.endswith((": failed", ": not used"))
        assert ACTS.search(why)
        assert not JARGON.search(f"{first} {why}")


@pytest.mark.parametrize(
    ("backend", "words"),
    [
        (failed("cuda", BackendProblem.NOT_INSTALLED), "snug packs import FILE"),
        (failed("vulkan", BackendProblem.CRASHED), "update the graphics driver"),
        (failed("cuda", BackendProblem.TIMED_OUT), "update the NVIDIA driver"),
        (failed("metal", BackendProblem.CRASHED), "update macOS"),
        (failed("vulkan", BackendProblem.WRONG_BUILD), "another Snug; install Snug again"),
        (
            failed("cuda", BackendProblem.WRONG_BUILD, origin=Origin.PACK),
            "another Snug; install the pack for this one: snug packs import FILE",
        ),
        (failed("cpu", BackendProblem.NOT_INSTALLED), "no part of this Snug runs"),
        (failed("cpu", BackendProblem.CRASHED), "the engine did not start"),
    ],
)
def test_what_to_do_suits_the_case(backend, words):
    assert words in lines(backend)[1]


@pytest.mark.parametrize(
    ("name", "detail", "system", "words"),
    [
        (
            "vulkan",
            "failed to load libggml-vulkan.so: libvulkan.so.1: cannot open shared object file",
            System.LINUX,
            "mesa-vulkan-drivers on Debian",
        ),
        ("vulkan", "libggml-vulkan.so: invalid ELF header", System.LINUX, "install Snug again"),
        ("vulkan", "", System.WINDOWS, "the card's maker"),
        ("cuda", "libcuda.so.1: cannot open", System.LINUX, "NVIDIA driver is missing"),
        ("cuda", "", System.WINDOWS, "NVIDIA driver is missing"),
    ],
)
def test_a_missing_driver_is_told_from_a_broken_file(name, detail, system, words):
    backend = failed(name, BackendProblem.NOT_LOADABLE, detail=detail)
    assert words in lines(backend, system=system)[1]


def test_the_processor_names_its_part_in_plain_words():
    ready = BackendReport(backend="cpu", state=BackendState.READY, variant="haswell")
    assert lines(ready) == [
        "Processor: ready",
        "  its part is the one for haswell: it uses AVX2, FMA, F16C, BMI2",
    ]
    unknown = BackendReport(backend="cpu", state=BackendState.READY, variant="riscv64_v")
    assert lines(unknown)[1].endswith("for riscv64_v")
    compiled_in = BackendReport(backend="cpu", state=BackendState.READY)
    assert lines(compiled_in) == ["Processor: ready"]


def test_what_works_and_is_not_wanted_has_not_failed():
    slower = failed("vulkan", BackendProblem.SLOWER)
    assert lines(slower)[0] == "Vulkan (graphics cards): not used"
    assert lines(failed("vulkan", BackendProblem.CRASHED))[0] == "Vulkan (graphics cards): failed"


def test_details_are_pointed_at_but_not_shown():
    told = lines(failed("vulkan", BackendProblem.CRASHED, detail="\x1b[2JSIGABRT ggml.c:42"))
    assert "snug hardware --json" in told[-1]
    assert "SIGABRT" not in "".join(told)


def test_directml_without_its_runtime_names_the_part_to_install():
    missing = failed("directml", BackendProblem.NOT_INSTALLED)
    assert lines(missing, system=System.WINDOWS) == [
        "DirectML (graphics cards, for ONNX models): failed",
        "  the part for ONNX models is not installed: python -m pip install 'snug[onnx]'",
    ]


def test_the_page_has_a_part_for_them():
    ready = BackendReport(backend="vulkan", state=BackendState.READY)
    assert "\nBackends   Vulkan (graphics cards): ready" in page(
        replace(machine(), backends=(ready,))
    )
    assert "Backends" not in page(machine())
