"""What a layout says is what the engine does, and what it measures of itself is true."""

import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import EngineError, EngineStopped, LoadFailed
from engine.hardware.resident import read_resident
from engine.keeper.comparing import NEAR_TIE, differs
from engine.models.gguf import read_header
from engine.models.shape import read_shape
from engine.planner.estimate.cache import cache_bytes
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.measure import measure
from engine.runtimes.llamacpp.rehearse import NEW_TOKENS, rehearse
from engine.runtimes.llamacpp.runtime import LlamaModel, LlamaRuntime
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec
from engine.types.plans import FlashAttention, KvType, Layout, LoadMode
from tests import zoo
from tests.system.talk import SYSTEM, ask, user

pytestmark = [pytest.mark.model, pytest.mark.serial]

MIB = 1024 * 1024
PRINTED = 6_000
"""A buffer is logged to within 0.005 MiB, a cache a little less."""
PLAIN = Layout(context_length=2048, threads=2)
LAYOUTS = [
    Layout(context_length=context, kv_type=kv_type, ubatch=ubatch, threads=2)
    for context, kv_type, ubatch in (
        (512, KvType.F16, 32),
        (2048, KvType.Q8_0, 128),
        (8192, KvType.F16, 512),
    )
]
_OVERRIDDEN = re.compile(r"tensor (?P<tensor>\S+) \(.*buffer type overridden to CPU")
LONG = user("Tell me of the sea and of ships. " * 30 + "What is the capital of France?")
CLEAR = user("Hello. " * 130 + "What is the capital of France?")
"""With `LONG` the second word is a near tie (0.1 to 0.3 logits): each batch size and each variant
of the processor's backend rounds it its own way."""


def load(path: Path, layout: Layout) -> LlamaModel:
    return LlamaRuntime().load(LoadSpec(path=path, layout=layout), lambda _: None, CancelToken())


def total(pools: tuple[tuple[str, int], ...]) -> int:
    assert [pool for pool, _ in pools] == ["ram"]
    return pools[0][1]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("which", ["starter_model", "gemma_model"])
