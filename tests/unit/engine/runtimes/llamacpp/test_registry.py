"""Which of the processor's plug-ins is taken, and what happens when one or all fail."""

import logging
import os
from pathlib import Path

import pytest

from engine.backends import plugins
from engine.errors import BackendUnusable
from engine.runtimes.llamacpp import registry
from engine.types.backends import BackendProblem, Origin, Plugin
from tests.plugins import LIES_ABOUT_ITS_SCORE, compile_plugin, mark, witness_of

OURS = "0.3.36-test-x86_64-0123456789ab"
SCORES = {"x64": 1, "sse42": 5, "haswell": 63, "zen4": 0}
VARIANTS = tuple((name, Path(f"libggml-cpu-{name}.so")) for name in sorted(SCORES))


class Registry:
    """ggml's, as far as it is asked; `accepts` are the file names that it can load."""

    def __init__(self, *accepts: str, compiled_in: int = 0) -> None:
        self.accepts = accepts
        self.count = compiled_in
        self.asked: list[str] = []

    def ggml_backend_load(self, path: bytes) -> int | None:
        name = Path(path.decode()).name
        self.asked.append(name)
        self.count += name in self.accepts
        return 1 if name in self.accepts else None

    def ggml_backend_reg_count(self) -> int:
        return self.count


def score(path: Path) -> int:
    return SCORES[path.stem.removeprefix("libggml-cpu-")]


