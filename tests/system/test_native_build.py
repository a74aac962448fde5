"""The engine that is installed: one build, one copy of each library, and no trace of where it was
made."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.backends import plugins

MACHINE_PATH = re.compile(rb"(?<![\w.])/(?:tmp|root|home|work|Users)/[\w./-]+")
CHILD = """
import json
from engine.runtimes.llamacpp import native
print(json.dumps([native.processor_variant(), native.describe()]))
"""


@pytest.fixture(scope="module")
def libraries() -> list[Path]:
    folder = plugins.library_folder()
    assert folder is not None
    if not plugins.engine_build_id():
        pytest.skip("the engine is not a build of ours")
    return sorted(path for path in folder.iterdir() if path.suffix in (".so", ".dll", ".dylib"))


def test_every_library_is_of_one_build(libraries: list[Path]) -> None:
    assert {plugins.build_id_of(library) for library in libraries} == {plugins.engine_build_id()}


def test_each_library_is_there_once(libraries: list[Path]) -> None:
    names = [path.name.split(".")[0].removeprefix("lib") for path in libraries]
    assert len(names) == len(set(names))
    assert {"ggml-base", "ggml", "llama"} <= set(names)


def test_no_library_says_where_it_was_made(libraries: list[Path]) -> None:
    found = {path.name: MACHINE_PATH.findall(path.read_bytes())[:3] for path in libraries}
    assert not {name: paths for name, paths in found.items() if paths}


def test_no_library_needs_openmp(libraries: list[Path]) -> None:
    assert not [path.name for path in libraries if re.search(rb"lib[gi]?omp", path.read_bytes())]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such table")
def test_the_variants_cover_old_processors(libraries: list[Path]) -> None:
    names = {name for name, _ in plugins.processor_variants(libraries[0].parent)}
    if "haswell" in names:
        assert {"x64", "sse42", "sandybridge"} <= names


def test_a_forced_variant_is_used(libraries: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = libraries[0].parent
    if "x64" not in {name for name, _ in plugins.processor_variants(folder)}:
        pytest.skip("no plain variant for this processor")
    monkeypatch.setenv("SNUG_CPU_VARIANT", "x64")
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True)
    assert done.stdout.startswith('["x64"')
    assert "AVX" not in done.stdout
