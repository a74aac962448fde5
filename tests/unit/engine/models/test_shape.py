"""Sizes from headers: what each layer is, where weights belong, and what is not known."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import ModelCutOff
from engine.models import families
from engine.models.architectures import GENERATORS, KNOWN
from engine.models.gguf import GgufHeader, read_header
from engine.models.shape import read_shape, shape_of
from engine.types.shapes import LayerKind, ModelShape, StateSpace, Unsure
from tests import ggufs, zoo
from tests.ggufs import Tensor
from tests.rare import RARE

ATTENTION, WINDOW, RECURRENT = LayerKind.ATTENTION, LayerKind.WINDOW, LayerKind.RECURRENT
BOTH, NONE = LayerKind.BOTH, LayerKind.NONE


@pytest.fixture
def rare(tmp_path: Path) -> Callable[[str], ModelShape]:
    return lambda name: read_shape(RARE[name](tmp_path / f"{name}.gguf"))


@pytest.fixture
def animal(tmp_path: Path) -> Callable[[str], ModelShape]:
    return lambda name: read_shape(zoo.write(name, tmp_path))


def kinds(shape: ModelShape) -> list[LayerKind]:
    return [layer.kind for layer in shape.layers]


# --- what the layers are ----------------------------------------------------------------------


def test_all_of_the_zoo_is_known(animal: Callable[[str], ModelShape]) -> None:
    for name, model in zoo.ZOO.items():
        shape = animal(name)
        assert not shape.unsure, name
        assert len(shape.layers) == model.layers, name
        assert shape.width == model.width, name
        assert shape.vocabulary == model.vocabulary, name
        assert shape.tied == model.tied, name
        assert shape.parameters == model.parameters, name


def test_windows_repeat_with_the_period_of_the_architecture(
    animal: Callable[[str], ModelShape], rare: Callable[[str], ModelShape]
) -> None:
    assert kinds(animal("gemma2-2b"))[:4] == [WINDOW, ATTENTION] * 2
    assert kinds(animal("gemma3-4b"))[:7] == [WINDOW] * 5 + [ATTENTION, WINDOW]
    assert kinds(rare("smallthinker")) == ([ATTENTION] + [WINDOW] * 3) * 2 + [ATTENTION]
    assert kinds(rare("llama4")) == ([WINDOW] * 3 + [ATTENTION]) * 2


def test_some_windows_are_not_what_the_file_says(
    animal: Callable[[str], ModelShape], rare: Callable[[str], ModelShape]
) -> None:
    assert animal("phi-3-mini").window == 0
    assert rare("exaone4").window == 0
    assert rare("smallthinker").window == 4096
    assert rare("llama4").window == 8192


def test_layers_that_share_another_ones_cache_have_none(
    rare: Callable[[str], ModelShape],
) -> None:
    assert [kind is NONE for kind in kinds(rare("gemma3n"))] == [False] * 20 + [True] * 10
    assert [kind is NONE for kind in kinds(rare("gemma4"))] == [False] * 6 + [True] * 6


def test_heads_and_widths_differ_by_layer(rare: Callable[[str], ModelShape]) -> None:
    deci = rare("deci")
    assert [layer.kv_heads for layer in deci.layers] == [2, 0, 8, 1]
    assert [layer.key_width for layer in deci.layers] == [64, 0, 256, 32]
    assert [layer.feed_forward for layer in deci.layers] == [512, 256, 1024, 512]
    gemma4 = rare("gemma4")
    assert gemma4.layers[4].key_width == 2 * 64
    assert gemma4.layers[5].key_width == 1 * 128
    assert gemma4.head_width == 128


def test_latent_attention_keeps_no_v(animal: Callable[[str], ModelShape]) -> None:
    shape = animal("deepseek-v2-lite")
    assert shape.mla
    assert {layer.value_width for layer in shape.layers} == {0}
    assert {layer.key_width for layer in shape.layers} == {512 + 64}


def test_recurrent_layers_and_their_companions(
    animal: Callable[[str], ModelShape], rare: Callable[[str], ModelShape]
) -> None:
    assert set(kinds(animal("mamba-2.8b"))) == {RECURRENT}
    assert set(kinds(animal("falcon-h1-1.5b"))) == {BOTH}
    assert set(kinds(animal("nemotron-h-8b"))) == {RECURRENT, ATTENTION, NONE}
    assert kinds(animal("qwen3.5-4b"))[:4] == [RECURRENT] * 3 + [ATTENTION]
    assert kinds(rare("kimi_linear")) == ([RECURRENT] * 3 + [ATTENTION]) * 2


def test_blocks_that_guess_ahead_take_nothing(rare: Callable[[str], ModelShape]) -> None:
    for name in ("glm4moe", "qwen35", "mimo2"):
        last = rare(name).layers[-1]
        assert last.kind is NONE, name
        assert last.weights_bytes == 0, name
    assert 0 < rare("step35").layers[-1].weights_bytes < rare("step35").layers[1].weights_bytes


def test_blocks_that_run_twice_have_two_caches_but_one_copy_of_weights(
    rare: Callable[[str], ModelShape],
) -> None:
    layers = rare("nanbeige").layers
    assert [layer.key_width for layer in layers] == [128] * 8
    assert [layer.weights_bytes > 0 for layer in layers] == [True] * 4 + [False] * 4


def test_linear_attention_tells_its_sizes(
    animal: Callable[[str], ModelShape], rare: Callable[[str], ModelShape]
) -> None:
    rwkv, kimi, minimax = animal("rwkv7-2.9b"), animal("kimi-linear-48b"), rare("minimax_01")
    assert rwkv.state_space == StateSpace(
        kernel=2, inner=2560, state=64, heads=40, ranks=(96, 96, 64, 320)
    )
    assert kimi.state_space == StateSpace(kernel=4, inner=4096, state=128, heads=32)
    assert minimax.state_space == StateSpace(kernel=1, inner=512, state=64, heads=8)
    assert len(rare("rwkv6qwen2").state_space.ranks) == 2  # type: ignore[union-attr]


def test_models_that_see_have_wider_inputs(animal: Callable[[str], ModelShape]) -> None:
    assert animal("qwen3-vl-8b").deepstack == 3
    assert animal("granite-vision-3b").deepstack == 3
    assert animal("qwen3-4b").deepstack == 0


# --- where the weights are --------------------------------------------------------------------


def test_a_token_reads_the_used_share_of_the_experts(animal: Callable[[str], ModelShape]) -> None:
    for layer in animal("qwen3-30b-a3b").layers:
        assert (layer.experts, layer.experts_used) == (128, 8)
        assert layer.expert_feed_forward == 768
        read = sum(size for _, size in layer.type_bytes)
        dense = layer.weights_bytes - layer.expert_bytes
        assert read == pytest.approx(dense + layer.expert_bytes * 8 / 128, abs=2)


def test_every_byte_belongs_to_one_place(
    animal: Callable[[str], ModelShape], rare: Callable[[str], ModelShape]
) -> None:
    for shape in [*map(animal, zoo.ZOO), *map(rare, RARE)]:
        blocks = sum(layer.weights_bytes for layer in shape.layers)
        table = shape.embedding_bytes + blocks + shape.output_bytes - shape.weights_bytes
        assert (table > 0) == shape.tied, shape.name
        assert table <= shape.embedding_bytes, shape.name
        assert sum(size for _, size in shape.output_type_bytes) == shape.output_bytes


def test_small_heads_can_not_be_quantised(rare: Callable[[str], ModelShape]) -> None:
    assert rare("deci").kv_quantizable
    header = odd("llama.attention.key_length", 48)
    assert not shape_of(header).kv_quantizable


# --- what is not known ------------------------------------------------------------------------

_TINY: dict[str, object] = {
    **ggufs.CHAT,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": [2, 1],
    "llama.feed_forward_length": 128,
}
_TINY_TENSORS = (
    Tensor("token_embd.weight", (64, 3)),
    Tensor("output_norm.weight", (64,)),
    Tensor("blk.0.attn_q.weight", (64, 64)),
    Tensor("blk.1.attn_q.weight", (64, 64)),
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def odd(key: str = "", value: object = None, without: str = "") -> GgufHeader:
    """A small sound header, with one value changed or without one."""
    metadata = {**_TINY, **({key: value} if key else {})}
    metadata.pop(without, None)
    path = Path("odd.gguf")
    path.write_bytes(ggufs.whole(metadata, _TINY_TENSORS))
    return read_header(path)


def test_the_small_header_is_sound() -> None:
    shape = shape_of(odd())
    assert not shape.unsure
    assert [layer.key_width for layer in shape.layers] == [32, 16]


@pytest.mark.parametrize(
    "key", ["block_count", "embedding_length", "attention.head_count", "attention.head_count_kv"]
)
def test_a_wrong_number_is_no_number(key: str) -> None:
    for value in (0, 2**32 - 1, "many", 1.5, True, [1, 2, 3], []):
        shape = shape_of(odd(f"llama.{key}", value))
        assert Unsure.SIZES_MISSING in shape.unsure, (key, value)
        assert shape.layers == ()


@pytest.mark.parametrize("key", ["block_count", "embedding_length", "attention.head_count"])
def test_an_absent_number_is_no_number(key: str) -> None:
    assert Unsure.SIZES_MISSING in shape_of(odd(without=f"llama.{key}")).unsure


def test_heads_for_kv_are_as_many_as_heads_if_the_file_does_not_say() -> None:
    shape = shape_of(odd(without="llama.attention.head_count_kv"))
    assert [layer.kv_heads for layer in shape.layers] == [4, 4]


def test_experts_that_nobody_uses_make_no_sense() -> None:
    assert Unsure.SIZES_MISSING in shape_of(odd("llama.expert_count", 8)).unsure
    assert Unsure.SIZES_MISSING in shape_of(odd("llama.expert_used_count", 8)).unsure


def test_one_part_of_several_has_no_sizes() -> None:
    assert Unsure.SIZES_MISSING in shape_of(odd("split.count", 3)).unsure


def test_fewer_tensors_than_announced_have_no_sizes() -> None:
    assert Unsure.SIZES_MISSING in shape_of(odd("split.tensors.count", 99)).unsure


@pytest.mark.parametrize("missing", ["token_embd.weight", "blk."])
def test_a_model_without_table_or_blocks_has_no_sizes(missing: str) -> None:
    tensors = [tensor for tensor in _TINY_TENSORS if not tensor.name.startswith(missing)]
    path = Path("missing.gguf")
    path.write_bytes(ggufs.whole(_TINY, tensors))
    assert Unsure.SIZES_MISSING in read_shape(path).unsure


def test_a_block_beyond_the_last_one_has_no_sizes() -> None:
    path = Path("beyond.gguf")
    path.write_bytes(ggufs.whole(_TINY, [*_TINY_TENSORS, Tensor("blk.2.attn_q.weight", (64, 64))]))
    assert Unsure.SIZES_MISSING in read_shape(path).unsure


def test_unknown_architectures_are_unsure() -> None:
    for name in ("llama9", "clip", "t5", "deepseek4", "glm-dsa", ""):
        assert Unsure.ARCHITECTURE in shape_of(odd("general.architecture", name)).unsure, name


def test_a_file_that_can_not_be_read_is_an_error() -> None:
    path = Path("cut.gguf")
    path.write_bytes(ggufs.whole(_TINY, _TINY_TENSORS)[:-64])
    with pytest.raises(ModelCutOff):
        read_shape(path)


def test_every_rule_is_for_an_architecture_that_exists() -> None:
    ruled = {*families.WINDOWS, *families.RECURRENCES, *families.EXTRA_CACHES, *families.LOOPED}
    ruled |= {*families.READS_MLA, *families.SKIPPED_AHEAD, *families.KV_LAYERS_FROM_START}
    ruled |= families.SHARES_KV_AS_LISTED | families.WITHOUT_FLASH_ATTENTION
    assert ruled <= GENERATORS
    assert families.WITHOUT_CACHE <= KNOWN


@pytest.mark.model
def test_the_starters_shape(starter_model: Path) -> None:
    shape = read_shape(starter_model)
    assert not shape.unsure
    assert shape.architecture == "llama"
    assert shape.tied
    assert kinds(shape) == [ATTENTION] * 30
    assert {(layer.heads, layer.kv_heads, layer.key_width) for layer in shape.layers} == {
        (9, 3, 192)
    }


@pytest.mark.model
def test_gemmas_shape(gemma_model: Path) -> None:
    shape = read_shape(gemma_model)
    assert not shape.unsure
    assert shape.window == 512
    assert kinds(shape) == ([WINDOW] * 5 + [ATTENTION]) * 3