def order(forced: str = "", chosen: str = "") -> list[str]:
    return [name for name, _ in registry.usable_variants(VARIANTS, score, forced, chosen)]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Three variants of ours, one of another build, and the scores above."""
    monkeypatch.setattr(plugins, "engine_build_id", lambda: OURS)
    monkeypatch.setattr(registry, "score", score)
    monkeypatch.delenv(registry.FORCED_VARIANT, raising=False)
    for name in ("x64", "sse42", "zen4"):
        (tmp_path / f"libggml-cpu-{name}.so").write_bytes(mark(OURS))
    (tmp_path / "libggml-cpu-haswell.so").write_bytes(mark("other"))
    return tmp_path


def test_the_chosen_one_comes_before_the_best_and_after_the_forced() -> None:
    best, *_, worst = order()
    assert order("", worst)[0] == worst
    assert order("../nonsense", worst)[0] == worst
    assert order(best, worst)[0] == best


def test_the_variant_that_uses_most_comes_first_and_what_can_not_run_never():
    assert order() == ["haswell", "sse42", "x64"]


def test_a_forced_variant_comes_first_if_it_can_run():
    assert order("x64") == ["x64", "haswell", "sse42"]
    assert order("zen4") == order("../../planted") == order("nonsense") == order()


def test_a_forced_variant_that_is_not_there_is_told(caplog):
    with caplog.at_level(logging.WARNING):
        order("nonsense")
    assert "nonsense" in caplog.text


def test_no_variant_is_no_choice():
    assert registry.usable_variants((), score, "x64") == ()


def test_the_best_variant_of_our_build_is_registered(folder):
    ggml = Registry("libggml-cpu-sse42.so", "libggml-cpu-haswell.so")
    assert registry.load_processor(ggml, folder) == "sse42"
    assert ggml.asked == ["libggml-cpu-sse42.so"]


def test_the_environment_can_force_a_variant_of_our_build_only(folder, monkeypatch):
    ggml = Registry("libggml-cpu-x64.so", "libggml-cpu-sse42.so", "libggml-cpu-haswell.so")
    monkeypatch.setenv(registry.FORCED_VARIANT, "x64")
    assert registry.load_processor(ggml, folder) == "x64"
    monkeypatch.setenv(registry.FORCED_VARIANT, "haswell")
    assert registry.load_processor(ggml, folder) == "sse42"


def test_a_variant_that_can_not_be_loaded_gives_way_to_the_next(folder):
    ggml = Registry("libggml-cpu-x64.so")
    assert registry.load_processor(ggml, folder) == "x64"
    assert ggml.asked == ["libggml-cpu-sse42.so", "libggml-cpu-x64.so"]


def test_without_a_usable_variant_the_engine_stops_before_ggml_looks_by_itself(folder):
    with pytest.raises(BackendUnusable) as caught:
        registry.load_processor(Registry(), folder)
    assert (caught.value.backend, caught.value.problem) == ("cpu", BackendProblem.NOT_INSTALLED)
    assert "none of sse42, x64, zen4 runs here" in caught.value.detail
    with pytest.raises(BackendUnusable, match=OURS):
        registry.load_processor(Registry(), folder / "nothing")


def test_a_processor_that_is_compiled_in_needs_no_variant(folder):
    assert registry.load_processor(Registry(compiled_in=1), folder / "nothing") == ""


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"MZ" + bytes(200), b"text"])
def test_what_can_not_be_opened_has_no_score(tmp_path, content):
    path = tmp_path / "libggml-cpu-x64.so"
    path.write_bytes(content)
    assert registry.score(path) == 0
    assert registry.score(tmp_path / "nothing.so") == 0
    assert registry.score(tmp_path) == 0


def test_the_score_is_what_the_library_says(tmp_path):
    path = compile_plugin(tmp_path / "libggml-cpu-x64.so", LIES_ABOUT_ITS_SCORE, OURS)
    assert registry.score(path) == 1 << 20
    assert witness_of(path).exists()
    other = compile_plugin(tmp_path / "libggml-cpu-zen4.so", "int nothing;", OURS)
    assert registry.score(other) == 0


def test_only_settings_of_ggml_are_set_before_a_plugin_is_registered(tmp_path, monkeypatch):
    monkeypatch.setenv("GGML_VK_VISIBLE_DEVICES", "7")
    monkeypatch.setenv("LD_PRELOAD_OF_A_TEST", "")
    plugin = Plugin(
        backend="vulkan",
        path=tmp_path / "libggml-vulkan.so",
        origin=Origin.PACK,
        settings=(
            ("GGML_VK_VISIBLE_DEVICES", "0"),
            ("LD_PRELOAD_OF_A_TEST", "planted"),
            ("GGML_BACKEND_PATH", "planted"),
        ),
    )
    seen: list[str] = []

    class Looking(Registry):
        def ggml_backend_load(self, path: bytes) -> int | None:
            seen.extend([os.environ["GGML_VK_VISIBLE_DEVICES"], os.environ["LD_PRELOAD_OF_A_TEST"]])
            return super().ggml_backend_load(path)

    registry.load(Looking("libggml-vulkan.so"), plugin, str)
    assert seen == ["0", ""]
    assert "GGML_BACKEND_PATH" not in os.environ


def test_a_library_that_a_plugin_needs_and_that_can_not_be_opened_is_named(tmp_path):
    missing = tmp_path / "libcudart.so.13"
    plugin = Plugin(
        backend="cuda",
        path=tmp_path / "libggml-cuda.so",
        origin=Origin.PACK,
        needs=(missing,),
    )
    ggml = Registry("libggml-cuda.so")
    with pytest.raises(BackendUnusable, match="libcudart") as caught:
        registry.load(ggml, plugin, str)
    assert caught.value.problem == BackendProblem.NOT_LOADABLE
    assert ggml.asked == []


def test_a_plugin_that_ggml_refuses_is_told_with_what_was_logged_about_it(tmp_path):
    lines = iter(["an older warning", "failed to load: invalid ELF header"])
    path = tmp_path / "libggml-vulkan.so"
    plugin = Plugin(backend="vulkan", path=path, origin=Origin.BUILT_IN)
    with pytest.raises(BackendUnusable) as caught:
        registry.load(Registry(), plugin, lambda: next(lines))
    assert caught.value.problem == BackendProblem.NOT_LOADABLE
    assert caught.value.detail == "failed to load: invalid ELF header"
