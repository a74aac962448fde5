"""A model in several files answers as the whole one does, whichever part is named."""

import json
from pathlib import Path

import pytest

from engine.errors import PartsMissing
from engine.models.reading import read_chat_model
from engine.runtimes.llamacpp.runtime import LlamaRuntime
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec
from engine.types.plans import Layout
from tests.split_gguf import split
from tests.system.conftest import Open
from tests.system.talk import SYSTEM, ask, user
from tests.system.test_cli import snug

pytestmark = [pytest.mark.model, pytest.mark.serial]


@pytest.fixture(scope="module")
def parts(starter_model: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    return split(starter_model, tmp_path_factory.mktemp("parts"), 3, "SmolLM2")


def test_the_set_answers_word_for_word(
    open_model: Open, starter_model: Path, parts: tuple[Path, ...]
) -> None:
    question = user("What is the capital of France?")
    whole, _ = ask(open_model(starter_model, 2048), SYSTEM, question, max_tokens=40)
    spec = LoadSpec(path=parts[0], layout=Layout(context_length=2048, threads=2))
    model = LlamaRuntime().load(spec, lambda _: None, CancelToken())
    try:
        in_parts, _ = ask(model, SYSTEM, question, max_tokens=40)
    finally:
        model.close()
    assert in_parts == whole
    assert "Paris" in whole


def test_the_plan_is_that_of_the_whole_file(starter_model: Path, parts: tuple[Path, ...]) -> None:
    facts, shape = read_chat_model(parts[0])
    whole_facts, whole_shape = read_chat_model(starter_model)
    assert facts.size_bytes == sum(part.stat().st_size for part in parts)
    assert (facts.parameters, facts.problems) == (whole_facts.parameters, ())
    assert (facts.part, facts.parts) == (1, 3)
    sizes = ("layers", "weights_bytes", "embedding_bytes", "output_bytes", "vocabulary", "parts")
    assert not [name for name in sizes if getattr(shape, name) != getattr(whole_shape, name)]


def test_any_part_may_be_named(parts: tuple[Path, ...]) -> None:
    """The whole way: choice, plan, rehearsal in a child, load, reply."""
    question = ("What is the capital of France?", "--temperature", "0", "--json")
    done = snug("ask", *question, "--model", str(parts[1]), "--max-tokens", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Paris" in json.loads(done.stdout)["text"]


def test_what_is_missing_is_named(parts: tuple[Path, ...], tmp_path: Path) -> None:
    for part in (parts[0], parts[2]):
        (tmp_path / part.name).hardlink_to(part)
    with pytest.raises(PartsMissing) as caught:
        read_chat_model(tmp_path / parts[0].name)
    assert caught.value.names == (parts[1].name,)
    done = snug("ask", "Hello", "--model", str(tmp_path / parts[0].name), "--json")
    assert json.loads(done.stdout)["error"]["code"] == "parts_missing"
