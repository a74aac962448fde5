"""The engine is compiled once for a processor, and a build that was cut short is never used."""

from pathlib import Path

import pytest

from devenv import engine_wheel
from devenv.errors import SetupError

WHEEL = "llama_cpp_python-1-py3-none-any.whl"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache on a machine with a compiler."""
    monkeypatch.setattr(engine_wheel, "cache", lambda: tmp_path)
    monkeypatch.setattr(engine_wheel.system_packages, "need_compiler", lambda: None)
    return tmp_path / "wheels"


def builds(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Stands for the compiler: counts builds and leaves a wheel."""
    done: list[Path] = []

    def build(block: str, folder: Path) -> None:
        (folder / WHEEL).touch()
        done.append(folder)

    monkeypatch.setattr(engine_wheel, "_pip_wheel", build)
    return done


def test_a_second_checkout_needs_no_compiler(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = builds(monkeypatch)
    first, second = engine_wheel.ready(), engine_wheel.ready()
    assert first == second
    assert first.is_file()
    assert len(done) == 1


def test_another_processor_builds_its_own(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = builds(monkeypatch)
    engine_wheel.ready()
    monkeypatch.setattr(engine_wheel.machine, "instruction_sets", lambda: "x86_64 sse2")
    engine_wheel.ready()
    assert len(done) == 2


@pytest.mark.parametrize("how", [KeyboardInterrupt, SetupError])
def test_a_broken_build_leaves_nothing(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, how: type[BaseException]
) -> None:
    def build(block: str, folder: Path) -> None:
        (folder / WHEEL).touch()
        raise how

    monkeypatch.setattr(engine_wheel, "_pip_wheel", build)
    with pytest.raises(how):
        engine_wheel.ready()
    assert not list(shelf.iterdir())


def test_what_a_killed_build_left_is_cleared(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = shelf / ".building-abc"
    left.mkdir(parents=True)
    (left / WHEEL).touch()
    builds(monkeypatch)
    engine_wheel.ready()
    assert not left.exists()


def test_other_build_options_make_another_build(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = engine_wheel.key("1")
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_VULKAN=ON")
    assert engine_wheel.key("1") != plain
