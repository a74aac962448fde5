"""Models of other programs: all found, and answering where they lie, with nothing copied and not a
byte or a date of theirs changed."""

import json
import os
import shutil
from pathlib import Path

import pytest

from engine.models.library.others import other_places
from engine.models.library.scan import ScanCache, scan
from engine.types.cancel import CancelToken
from engine.types.hardware import System
from engine.types.library import InstalledModel, Owner
from tests import ggufs, other_programs
from tests.other_programs import Ollama
from tests.split_gguf import split
from tests.system.test_cli import snug

pytestmark = [pytest.mark.model, pytest.mark.serial]

State = dict[str, tuple[int, ...]]
_FEW_BYTES = 1 << 20


def state_of(folder: Path) -> State:
    """Everything that writing would change: names, kinds, sizes, files and their dates."""
    found = {}
    for root, folders, files in os.walk(folder):
        for name in (".", *folders, *files):
            path = Path(root, name)
            it = path.lstat()
            numbers = (it.st_mode, it.st_size, it.st_ino, it.st_nlink)
            found[str(path)] = (*numbers, it.st_mtime_ns, it.st_ctime_ns)
    return found


@pytest.fixture(scope="module")
def home(starter_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five programs with one model or two each; three of the models are real."""
    home = tmp_path_factory.mktemp("Žofie") / "home"
    sources = home.with_name("sources")
    sources.mkdir()
    real, again = (
        Path(shutil.copyfile(starter_model, sources / name)) for name in ("real.gguf", "more.gguf")
    )
    tiny, tiny_too = sources / "tiny.gguf", sources / "tiny-too.gguf"
    tiny.write_bytes(ggufs.chat({"general.name": "Tiny Jan"}))
    tiny_too.write_bytes(ggufs.chat({"general.name": "Tiny GPT"}))
    eyes = sources / "eyes.gguf"
    eyes.write_bytes(ggufs.chat({"general.architecture": "clip", "general.type": "mmproj"}))
    Ollama(home / ".ollama/models").model(
        "registry.ollama.ai/library/smollm2", "135m", model=real, projector=eyes
    )
    folder = home / ".lmstudio/models/HuggingFaceTB/SmolLM2-GGUF"
    folder.mkdir(parents=True)
    split(starter_model, folder, 2, "SmolLM2-135M-Q4_1")
    other_programs.jan(home / ".local/share/Jan/data", "jan-ai/Tiny-Jan", tiny)
    other_programs.place(tiny_too, home / ".local/share/nomic.ai/GPT4All/tiny-Q4_0.gguf")
    cache = home / ".cache/huggingface/hub"
    other_programs.hugging_face(cache, "HuggingFaceTB/SmolLM2", "a" * 40, **{"smol-Q4_1": again})
    for root, folders, files in os.walk(home):
        for name in (*folders, *files):
            if not Path(root, name).is_symlink():
                Path(root, name).chmod(0o555 if name in folders else 0o444)
    return home


def look(home: Path) -> dict[Owner, InstalledModel]:
    places = [
        place for place in other_places(home, {}, System.LINUX) if place.folder.is_relative_to(home)
    ]
    found = scan(places, ScanCache(None), CancelToken())
    return {model.owner: model for model in found}


def test_all_five_are_found_grouped_and_named(home: Path) -> None:
    before = state_of(home)
    found = look(home)
    assert {owner: model.name for owner, model in found.items()} == {
        Owner.OLLAMA: "Smollm2 135M",
        Owner.LM_STUDIO: "SmolLM2 135M",
        Owner.JAN: "Tiny Jan",
        Owner.GPT4ALL: "Tiny",
        Owner.HUGGING_FACE: "Smol",
    }
    assert all(model.usable for model in found.values())
    assert found[Owner.OLLAMA].projector is not None
    assert len(found[Owner.LM_STUDIO].files) == 2
    assert state_of(home) == before


@pytest.mark.parametrize("owner", [Owner.OLLAMA, Owner.LM_STUDIO, Owner.HUGGING_FACE])
def test_it_answers_where_it_lies(home: Path, snug_home: Path, owner: Owner) -> None:
    """A blob without an ending, parts, and a link to a blob: the whole way, rehearsal included."""
    before = state_of(home)
    path = look(home)[owner].path
    question = ("What is the capital of France?", "--temperature", "0", "--json")
    done = snug("ask", *question, "--model", str(path), "--max-tokens", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Paris" in json.loads(done.stdout)["text"]
    assert state_of(home) == before
    written = sum(it.stat().st_size for it in snug_home.rglob("*") if it.is_file())
    assert written < _FEW_BYTES
