"""Plug-ins that abort, hang, lie or lie in wait: real libraries, real children, the whole program.

Whatever they do, Snug starts, answers on the processor, and says what became of them.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import fitting
from app.paths import find
from engine.backends import plugins
from engine.hardware.probe import read_report
from engine.types.backends import BackendProblem, BackendReport, BackendState, Origin
from engine.types.hardware import Speed
from tests.plugins import (
    ABORTS,
    CRASHES_AS_IT_IS_OPENED,
    FINDS_NO_DEVICE,
    GIVES_NOTHING,
    HANGS,
    HAS_NO_START,
    LIES_ABOUT_ITS_SCORE,
    compile_plugin,
    compile_without_its_driver,
    mark,
    our_id,
    witness_of,
)
from tests.system.plugged import NEXT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="compiles plug-ins for Linux")

ROOT = Path(__file__).resolve().parents[2]
PYTHONPATH = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
QUESTION = (
    "ask", "What is the capital of France?", "--temperature", "0", "--max-tokens", "8", "--json"
)  # fmt: skip
LIMIT_S = 2.0
"""For what hangs; all else answers or dies sooner, on a busy machine too."""
PATIENT_S = 60.0
WRONG_ID = "0.3.35-linux-x86_64-0123456789ab"


@pytest.fixture
def vulkan(tmp_path: Path) -> Path:
    return tmp_path / "lib" / "libggml-vulkan.so"


@pytest.fixture(autouse=True)
def _nothing_approved_afterwards() -> Iterator[None]:
    before = plugins.approved()
    yield
    plugins.approve(before)


def tried(library: Path, limit_s: float = PATIENT_S) -> BackendReport:
    """What the report says after the folder of `library` was tried."""
    plugins.approve(plugins.find(library.parent, Origin.BUILT_IN))
    assert [plugin.path for plugin in plugins.approved()] == [library]
    report = read_report(("vulkan",), timeout_s=limit_s)
    assert report.memory.total_bytes > 0
    (backend,) = [found for found in report.backends if found.backend == "vulkan"]
    return backend


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (ABORTS, BackendProblem.CRASHED),
        (CRASHES_AS_IT_IS_OPENED, BackendProblem.CRASHED),
        (GIVES_NOTHING, BackendProblem.NOT_LOADABLE),
        (HAS_NO_START, BackendProblem.NOT_LOADABLE),
        (FINDS_NO_DEVICE, BackendProblem.NO_DEVICE),
    ],
)
def test_what_a_plugin_does_in_its_child_is_a_problem_with_a_name(vulkan, code, problem):
    compile_plugin(vulkan, code, our_id())
    backend = tried(vulkan)
    assert backend.problem is problem
    assert backend.state is not BackendState.READY
    assert backend.detail or problem is BackendProblem.NO_DEVICE
    assert witness_of(vulkan).exists()


def test_a_plugin_that_hangs_costs_its_time_limit_and_no_more(vulkan):
    compile_plugin(vulkan, HANGS, our_id())
    started = time.monotonic()
    backend = tried(vulkan, LIMIT_S)
    assert time.monotonic() - started < 30
    assert backend.problem is BackendProblem.TIMED_OUT
    assert backend.state is BackendState.FAILED


def test_a_plugin_for_another_interface_is_refused_by_ggml(vulkan):
    compile_plugin(vulkan, FINDS_NO_DEVICE, our_id(), version=1)
    backend = tried(vulkan)
    assert backend.problem is BackendProblem.NOT_LOADABLE
    assert "API version" in backend.detail


def test_a_plugin_whose_driver_is_missing_names_it(vulkan):
    compile_without_its_driver(vulkan, "libvulkan.so.77", our_id())
    backend = tried(vulkan)
    assert backend.problem is BackendProblem.NOT_LOADABLE
    assert "libvulkan.so.77" in backend.detail


@pytest.mark.parametrize("content", [b"", b"not a library "], ids=["only a mark", "text"])
def test_a_file_that_is_no_library_is_told(vulkan, content):
    vulkan.parent.mkdir()
    vulkan.write_bytes(content + mark(our_id()))
    backend = tried(vulkan)
    assert backend.problem is BackendProblem.NOT_LOADABLE
    assert "libggml-vulkan.so" in backend.detail


def test_a_plugin_of_another_build_is_never_opened(vulkan):
    compile_plugin(vulkan, ABORTS, WRONG_ID)
    found = plugins.find(vulkan.parent, Origin.BUILT_IN)
    plugins.approve(found)
    assert [plugin.build_id for plugin in found] == [WRONG_ID]
    assert plugins.approved() == ()
    read_report(("vulkan",))
    assert not witness_of(vulkan).exists()


# --- the whole program --------------------------------------------------------------------------


@pytest.fixture
def timed_home(snug_home: Path, starter_model: Path) -> None:
    """A home whose computer was timed before: that takes longest, and is not what is tested."""
    speed = Speed(threads=1, bytes_per_s=(("Q4_1", 1e10),), overhead_s=1e-6)
    fitting.record(find()).keep_speed(speed)


def stay_on_one_core() -> None:
    os.sched_setaffinity(0, {random.choice(list(os.sched_getaffinity(0)))})


def snug(
    *arguments: str, module: tuple[str, ...] = (), cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command line, started in `cwd`, which is not where its modules are looked for. On one
    core: two threads would wait for each other beside other tests."""
    program = ["-m", *module] if module else ["-m", "ui.main"]
    return subprocess.run(
        [sys.executable, "-P", *program, *arguments],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        cwd=cwd,
        preexec_fn=stay_on_one_core,
        env={**os.environ, "PYTHONPATH": PYTHONPATH, **environment},
    )


