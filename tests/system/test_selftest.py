"""The processor agrees with itself in doubtless words; a device with it, or is found out."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.backends import plugins
from engine.backends.fallbacks import settings_to_try
from engine.child.spawn import run_role
from engine.keeper.trials import try_in_child
from engine.runtimes.llamacpp.selftest import NEAR_TIE, PROCESSOR, Walk, margin, verdict, walks
from engine.runtimes.llamacpp.tiny_model import tiny_model
from engine.types.backends import Outcome, Plugin
from engine.types.cancel import CancelToken
from engine.types.hardware import Device, DeviceKind
from engine.types.models import LoadSpec
from engine.types.plans import FlashAttention
from tests import vulkan

SHADERS_S = 280.0
"""Mesa's device compiles for the processor, for a minute where it never did so before."""
LAVAPIPE = Device(
    backend=vulkan.BACKEND,
    name=vulkan.DEVICE,
    description="llvmpipe",
    kind=DeviceKind.GPU,
    total_bytes=1 << 31,
    free_bytes=None,
)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tiny") / "tiny.gguf"
    file.write_bytes(tiny_model())
    return file


@pytest.fixture(scope="module")
def reference(tiny: Path) -> tuple[Walk, Walk]:
    return walks(LoadSpec(path=tiny, layout=PROCESSOR))


def test_what_the_processor_writes_is_in_no_doubt(reference: tuple[Walk, Walk]) -> None:
    one_by_one, at_once = reference
    assert one_by_one.written == at_once.written
    assert len(set(one_by_one.written)) == 8
    for walk in reference:
        *_, last_prompt_row = walk.rows[:-8]
        assert min(map(margin, [last_prompt_row, *walk.rows[-8:-1]])) > 3 * NEAR_TIE


@pytest.mark.parametrize("changes", [{}, {"repack": False}])
def test_the_processor_agrees_with_itself(
    tiny: Path, reference: tuple[Walk, Walk], changes: dict[str, object]
) -> None:
    layout = replace(PROCESSOR, **changes)  # type: ignore[arg-type]
    answer = verdict(reference, walks(LoadSpec(path=tiny, layout=layout), reference))
    assert answer["passed"], answer


def test_whoever_computes_another_model_is_found_out(
    tmp_path: Path, reference: tuple[Walk, Walk]
) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(tiny_model(seed=1))
    answer = verdict(reference, walks(LoadSpec(path=other, layout=PROCESSOR), reference))
    assert not answer["passed"]


def test_one_spoilt_matrix_is_found_out(
    tiny: Path, tmp_path: Path, reference: tuple[Walk, Walk]
) -> None:
    """The last tensor of the file, as a kernel of one type might do it: every second row."""
    data = bytearray(tiny.read_bytes())
    row = 256 // 256 * 210  # Q6_K
    for start in range(len(data) - 256 * row, len(data) - row, 2 * row):
        data[start : start + row] = data[start + row : start + 2 * row]
    spoilt = tmp_path / "spoilt.gguf"
    spoilt.write_bytes(data)
    answer = verdict(reference, walks(LoadSpec(path=spoilt, layout=PROCESSOR), reference))
    assert not answer["passed"]


@pytest.fixture(scope="module")
def plugin() -> Iterator[Plugin]:
    with vulkan.approved() as found:
        yield found


@pytest.mark.timeout(SHADERS_S + 20)
def test_mesas_device_computes_what_the_processor_does(plugin: Plugin) -> None:
    argument = {"backend": plugin.backend, "device": vulkan.DEVICE}
    answer = run_role("selftest", argument, timeout_s=SHADERS_S)
    assert answer["passed"], answer


def test_a_device_that_is_not_there_fails_and_harms_nobody(plugin: Plugin) -> None:
    missing = replace(LAVAPIPE, name="Vulkan7")
    trial = try_in_child(missing, FlashAttention.AUTO, ((),), CancelToken())
    assert trial is not None
    assert trial.outcome is Outcome.CRASHED
    assert "Vulkan7" in trial.detail


def test_llama_cpp_reads_the_settings_that_every_build_has(plugin: Plugin) -> None:
    """Others are only in builds whose compiler of shaders knows what they switch off."""
    text = plugin.path.read_bytes()
    apu = replace(LAVAPIPE, description="AMD Radeon 780M", kind=DeviceKind.IGPU)
    named = {name for settings in settings_to_try(apu) for name, _value in settings}
    for name in ("GGML_VK_MAX_NODES_PER_SUBMIT", "GGML_VK_DISABLE_F16"):
        assert name in named
        assert name.encode() in text


def test_settings_reach_the_device(plugin: Plugin) -> None:
    """The choice of a device that there is not lets it find none, or die."""
    chosen = replace(plugin, settings=(("GGML_VK_VISIBLE_DEVICES", "0"),))
    answer = run_role("probe", {"backend": "vulkan"}, timeout_s=60, approved=(chosen,))
    assert len(answer["devices"]) == 1  # type: ignore[arg-type]
    without = replace(plugin, settings=())
    answer = run_role("probe", {"backend": "vulkan"}, timeout_s=60, approved=(without,))
    kinds = {device["kind"] for device in answer["devices"]}  # type: ignore[attr-defined]
    assert "cpu" not in kinds
    assert plugins.approved() == (plugin,)
