"""The engine is compiled once, with what this machine can use; a build cut short is never used."""

import shutil
from pathlib import Path

import pytest

from devenv import engine_wheel
from devenv.errors import SetupError
from native import flags

WHEEL = "llama_cpp_python-1-py3-none-any.whl"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache on a machine with a compiler, Vulkan's headers and no graphics card."""
    monkeypatch.setattr(engine_wheel, "cache", lambda: tmp_path)
    monkeypatch.setattr(engine_wheel, "SYSTEM", "linux")
    monkeypatch.setattr(engine_wheel.system_packages, "need_compiler", lambda: None)
    monkeypatch.setattr(engine_wheel.system_packages, "need_for_vulkan", lambda: True)
    monkeypatch.setattr(engine_wheel.machine, "has_graphics_card", lambda: False)
    monkeypatch.delenv("SNUG_ENGINE", raising=False)
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    return tmp_path / "wheels"


def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stands for the compiler: keeps what CMake would be told, and leaves a wheel."""
    done: list[str] = []

    def build(block: str, folder: Path, cmake_arguments: str) -> None:
        (folder / WHEEL).touch()
        done.append(cmake_arguments)

    monkeypatch.setattr(engine_wheel, "_pip_wheel", build)
    return done


def test_a_second_checkout_needs_no_compiler(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = builds(monkeypatch)
    first = engine_wheel.ready("run")
    assert engine_wheel.ready("run") == first
    assert first.is_file()
    assert len(done) == 1


def test_the_place_of_a_checkout_does_not_name_its_build(tmp_path: Path) -> None:
    other = tmp_path / "native"
    shutil.copytree(flags.HERE, other)
    before = flags.build_id("1", flags.this_target())
    assert str(flags.HERE.parent) not in before
    assert flags.build_id("1", flags.this_target(), other) == before


def test_shaders_are_compiled_where_there_is_a_card(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = builds(monkeypatch)
    engine_wheel.ready("run")
    monkeypatch.setattr(engine_wheel.machine, "has_graphics_card", lambda: True)
    engine_wheel.ready("run")
    assert ["GGML_VULKAN=OFF" in done[0], "GGML_VULKAN=ON" in done[1]] == [True, True]


def test_tests_want_every_backend_and_a_later_run_takes_theirs(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = builds(monkeypatch)
    assert engine_wheel.ready("test") == engine_wheel.ready("run")
    assert len(done) == 1


def test_a_person_can_ask_for_every_backend_or_only_one(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNUG_ENGINE", "all")
    assert engine_wheel.wants_vulkan("run")
    monkeypatch.setenv("SNUG_ENGINE", "processor")
    assert not engine_wheel.wants_vulkan("test")


def test_without_the_headers_the_processor_alone_is_built(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = builds(monkeypatch)
    monkeypatch.setattr(engine_wheel.system_packages, "need_for_vulkan", lambda: False)
    assert engine_wheel.ready("test") == engine_wheel.ready("run")
    assert "GGML_VULKAN=OFF" in done[0]
    assert len(done) == 1


@pytest.mark.parametrize("how", [KeyboardInterrupt, SetupError])
def test_a_broken_build_leaves_nothing(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, how: type[BaseException]
) -> None:
    def build(block: str, folder: Path, cmake_arguments: str) -> None:
        (folder / WHEEL).touch()
        raise how

    monkeypatch.setattr(engine_wheel, "_pip_wheel", build)
    with pytest.raises(how):
        engine_wheel.ready("run")
    assert not list(shelf.iterdir())


def test_what_a_killed_build_left_is_cleared(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = shelf / ".building-abc"
    left.mkdir(parents=True)
    (left / WHEEL).touch()
    builds(monkeypatch)
    engine_wheel.ready("run")
    assert not left.exists()


def test_other_build_options_make_another_build(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = engine_wheel.key("1", vulkan=False)
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_LTO=ON")
    assert engine_wheel.key("1", vulkan=False) != plain