def assert_answers_on_the_processor(line: str) -> None:
    answer = json.loads(line)
    assert (answer["text"], answer["backend"]) == ("The capital of France is Paris.", "cpu")


@pytest.mark.model
@pytest.mark.parametrize(
    ("code", "words"),
    [
        (ABORTS, "its driver stopped when it was tried; update the graphics driver"),
        (HANGS, "its driver gave no answer in time; update the graphics driver"),
        ("", "what is there belongs to another Snug"),
    ],
    ids=["aborts", "hangs", "of another build"],
)
@pytest.mark.usefixtures("timed_home")
def test_with_a_bad_plugin_snug_answers_on_the_processor_and_says_why(vulkan, code, words):
    compile_plugin(vulkan, code or ABORTS, our_id() if code else WRONG_ID)
    plugged = ("tests.system.plugged", str(vulkan.parent), str(LIMIT_S))
    done = snug(*QUESTION, NEXT, "hardware", module=plugged)
    assert done.returncode == 0, done.stderr
    answer, _, page = done.stdout.partition("\n")
    assert_answers_on_the_processor(answer)
    assert re.search(r"Processor: ready\n +its part is the one for \w+: it uses ", page)
    assert "Vulkan (graphics cards): failed" in page
    assert words in page
    assert witness_of(vulkan).exists() is bool(code)


# --- libraries that lie in wait -----------------------------------------------------------------

TRAPS = (
    "libggml-cpu-haswell.so",
    "libggml-cpu-x64.so",
    "libggml-cpu.so",
    "libggml-vulkan.so",
    "libggml-cuda.so",
    "libggml-blas.so",
    "libllama.so",
    "ggml-cpu.dll",
)
STOCK = "from llama_cpp import llama_cpp; llama_cpp.llama_backend_init()"


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One library under every name, of our build and with the best score, that ends whoever loads
    it."""
    folder = tmp_path_factory.mktemp("planted")
    first = compile_plugin(folder / TRAPS[0], LIES_ABOUT_ITS_SCORE + ABORTS, our_id())
    for name in TRAPS[1:]:
        shutil.copy(first, folder / name)
    return folder


def environment_of(trap: Path) -> dict[str, str]:
    return {
        "GGML_BACKEND_PATH": str(trap / "libggml-vulkan.so"),
        "GGML_BACKEND_DIR": str(trap),
        "LLAMA_CPP_LIB_PATH": str(trap),
        "SNUG_CPU_VARIANT": "../../libggml-cpu-haswell",
    }


def test_the_trap_is_a_real_one(trap):
    """llama.cpp left to itself walks into it."""
    witness = witness_of(trap / TRAPS[0])
    done = subprocess.run(
        [sys.executable, "-c", STOCK], cwd=trap, capture_output=True, timeout=60, check=False
    )
    assert done.returncode != 0
    assert witness.exists()
    witness.unlink()


@pytest.mark.model
@pytest.mark.parametrize("pointed_at", [False, True], ids=["current directory", "environment"])
@pytest.mark.usefixtures("timed_home")
def test_a_planted_library_is_never_loaded(trap, pointed_at):
    environment = environment_of(trap) if pointed_at else {}
    done = snug(*QUESTION, cwd=trap, **environment)
    assert done.returncode == 0, done.stderr
    assert_answers_on_the_processor(done.stdout)
    assert not witness_of(trap / TRAPS[0]).exists()


@pytest.fixture
def bare_engine(tmp_path: Path) -> Path:
    """A folder with the engine, whose only part for a processor is of another build."""
    library = plugins.library_folder()
    assert library is not None
    package = tmp_path / "llama_cpp"
    shutil.copytree(library.parent, package, ignore=shutil.ignore_patterns("*ggml-*-*", "*vulkan*"))
    code = LIES_ABOUT_ITS_SCORE + ABORTS
    compile_plugin(package / "lib" / "libggml-cpu-haswell.so", code, WRONG_ID)
    return tmp_path


@pytest.mark.model
@pytest.mark.usefixtures("timed_home")
def test_without_a_part_for_this_processor_nothing_else_is_tried(trap, bare_engine):
    """llama.cpp would now look into the current directory."""
    path = os.pathsep.join((str(bare_engine), PYTHONPATH))
    done = snug("hardware", cwd=trap, **{**environment_of(trap), "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    assert "Processor: missing" in done.stdout
    assert "no part of this Snug runs on this processor; install Snug again" in done.stdout
    asked = snug(*QUESTION, cwd=trap, **{**environment_of(trap), "PYTHONPATH": path})
    assert (asked.returncode, json.loads(asked.stdout)["error"]["code"]) == (5, "backend_unusable")
    assert not witness_of(trap / TRAPS[0]).exists()
    assert not witness_of(bare_engine / "llama_cpp" / "lib" / "libggml-cpu-haswell.so").exists()
