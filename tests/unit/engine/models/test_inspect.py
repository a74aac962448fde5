"""Facts from headers: what a file is for, and every problem by its code."""

from pathlib import Path

import pytest

from engine.errors import ModelCutOff, ModelTooNew, NotAChatModel, SplitPart
from engine.models import architectures
from engine.models.gguf import read_header
from engine.models.inspect import check_chat, inspect
from engine.types.models import ModelFacts, ModelKind, Problem
from tests import ggufs
from tests.ggufs import F32, I32, U64, Tensor, Typed

CONTEXT = "llama.context_length"
TEMPLATE = "tokenizer.chat_template"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tiny-model.gguf"


def facts(path: Path, *without: str, **changes: object) -> ModelFacts:
    dotted = {key.replace("__", "."): value for key, value in changes.items()}
    path.write_bytes(ggufs.chat(dotted, without=without))
    return inspect(path)


def test_a_sound_chat_model(path: Path) -> None:
    found = facts(path)
    assert found == ModelFacts(
        path=path,
        size_bytes=path.stat().st_size,
        architecture="llama",
        name="Tiny",
        parameters=160,
        quantization="F32",
        layers=2,
        context_length=2048,
        kind=ModelKind.CHAT,
        has_chat_template=True,
        problems=(),
    )
    check_chat(found)


# --- kinds ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("architecture", "kind"),
    [
        ("clip", ModelKind.PROJECTOR),
        ("bert", ModelKind.EMBEDDING),
        ("nomic-bert", ModelKind.EMBEDDING),
        ("gemma-embedding", ModelKind.EMBEDDING),
        ("controlvector", ModelKind.ADAPTER),
        ("dream", ModelKind.OTHER),
        ("wavtokenizer-dec", ModelKind.OTHER),
        ("t5", ModelKind.OTHER),
    ],
)
def test_architectures_that_can_not_chat(path: Path, architecture: str, kind: ModelKind) -> None:
    found = facts(path, general__architecture=architecture)
    assert found.kind is kind
    assert found.problems == (Problem.NOT_A_CHAT_MODEL,)
    with pytest.raises(NotAChatModel) as caught:
        check_chat(found)
    assert caught.value.kind == kind.value


@pytest.mark.parametrize("architecture", ["sd3", "llama9", "LLAMA", "llama ", "llama\0", "flux"])
def test_unknown_architectures(path: Path, architecture: str) -> None:
    found = facts(path, general__architecture=architecture)
    assert found.kind is ModelKind.OTHER
    assert found.problems == (Problem.UNKNOWN_ARCHITECTURE, Problem.NOT_A_CHAT_MODEL)
    with pytest.raises(ModelTooNew):  # it says how it is talked to: only we do not know it
        check_chat(found)
    with pytest.raises(NotAChatModel):
        check_chat(facts(path, TEMPLATE, general__architecture=architecture))


@pytest.mark.parametrize("value", ["", "  ", 7, ["llama"], True])
def test_architectures_that_are_no_name(path: Path, value: object) -> None:
    found = facts(path, general__architecture=value)
    assert found.architecture == ""
    assert found.problems == (Problem.ARCHITECTURE_MISSING, Problem.NOT_A_CHAT_MODEL)


def test_no_architecture(path: Path) -> None:
    assert Problem.ARCHITECTURE_MISSING in facts(path, "general.architecture").problems


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        ("adapter", ModelKind.ADAPTER),
        ("mmproj", ModelKind.PROJECTOR),
        ("imatrix", ModelKind.OTHER),
        ("model", ModelKind.CHAT),
        ("", ModelKind.CHAT),
        (3, ModelKind.CHAT),
    ],
)
def test_the_type_a_file_states(path: Path, stated: object, kind: ModelKind) -> None:
    assert facts(path, general__type=stated).kind is kind


def test_an_old_adapter_without_a_general_type(path: Path) -> None:
    assert facts(path, "general.type", adapter__type="lora").kind is ModelKind.ADAPTER


