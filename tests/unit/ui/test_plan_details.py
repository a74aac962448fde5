"""The Details fold holds everything exact: the plan, and what was measured."""

from dataclasses import replace

import pytest

from engine.types.plans import Layout, Reason
from tests.unit.ui import plans
from tests.unit.ui.servers import NAS
from ui.plan_details import backend_name, details, layers_words


@pytest.mark.parametrize(
    ("gpu_layers", "devices", "words"),
    [
        (31, ("CUDA0",), "31 of 31 layers on the graphics card"),
        (20, ("CUDA0", "CUDA1"), "20 of 31 layers on the graphics cards"),
        (0, (), "all 31 layers on the processor"),
    ],
)
def test_where_the_layers_run(gpu_layers, devices, words):
    assert layers_words(plans.plan(gpu_layers=gpu_layers, devices=devices)) == words


def test_the_plan_and_the_measured_truth_are_both_there():
    made = plans.plan(reasons=(Reason.ALL_ON_DEVICE, Reason.UNSURE))
    lines = details(made, plans.loaded(made)).splitlines()
    assert "File: gemma-3-4b.gguf" in lines
    assert "Runs in: inside Snug" in lines
    assert "Memory of Snug grew by: 412.0 MiB" in lines
    assert "Layers: 31 of 31 layers on the graphics card" in lines
    assert "Backend: CUDA (CUDA0)" in lines
    assert "Context: 8192 tokens (about 20 pages of 400 tokens)" in lines
    assert "KV cache: f16" in lines
    assert "Batch: 512" in lines
    assert "Threads: 7" in lines
    assert any(line.startswith("Memory, CUDA0: 4,096.0 MiB of 9,216.0 MiB") for line in lines)
    seen = "Measured, CUDA0: weights 3,390.0 MiB, KV cache 401.0 MiB, compute 188.0 MiB"
    assert seen in lines
    assert "Predicted speed: 24.0 tokens a second" in lines
    assert "Reasons: all_on_device, unsure" in lines


def test_a_process_of_its_own_is_named():
    info = replace(plans.loaded(plans.plan()), in_child=True)
    lines = details(info.plan, info).splitlines()
    assert "Runs in: a process of its own" in lines
    assert "Memory of the model's process grew by: 412.0 MiB" in lines


def test_what_was_loaded_counts_and_not_what_was_planned():
    made = plans.plan()
    info = plans.loaded(made)
    layout = replace(made.layout, device_layers=(12,), output_on_device=False, ubatch=128)
    info = replace(info, spec=replace(info.spec, layout=layout))
    lines = details(made, info).splitlines()
    assert "Layers: 12 of 31 layers on the graphics card" in lines
    assert "Batch: 128" in lines
    bare = replace(layout, device_layers=(), backends=())
    info = replace(info, spec=replace(info.spec, layout=bare, devices=()))
    assert "Layers: all 31 layers on the processor" in details(made, info)


def test_experts_that_stay_in_memory_are_counted():
    made = plans.plan()
    made = replace(made, layout=replace(made.layout, expert_layers_in_ram=12))
    assert "Experts in main memory: of 12 layers" in details(made, None)


def test_without_a_plan_the_layout_in_use_is_told():
    text = details(None, plans.loaded(None))
    assert "Backend: CPU" in text
    assert "Context: 4096 tokens" in text


def test_nothing_known_is_nothing_said():
    assert details(None, None) == ""


def test_a_model_on_another_computer_has_an_address_and_no_memory_of_ours():
    lines = details(None, plans.elsewhere(NAS), 31.0).splitlines()
    assert lines == [
        "Runs in: another computer",
        "Address: http://nas:8080/v1",
        "Model there: qwen3-32b",
        "Context: 32768 tokens (about 82 pages of 400 tokens)",
        "Ready in: 0.1 s",
        "Measured speed: 31.0 tokens a second",
    ]


@pytest.mark.parametrize(
    ("code", "name"),
    [("vulkan", "Vulkan"), ("cuda", "CUDA"), ("metal", "Metal"), ("directml", "DirectML")],
)
def test_backends_have_their_own_names(code, name):
    made = replace(plans.plan(), backend=code)
    assert f"Backend: {name} (CUDA0)" in details(made, None)
    assert backend_name("new-one") == "new-one"


def test_what_is_only_judged_by_its_size_has_no_numbers_that_nobody_knows():
    judged = replace(plans.plan(), layers=0, gpu_layers=0, layout=Layout(context_length=0))
    said = details(judged, None)
    assert "layers" not in said
    assert "Context" not in said
    assert "KV cache: f16" not in said