def test_measuring_without_loading_says_what_loading_takes(
    which: str, layout: Layout, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(which)
    measured = measure(LoadSpec(path=path, layout=layout))
    model = load(path, layout)
    real = model.info.measured
    assert ask(model, SYSTEM, user("Hello"), max_tokens=2)[1].stats.generated_tokens > 0
    model.close()
    assert measured.kv_bytes == real.kv_bytes
    assert measured.compute_bytes == real.compute_bytes
    assert measured.output_bytes == real.output_bytes
    assert total(measured.weights_bytes) <= total(real.weights_bytes) + PRINTED
    assert total(real.kv_bytes) == pytest.approx(
        sum(cache_bytes(read_shape(path), layout)), abs=2 * PRINTED
    )


def test_a_batch_of_any_size_gives_the_same_answer(starter_model: Path) -> None:
    answers = []
    for ubatch in (128, 512, 32):
        model = load(starter_model, replace(PLAIN, ubatch=ubatch))
        text, finished = ask(model, SYSTEM, CLEAR, max_tokens=12)
        answers.append(text)
        assert finished.stats.prompt_tokens > 256
        model.close()
    assert "Paris" in answers[0]
    assert answers == answers[:1] * 3


@pytest.mark.parametrize(
    "change",
    [
        {"load_mode": LoadMode.NONE},
        {"load_mode": LoadMode.DIRECT_IO},
        {"repack": False},
        {"flash_attention": FlashAttention.ON},
        {"flash_attention": FlashAttention.OFF},
        {"kv_type": KvType.Q8_0},
        {"threads": 1},
    ],
    ids=str,
)
def test_each_setting_answers(starter_model: Path, change: dict[str, object]) -> None:
    model = load(starter_model, replace(PLAIN, **change))  # type: ignore[arg-type]
    question = user("What is the capital of France?")
    assert "Paris" in ask(model, SYSTEM, question, max_tokens=8)[0]
    assert model.info.backend == "cpu"
    model.close()


def test_without_repacking_there_is_no_second_copy(gemma_model: Path) -> None:
    plain = load(gemma_model, PLAIN)
    weights = total(plain.info.measured.weights_bytes)
    plain.close()
    bare = load(gemma_model, replace(PLAIN, repack=False))
    assert total(bare.info.measured.weights_bytes) < weights - 10 * MIB
    bare.close()


def test_resident_memory_grows_by_what_was_measured(starter_model: Path) -> None:
    load(starter_model, PLAIN).close()  # the library's own memory is not the model's
    model = load(starter_model, replace(PLAIN, load_mode=LoadMode.NONE, context_length=8192))
    real = model.info.measured
    model.close()
    expected = total(real.weights_bytes) + total(real.kv_bytes)
    assert expected - 8 * MIB < model.info.resident_bytes < expected + 48 * MIB


def test_a_layout_that_the_model_can_not_run_is_refused(starter_model: Path) -> None:
    layout = replace(PLAIN, kv_type=KvType.Q8_0, flash_attention=FlashAttention.OFF)
    with pytest.raises(LoadFailed, match="flash_attn"):
        load(starter_model, layout)
    spec = LoadSpec(path=starter_model, layout=PLAIN, devices=("CUDA9",))
    with pytest.raises(LoadFailed, match="CUDA9"):
        LlamaRuntime().load(spec, lambda _: None, CancelToken())


@pytest.mark.parametrize("name", ["llama-3-70b", "qwen3-next-80b", "gpt-oss-120b"])
def test_a_model_larger_than_this_machine_is_measured_in_no_memory(
    name: str, tmp_path: Path
) -> None:
    path = zoo.write(name, tmp_path)
    layout = Layout(context_length=32_768, ubatch=512, threads=2)
    measure(LoadSpec(path=path, layout=layout))
    before = read_resident()
    measured = measure(LoadSpec(path=path, layout=layout))
    grown = read_resident().total_bytes - before.total_bytes
    assert grown < 64 * MIB
    assert total(measured.weights_bytes) > 30 << 30
    kv = sum(cache_bytes(read_shape(path), layout))
    assert total(measured.kv_bytes) == pytest.approx(kv, abs=2 * PRINTED)


@pytest.mark.parametrize("head_on_device", [True, False])
def test_llama_cpp_finds_what_is_to_stay_in_main_memory(
    head_on_device: bool, tmp_path: Path
) -> None:
    """The processor stands for the device: what counts is what native code reads from ours."""
    layout = Layout(
        context_length=4096,
        threads=2,
        backends=("cpu",),
        device_layers=(20,),
        output_on_device=head_on_device,
        expert_layers_in_ram=3,
    )
    path = zoo.write("qwen3-30b-a3b", tmp_path)
    with native.log_tail.record() as lines:
        measure(LoadSpec(path=path, layout=layout, devices=("CPU",)))
    found = [_OVERRIDDEN.search(line) for line in lines]
    kept = {match["tensor"] for match in found if match}
    experts = {
        f"blk.{block}.ffn_{part}_exps.weight"
        for block in (28, 29, 30)
        for part in ("gate", "up", "down")
    }
    head = set() if head_on_device else {"output.weight", "token_embd.weight"}
    assert kept == experts | head
    assert any("using device CPU" in line for line in lines)


@pytest.mark.parametrize("which", ["starter_model", "gemma_model"])
def test_a_rehearsal_reads_a_full_batch_and_writes(
    which: str, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(which)
    layout = replace(PLAIN, ubatch=128)
    first = rehearse(LoadSpec(path=path, layout=layout))
    again = rehearse(LoadSpec(path=path, layout=layout))
    assert first.prompt_tokens == 128
    assert len(first.tokens) == NEW_TOKENS
    assert again.tokens == first.tokens
    assert first.tokens_per_s > 0
    assert first.prompt_tokens_per_s > 0
    assert first.measured == measure_of_real(path, layout)
    assert first.peak_bytes >= first.resident_bytes > total(first.measured.kv_bytes)
    assert first.anonymous_bytes + first.file_bytes == first.resident_bytes


def test_another_batch_and_another_cache_write_the_same_words(starter_model: Path) -> None:
    """What a device does otherwise than the processor moves margins, but not past a near tie."""
    layout = replace(PLAIN, ubatch=128)
    first = rehearse(LoadSpec(path=starter_model, layout=layout))
    other = replace(layout, ubatch=32, kv_type=KvType.Q8_0, repack=False)
    in_pieces = rehearse(LoadSpec(path=starter_model, layout=other), first.prompt_tokens)
    assert in_pieces.prompt_tokens == 128
    assert first.alone_tokens == first.tokens  # after the same prompt
    assert not differs(in_pieces, first)
    assert not differs(first, in_pieces)
    pairs = zip(first.margins, in_pieces.margins, strict=True)
    assert max(abs(mine - its) for mine, its in pairs) < NEAR_TIE
    assert min(*first.margins, *first.alone_margins) > NEAR_TIE  # all were compared


def measure_of_real(path: Path, layout: Layout) -> object:
    model = load(path, layout)
    model.close()
    return model.info.measured


def test_a_batch_as_long_as_the_context_leaves_room_for_the_tokens(starter_model: Path) -> None:
    layout = Layout(context_length=256, ubatch=512, threads=2)
    assert rehearse(LoadSpec(path=starter_model, layout=layout)).prompt_tokens == 256 - NEW_TOKENS


def test_logits_that_are_no_numbers_fail_the_rehearsal(starter_model: Path, tmp_path: Path) -> None:
    """One token's row of the output head gets a scale that is no number."""
    path = tmp_path / "nan.gguf"
    data = bytearray(starter_model.read_bytes())
    header = read_header(starter_model)
    head = next(tensor for tensor in header.tensors if tensor.name == "token_embd.weight")
    row_bytes = head.dims[0] // 32 * 34  # Q8_0: a half-precision scale before 32 values
    at = header.data_offset + head.offset + 48_000 * row_bytes
    data[at : at + 2] = struct.pack("<e", float("nan"))
    path.write_bytes(data)
    with pytest.raises(EngineStopped, match="not numbers"):
        rehearse(LoadSpec(path=path, layout=PLAIN))


def test_a_file_that_is_no_model_fails_both(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(b"GGUF" + b"\xff" * 1000)
    for work in (measure, rehearse):
        with pytest.raises(EngineError):
            work(LoadSpec(path=path, layout=PLAIN))