@pytest.mark.parametrize("pooling", [1, 2, 3, 4])
def test_a_generator_with_pooled_output_is_an_embedding_model(path: Path, pooling: int) -> None:
    found = facts(path, llama__pooling_type=pooling)
    assert found.kind is ModelKind.EMBEDDING
    with pytest.raises(NotAChatModel):
        check_chat(found)


@pytest.mark.parametrize("pooling", [0, Typed(I32, -1), "mean", True])
def test_other_pooling_types_mean_nothing(path: Path, pooling: object) -> None:
    assert facts(path, llama__pooling_type=pooling).kind is ModelKind.CHAT


def test_a_vocabulary_without_weights(path: Path) -> None:
    path.write_bytes(ggufs.header(ggufs.CHAT, ()))
    found = inspect(path)
    assert (found.kind, found.parameters) == (ModelKind.OTHER, 0)
    assert found.problems == (Problem.WEIGHTS_MISSING, Problem.NOT_A_CHAT_MODEL)


# --- parts ------------------------------------------------------------------------------------


def test_one_part_of_several(path: Path) -> None:
    path.write_bytes(ggufs.whole({"split.no": 1, "split.count": 5, "split.tensors.count": 300}))
    found = inspect(path)
    assert (found.part, found.parts, found.problems) == (2, 5, (Problem.SPLIT_PART,))
    with pytest.raises(SplitPart) as caught:
        check_chat(found)
    assert (caught.value.part, caught.value.parts) == (2, 5)


def test_the_first_part_is_a_part_too(path: Path) -> None:
    found = facts(path, split__no=0, split__count=2)
    assert (found.part, found.parts, found.kind) == (1, 2, ModelKind.CHAT)
    with pytest.raises(SplitPart):
        check_chat(found)


@pytest.mark.parametrize("number", [5, 2**32 - 1, "1", True, Typed(I32, -1)])
def test_a_part_that_does_not_say_which(path: Path, number: object) -> None:
    found = facts(path, split__no=number, split__count=5)
    assert (found.part, found.parts) == (0, 5)


@pytest.mark.parametrize("count", [0, 1, "5", True, 2.0, [5], Typed(U64, 2**63)])
def test_a_whole_file_may_say_that_it_is_one(path: Path, count: object) -> None:
    found = facts(path, split__no=0, split__count=count, split__tensors__count=2)
    assert (found.part, found.parts, found.problems) == (1, 1, ())


def test_fewer_tensors_than_announced(path: Path) -> None:
    assert facts(path, split__tensors__count=3).problems == (Problem.WEIGHTS_MISSING,)


# --- chat template ----------------------------------------------------------------------------


def test_a_base_model(path: Path) -> None:
    found = facts(path, TEMPLATE)
    assert (found.kind, found.has_chat_template) == (ModelKind.BASE, False)
    assert found.problems == (Problem.CHAT_TEMPLATE_MISSING,)
    check_chat(found)


@pytest.mark.parametrize("template", ["", " \n\t", 7, ["x"], True, "x" * (1 << 20) + "y"])
def test_a_template_that_is_none(path: Path, template: object) -> None:
    found = facts(path, tokenizer__chat_template=template)
    assert (found.kind, found.has_chat_template) == (ModelKind.BASE, False)
    assert found.problems == (Problem.CHAT_TEMPLATE_INVALID,)
    check_chat(found)


def test_named_templates(path: Path) -> None:
    assert facts(path, TEMPLATE, tokenizer__chat_template__default="x").has_chat_template
    assert not facts(path, TEMPLATE, tokenizer__chat_template__tool_use="x").has_chat_template


# --- numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 1_048_576, 2**31 - 1, Typed(U64, 4096)])
def test_context_lengths(path: Path, length: object) -> None:
    found = facts(path, llama__context_length=length)
    assert found.context_length == (length.value if isinstance(length, Typed) else length)
    assert found.problems == ()


@pytest.mark.parametrize(
    "length", [0, 2**31, 2**32 - 1, "4096", True, Typed(F32, 4096.0), [4096], Typed(I32, -1)]
)
def test_context_lengths_that_make_no_sense(path: Path, length: object) -> None:
    found = facts(path, llama__context_length=length)
    assert found.context_length is None
    assert found.problems == (Problem.CONTEXT_LENGTH_INVALID,)
    check_chat(found)


