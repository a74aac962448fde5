"""What the doctor says of the engine and of what lies beside it."""

import pytest

from app import diagnostics
from app.health import Health
from app.paths import Paths
from engine.backends import plugins
from engine.errors import BackendUnusable
from engine.runtimes.llamacpp import native
from engine.types.backends import BackendProblem
from tests.plugins import mark

OURS = "0.3.36-test-x86_64-0123456789ab"


@pytest.fixture(autouse=True)
def _approved(monkeypatch):
    monkeypatch.setattr(plugins, "_approved", ())


@pytest.fixture
def paths(tmp_path):
    return Paths(data=tmp_path / "data", log=tmp_path / "log")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the engine's libraries lie."""
    monkeypatch.setattr(plugins, "library_folder", lambda: tmp_path)
    monkeypatch.setattr(plugins, "engine_build_id", lambda: OURS)
    return tmp_path


def test_the_engines_build_and_the_processors_part_are_named(folder, monkeypatch):
    monkeypatch.setattr(native, "describe", lambda: "llama-cpp-python 1.2.3, AVX2")
    monkeypatch.setattr(native, "processor_variant", lambda: "haswell")
    check = diagnostics.check_engine()
    assert check.health is Health.GOOD
    for fact in ("llama-cpp-python 1.2.3, AVX2", "haswell", OURS):
        assert fact in check.detail


def test_an_engine_without_a_part_for_this_processor_is_a_bad_engine(folder, monkeypatch):
    def describe():
        raise BackendUnusable("cpu", BackendProblem.NOT_INSTALLED, "none of x64 runs here")

    monkeypatch.setattr(native, "describe", describe)
    check = diagnostics.check_engine()
    assert check.health is Health.BAD
    assert "none of x64 runs here" in check.detail


def test_plugins_of_this_build_are_named_and_those_of_another_told(folder, paths):
    assert diagnostics.check_backends(paths).detail == "none but the processor's"
    (folder / "libggml-vulkan.so").write_bytes(mark(OURS))
    assert diagnostics.check_backends(paths).detail == "vulkan"
    (folder / "libggml-cuda.so").write_bytes(mark("0.3.35"))
    check = diagnostics.check_backends(paths)
    assert check.health is Health.MISSING
    assert check.detail == "vulkan, cuda is of another build: '0.3.35'"


def test_without_an_engine_there_is_nothing_beside_it(monkeypatch, paths):
    monkeypatch.setattr(plugins, "library_folder", lambda: None)
    assert diagnostics.check_backends(paths).health is Health.GOOD
