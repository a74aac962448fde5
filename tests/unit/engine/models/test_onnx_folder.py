"""What a model folder says, and what it is not believed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import (
    EngineError,
    ModelDamaged,
    ModelFileError,
    ModelMissing,
    NotAChatModel,
    NotAModel,
)
from engine.guard.record import key_of
from engine.models.inspect import format_of, inspect
from engine.models.onnx_folder import read_folder, shape_of_folder
from engine.models.onnx_tokenizer import read_settings
from engine.models.reading import read_chat_model
from engine.types.models import ModelFormat, ModelKind, Problem
from engine.types.shapes import OnnxShape, Unsure
from tests.onnx_model import TINY_ONNX

NAMED = {"name": "default", "template": "yes"}
Change = Callable[[Callable[[dict[str, Any]], object]], Path]


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """A copy of the tiny model whose configuration was changed."""
    folder = tmp_path / "changed"

    def make(how: Callable[[dict[str, Any]], object]) -> Path:
        if not folder.exists():
            shutil.copytree(TINY_ONNX, folder)
        file = folder / "genai_config.json"
        config = json.loads(file.read_text())
        how(config)
        file.write_text(json.dumps(config))
        return folder

    return make


def test_the_tiny_model_is_a_sound_chat_model() -> None:
    facts = inspect(TINY_ONNX)
    assert facts.format is ModelFormat.ONNX
    assert facts.kind is ModelKind.CHAT
    assert facts.problems == ()
    assert (facts.name, facts.architecture) == ("tiny-onnx", "llama")
    assert (facts.layers, facts.context_length) == (1, 4096)
    files = [TINY_ONNX / "model.onnx", TINY_ONNX / "model.onnx.data"]
    assert facts.size_bytes == sum(file.stat().st_size for file in files)


def test_its_shape_has_what_memory_depends_on() -> None:
    _, shape = read_chat_model(TINY_ONNX)
    assert isinstance(shape, OnnxShape)
    assert (shape.layers, shape.kv_heads, shape.head_width) == (1, 1, 16)
    assert (shape.vocabulary, shape.width, shape.kv_element_bytes) == (468, 32, 4)
    assert shape.unsure == frozenset()


def test_a_folder_is_one_model_and_its_files_are_none(tmp_path: Path) -> None:
    assert format_of(TINY_ONNX) is ModelFormat.ONNX
    assert format_of(TINY_ONNX / "model.onnx") is ModelFormat.GGUF
    with pytest.raises(NotAModel):
        inspect(TINY_ONNX / "model.onnx")
    with pytest.raises(NotAModel):
        inspect(tmp_path)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("session_options", "custom_ops_library", "evil.so"),
        ("session_options", "enable_profiling", "a-file"),
        ("session_options", "optimized_model_filepath", "../../file"),
    ],
)
def test_what_would_run_or_write_a_strangers_choice_is_refused(
    change: Change, part: str, name: str, value: str
) -> None:
    folder = change(lambda config: config["model"]["decoder"][part].update({name: value}))
    with pytest.raises(ModelDamaged, match=name):
        inspect(folder)


def test_such_a_setting_is_found_wherever_it_hides(change: Change) -> None:
    hidden = [{"cuda": {"deep": [{"ep_Library_path": "evil.so"}]}}]
    options = {"provider_options": hidden}
    folder = change(lambda config: config["model"]["decoder"].update(session_options=options))
    with pytest.raises(ModelDamaged, match="ep_Library_path"):
        read_folder(folder)


@pytest.mark.parametrize("name", ["../model.onnx", "/etc/model.onnx", "a\\b.onnx", "c:x.onnx", 7])
def test_a_model_outside_its_folder_is_refused(change: Change, name: object) -> None:
    folder = change(lambda config: config["model"]["decoder"].update(filename=name))
    with pytest.raises(ModelDamaged, match="filename"):
        inspect(folder)


@pytest.mark.parametrize("part", ["encoder", "vision", "speech", "embedding"])
def test_models_that_want_more_than_text_are_no_chat_models(change: Change, part: str) -> None:
    folder = change(lambda config: config["model"].update({part: {"filename": "model.onnx"}}))
    assert Problem.NOT_A_CHAT_MODEL in inspect(folder).problems
    with pytest.raises(NotAChatModel):
        read_chat_model(folder)


def test_a_folder_without_weights_says_so(change: Change) -> None:
    folder = change(lambda config: None)
    (folder / "model.onnx").unlink()
    assert Problem.WEIGHTS_MISSING in inspect(folder).problems
    with pytest.raises(ModelMissing):
        read_chat_model(folder)


def test_a_folder_without_a_tokenizer_can_not_chat(change: Change) -> None:
    folder = change(lambda config: None)
    (folder / "tokenizer.json").unlink()
    assert Problem.TOKENIZER_MISSING in inspect(folder).problems
    with pytest.raises(NotAChatModel):
        read_chat_model(folder)


def test_sizes_that_make_no_sense_are_not_believed(change: Change) -> None:
    absurd = {"num_hidden_layers": 10**9, "head_size": -3, "num_key_value_heads": True}
    folder = change(lambda config: config["model"]["decoder"].update(absurd))
    assert Problem.LAYERS_MISSING in inspect(folder).problems
    shape = shape_of_folder(read_folder(folder))
    assert shape.unsure == frozenset({Unsure.SIZES_MISSING})
    assert (shape.layers, shape.head_width) == (0, 0)


@pytest.mark.parametrize("length", [0, -1, 2**40, "4096", 3.5, None, True])
def test_a_context_length_that_is_no_length_is_a_problem(change: Change, length: object) -> None:
    folder = change(lambda config: config["model"].update(context_length=length))
    facts = inspect(folder)
    assert facts.context_length is None
    assert Problem.CONTEXT_LENGTH_INVALID in facts.problems


@pytest.mark.parametrize(
    ("provider", "element_bytes"), [("cuda", 2), ("dml", 2), ("DML", 2), ("cpu", 4)]
)
def test_the_cache_has_the_width_that_the_builder_gives_it(
    change: Change, provider: str, element_bytes: int
) -> None:
    options = {"provider_options": [{provider: {}}]}
    folder = change(lambda config: config["model"]["decoder"].update(session_options=options))
    assert shape_of_folder(read_folder(folder)).kv_element_bytes == element_bytes


def test_a_name_tells_the_precision(change: Change, tmp_path: Path) -> None:
    folder = change(lambda config: None).rename(tmp_path / "cpu-int4-rtn-block-32")
    assert inspect(folder).quantization == "int4"
    folder = folder.rename(tmp_path / "gpu-fp16")
    assert shape_of_folder(read_folder(folder)).kv_element_bytes == 2


@pytest.mark.parametrize("ends", [7, [7, 9, "x", -1, True, None], []])
def test_one_or_more_tokens_end_a_reply(change: Change, ends: object) -> None:
    folder = change(lambda config: config["model"].update(eos_token_id=ends))
    expected = {7} if ends == 7 else {7, 9} if ends else set()
    assert read_folder(folder).end_tokens == expected


@pytest.mark.parametrize(
    "content",
    [b"", b"no json", b"[]", b"{" * 100_000, b'{"a":' * 100_000, b"\xff\xfe", b" " * (2 << 20)],
)
def test_a_configuration_that_is_none_is_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "genai_config.json").write_bytes(content)
    with pytest.raises(ModelDamaged):
        inspect(tmp_path)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "model", "decoder", "search", "filename", "session_options", "type",
                    "provider_options", "context_length", "eos_token_id", "head_size",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(values)
def test_any_configuration_gives_facts_or_an_error_of_ours(tmp_path: Path, value: object) -> None:
    (tmp_path / "genai_config.json").write_text(json.dumps(value))
    try:
        folder = read_folder(tmp_path)
    except ModelFileError:
        return
    shape = shape_of_folder(folder)
    assert shape.layers >= 0
    assert inspect(tmp_path).problems
    with pytest.raises(EngineError):  # there are no weights
        read_chat_model(tmp_path)


@pytest.mark.parametrize(
    ("settings_text", "template"),
    [
        ('{"chat_template": "plain"}', "plain"),
        (json.dumps({"chat_template": [{"name": "rag", "template": "no"}, NAMED]}), "yes"),
        ('{"chat_template": 7}', None),
        ("{}", None),
        ("not json", None),
    ],
)  # fmt: skip
def test_the_template_is_found_where_it_may_lie(
    tmp_path: Path, settings_text: str, template: str | None
) -> None:
    (tmp_path / "tokenizer_config.json").write_text(settings_text)
    assert read_settings(tmp_path).template == template
    (tmp_path / "chat_template.jinja").write_text("from a file")
    assert read_settings(tmp_path).template == "from a file"


def test_control_tokens_are_those_that_a_file_calls_special(tmp_path: Path) -> None:
    added = [
        {"content": "<|end|>", "special": True},
        {"content": "<think>", "special": False},
        "nonsense",
    ]
    vocabulary = {"model": {"vocab": {f"word{i}": i for i in range(1000)}}}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"added_tokens": added} | vocabulary))
    decoder = {"5": {"content": "<|user|>", "special": True}, "6": None}
    settings_ = {"added_tokens_decoder": decoder, "eos_token": {"content": "</s>"}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings_))
    read = read_settings(tmp_path)
    assert read.control == {"<|end|>", "<|user|>", "</s>"}
    assert read.eos == "</s>"


def test_lessons_hold_for_one_version_of_a_folder(change: Change) -> None:
    folder = change(lambda config: None)
    before = key_of(folder)
    assert key_of(folder) == before
    with (folder / "model.onnx.data").open("ab") as file:
        file.write(b"more")
    assert key_of(folder) != before
