"""Where other programs keep models, told by their settings and by nothing else."""

import json
from pathlib import Path

import pytest

from engine.models.library.others import other_places
from engine.types.hardware import System
from engine.types.library import Owner


def made(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def found(home: Path, system: System = System.LINUX, **environ: object) -> list[tuple[Owner, Path]]:
    """Those of this home; the machine of a test may have some of its own."""
    variables = {name: str(value) for name, value in environ.items()}
    places = other_places(home, variables, system)
    return [
        (place.owner, place.folder) for place in places if place.folder.is_relative_to(home.parent)
    ]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return made(tmp_path / "Žofie")


def test_nothing_is_there(home: Path) -> None:
    for system in System:
        assert found(home, system) == []


@pytest.mark.parametrize(
    ("system", "folders"),
    [
        (
            System.LINUX,
            {
                Owner.OLLAMA: ".ollama/models",
                Owner.LM_STUDIO: ".lmstudio/models",
                Owner.JAN: ".local/share/Jan/data",
                Owner.GPT4ALL: ".local/share/nomic.ai/GPT4All",
                Owner.HUGGING_FACE: ".cache/huggingface/hub",
            },
        ),
        (
            System.MACOS,
            {
                Owner.OLLAMA: ".ollama/models",
                Owner.LM_STUDIO: ".cache/lm-studio/models",
                Owner.JAN: "Library/Application Support/Jan/data",
                Owner.GPT4ALL: "Library/Application Support/nomic.ai/GPT4All",
                Owner.HUGGING_FACE: ".cache/huggingface/hub",
            },
        ),
        (
            System.WINDOWS,
            {
                Owner.OLLAMA: ".ollama/models",
                Owner.LM_STUDIO: ".lmstudio/models",
                Owner.JAN: "AppData/Roaming/Jan/data",
                Owner.GPT4ALL: "AppData/Local/nomic.ai/GPT4All",
                Owner.HUGGING_FACE: ".cache/huggingface/hub",
            },
        ),
    ],
)
def test_where_they_usually_are(home: Path, system: System, folders: dict[Owner, str]) -> None:
    expected = [(owner, made(home / folder)) for owner, folder in folders.items()]
    assert found(home, system) == expected


def test_where_an_older_jan_kept_them(home: Path) -> None:
    folder = made(home / ".config/Jan/data")
    assert found(home) == [(Owner.JAN, folder)]


def test_variables_move_them(home: Path, tmp_path: Path) -> None:
    ollama, hub, huggingface = (made(tmp_path / name) for name in ("o", "h", "f"))
    made(huggingface / "hub")
    made(tmp_path / "x" / "nomic.ai" / "GPT4All")
    made(tmp_path / "c" / "huggingface" / "hub")
    assert found(
        home,
        OLLAMA_MODELS=ollama,
        HF_HUB_CACHE=hub,
        HF_HOME=huggingface,
        XDG_DATA_HOME=tmp_path / "x",
        XDG_CACHE_HOME=tmp_path / "c",
    ) == [
        (Owner.OLLAMA, ollama),
        (Owner.GPT4ALL, tmp_path / "x" / "nomic.ai" / "GPT4All"),
        (Owner.HUGGING_FACE, hub),
        (Owner.HUGGING_FACE, huggingface / "hub"),
        (Owner.HUGGING_FACE, tmp_path / "c" / "huggingface" / "hub"),
    ]


def test_variables_of_windows(home: Path, tmp_path: Path) -> None:
    jan = made(tmp_path / "R" / "Jan" / "data")
    gpt4all = made(tmp_path / "L" / "nomic.ai" / "GPT4All")
    variables = {"APPDATA": tmp_path / "R", "LOCALAPPDATA": tmp_path / "L"}
    expected = [(Owner.JAN, jan), (Owner.GPT4ALL, gpt4all)]
    assert found(home, System.WINDOWS, **variables) == expected


@pytest.mark.parametrize("value", ["", "  ", "relative/folder", ".", "a\0b", "~nobody/x"])
def test_variables_that_name_no_place(home: Path, value: str) -> None:
    assert found(home, OLLAMA_MODELS=value, HF_HOME=value, XDG_DATA_HOME=value) == []


def test_a_tilde_is_the_home(home: Path) -> None:
    made(home / "big" / "hub")
    assert found(home, HF_HOME="~/big") == [(Owner.HUGGING_FACE, home / "big" / "hub")]


def test_the_pointer_of_lm_studio(home: Path, tmp_path: Path) -> None:
    elsewhere, disk = made(tmp_path / "lms"), made(tmp_path / "disk")
    made(elsewhere / "models")
    (home / ".lmstudio-home-pointer").write_text(f"{elsewhere}\n")
    (elsewhere / "settings.json").write_text(json.dumps({"downloadsFolder": str(disk)}))
    assert found(home) == [(Owner.LM_STUDIO, disk), (Owner.LM_STUDIO, elsewhere / "models")]


@pytest.mark.parametrize("folder", [".local/share/Jan", ".local/share/jan.ai.app", ".config/Jan"])
def test_the_settings_of_jan(home: Path, tmp_path: Path, folder: str) -> None:
    data = made(tmp_path / "jan data")
    settings = made(home / folder) / "settings.json"
    settings.write_text(json.dumps({"data_folder": str(data)}))
    assert found(home) == [(Owner.JAN, data)]


@pytest.mark.parametrize(
    ("written", "folder"),
    [
        ("{}/models/", "models"),
        ('"{}/Modelle, alle"', "Modelle, alle"),
        ("{}/\\x6a21\\x578b", "模型"),
        ("{}/模型", "模型"),
    ],
)
def test_the_settings_of_gpt4all(home: Path, tmp_path: Path, written: str, folder: str) -> None:
    models = made(tmp_path / folder)
    made(home / ".config/nomic.ai")
    text = f"[General]\nchatTheme=Dark\nmodelPath={written.format(tmp_path.as_posix())}\n"
    (home / ".config/nomic.ai/GPT4All.ini").write_text(text, encoding="utf-8")
    assert found(home) == [(Owner.GPT4ALL, models)]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"downloadsFolder": 3}', b"\xff\xfe\0"])
def test_settings_that_make_no_sense(home: Path, content: bytes) -> None:
    for name in (
        ".lmstudio-home-pointer",
        ".lmstudio/settings.json",
        ".config/Jan/settings.json",
        ".config/nomic.ai/GPT4All.ini",
    ):
        made((home / name).parent)
        (home / name).write_bytes(content)
    assert found(home) == []


def test_each_place_once(home: Path) -> None:
    made(home / ".ollama/models")
    assert len(found(home, OLLAMA_MODELS=home / ".ollama/models")) == 1