def test_no_context_length(path: Path) -> None:
    found = facts(path, CONTEXT)
    assert (found.context_length, found.problems) == (None, (Problem.CONTEXT_LENGTH_MISSING,))


@pytest.mark.parametrize("layers", [0, "2", 2**32 - 1, [2, 2]])
def test_layers_that_make_no_sense(path: Path, layers: object) -> None:
    found = facts(path, llama__block_count=layers)
    assert (found.layers, found.problems) == (None, (Problem.LAYERS_MISSING,))


def test_no_tokenizer(path: Path) -> None:
    assert facts(path, "tokenizer.ggml.model").problems == (Problem.TOKENIZER_MISSING,)


# --- names and quantization -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "  \n", 7, ["a"], "\x1b\x07"])
def test_a_file_without_a_name_has_its_files(path: Path, name: object) -> None:
    assert facts(path, general__name=name).name == "tiny-model"


def test_names_are_one_short_line(path: Path) -> None:
    assert facts(path, general__name="a\n\x1b[31mb\u202e\u3000模型").name == "a [31mb 模型"
    assert len(facts(path, general__name="n" * 9000).name) == 200


@pytest.mark.parametrize(
    ("file_type", "name"), [(15, "Q4_K_M"), (3, "Q4_1"), (1024 + 7, "Q8_0"), (32, "BF16")]
)
def test_the_quantization_a_file_states(path: Path, file_type: int, name: str) -> None:
    assert facts(path, general__file_type=file_type).quantization == name


@pytest.mark.parametrize("file_type", [4, 999, 2**32 - 1, "Q4", True, None])
def test_else_the_type_of_most_weights(path: Path, file_type: object) -> None:
    metadata = {**ggufs.CHAT, "general.file_type": file_type}
    if file_type is None:
        del metadata["general.file_type"]
    tensors = (Tensor("norm", (64,)), Tensor("a", (256, 4), 14), Tensor("b", (32, 8), 8))
    path.write_bytes(ggufs.whole(metadata, tensors))
    found = inspect(path)
    assert (found.quantization, found.parameters) == ("Q6_K", 64 + 1024 + 256)


# --- real files -------------------------------------------------------------------------------


@pytest.mark.model
def test_the_starter_model(starter_model: Path) -> None:
    found = inspect(starter_model)
    assert (found.architecture, found.kind, found.quantization) == ("llama", "chat", "Q4_1")
    assert (found.layers, found.context_length, found.parameters) == (30, 8192, 134_515_008)
    assert (found.size_bytes, found.problems) == (98_362_432, ())
    check_chat(found)


@pytest.mark.model
def test_gemma(gemma_model: Path) -> None:
    found = inspect(gemma_model)
    assert (found.architecture, found.kind, found.quantization) == ("gemma3", "base", "Q4_K_M")
    assert (found.layers, found.context_length, found.parameters) == (18, 32_768, 268_098_176)
    assert found.problems == (Problem.CHAT_TEMPLATE_MISSING,)
    assert read_header(gemma_model).skipped["tokenizer.ggml.tokens"].count == 262_144
    check_chat(found)


@pytest.mark.model
def test_a_real_file_cut_short(starter_model: Path, path: Path) -> None:
    for size in (1_000_000, 50_000_000):
        with starter_model.open("rb") as source:
            path.write_bytes(source.read(min(size, 2_000_000)))
        with path.open("r+b") as target:
            target.truncate(size)
        with pytest.raises(ModelCutOff):
            inspect(path)


def test_every_architecture_has_one_use() -> None:
    groups = (
        architectures.GENERATORS,
        architectures.EMBEDDERS,
        architectures.PROJECTORS,
        architectures.ADAPTERS,
        architectures.OTHERS,
    )
    assert sum(map(len, groups)) == len(architectures.KNOWN)
    assert {"llama", "gemma3", "qwen3", "gpt-oss", "command-r"} <= architectures.GENERATORS
