"""Where other programs keep models, by their own rules and settings. Reads small settings files,
writes nothing, asks no program. Any thread but the window's.

Sources: envconfig/config.go and scripts/install.sh of ollama/ollama, findLMStudioHome.ts of
lmstudio-ai/lmstudio.js, src-tauri/src/core/app/commands.rs of janhq/jan, gpt4all-chat/src/main.cpp
and mysettings.cpp of nomic-ai/gpt4all, constants.py of huggingface/huggingface_hub.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.errors import ModelFileError
from engine.models.library.places import Place
from engine.models.strangers import read_bytes, read_record
from engine.types.hardware import System
from engine.types.library import Owner

_LIMIT_BYTES = 1 << 20
_OLLAMA_OF_THE_SYSTEM = (
    "/usr/share/ollama/.ollama/models",
    "/var/lib/ollama/.ollama/models",
    "/var/lib/ollama/models",
    "/var/lib/ollama",
    "/var/snap/ollama/common/models",
)
"""Where Linux keeps them when Ollama is a service, or a snap."""
_QT_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,4})|(.))")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Machine:
    """A person's folders, as this system calls them."""

    home: Path
    environ: Mapping[str, str]
    system: System

    def named(self, *variables: str) -> Iterator[Path]:
        """Folders that these variables of the environment name."""
        for variable in variables:
            yield from self.folder(self.environ.get(variable))

    def folder(self, text: object) -> Iterator[Path]:
        """The folder that a setting names, if it does: "~" is the home, and none is relative."""
        if not isinstance(text, str) or not text.strip() or "\0" in text:
            return
        path = Path(text.strip())
        if path.parts and path.parts[0] == "~":
            path = self.home.joinpath(*path.parts[1:])
        if path.is_absolute():
            yield path

    def _own(self, variable: str, windows: str, macos: str, linux: str) -> Path:
        usual = {System.WINDOWS: windows, System.MACOS: macos, System.LINUX: linux}[self.system]
        named = () if self.system is System.MACOS else self.named(variable)
        return next(iter(named), self.home / usual)

    @property
    def data(self) -> Path:
        windows = self.system is System.WINDOWS
        variable = "APPDATA" if windows else "XDG_DATA_HOME"
        return self._own(variable, "AppData/Roaming", "Library/Application Support", ".local/share")

    @property
    def local_data(self) -> Path:
        windows = self.system is System.WINDOWS
        variable = "LOCALAPPDATA" if windows else "XDG_DATA_HOME"
        return self._own(variable, "AppData/Local", "Library/Application Support", ".local/share")

    @property
    def config(self) -> Path:
        """Qt keeps .ini files in .config on macOS too."""
        windows = self.system is System.WINDOWS
        variable = "APPDATA" if windows else "XDG_CONFIG_HOME"
        return self._own(variable, "AppData/Roaming", ".config", ".config")


def other_places(home: Path, environ: Mapping[str, str], system: System) -> tuple[Place, ...]:
    """The folders of other programs that are there. Raises nothing."""
    machine = _Machine(home=home, environ=environ, system=system)
    found = (
        Place(folder, owner) for owner, folders in _PROGRAMS.items() for folder in folders(machine)
    )
    return tuple(place for place in dict.fromkeys(found) if _is_folder(place.folder))


def _ollama(machine: _Machine) -> Iterator[Path]:
    yield from machine.named("OLLAMA_MODELS")
    yield machine.home / ".ollama" / "models"
    if machine.system is System.LINUX:
        yield from map(Path, _OLLAMA_OF_THE_SYSTEM)


def _lm_studio(machine: _Machine) -> Iterator[Path]:
    pointer = _text(machine.home / ".lmstudio-home-pointer")
    usual = (machine.home / ".lmstudio", machine.home / ".cache/lm-studio")
    for home in (*machine.folder(pointer), *usual):
        yield from machine.folder(_setting(home / "settings.json", "downloadsFolder"))
        yield home / "models"


def _jan(machine: _Machine) -> Iterator[Path]:
    yield from machine.named("JAN_DATA_FOLDER")
    for folder in (machine.data / "Jan", machine.data / "jan.ai.app", machine.config / "Jan"):
        yield from machine.folder(_setting(folder / "settings.json", "data_folder"))
    yield from (folder / "Jan" / "data" for folder in (machine.data, machine.config))
    yield machine.home / "jan"


def _gpt4all(machine: _Machine) -> Iterator[Path]:
    settings = _text(machine.config / "nomic.ai" / "GPT4All.ini")
    stated = re.search(r"^modelPath=(.*)$", settings, re.MULTILINE)
    if stated is not None:
        yield from machine.folder(_qt_value(stated[1]))
    yield machine.local_data / "nomic.ai" / "GPT4All"


def _hugging_face(machine: _Machine) -> Iterator[Path]:
    yield from machine.named("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")
    yield from (folder / "hub" for folder in machine.named("HF_HOME"))
    yield from (folder / "huggingface/hub" for folder in machine.named("XDG_CACHE_HOME"))
    yield machine.home / ".cache/huggingface/hub"


_PROGRAMS: Mapping[Owner, Callable[[_Machine], Iterator[Path]]] = {
    Owner.OLLAMA: _ollama,
    Owner.LM_STUDIO: _lm_studio,
    Owner.JAN: _jan,
    Owner.GPT4ALL: _gpt4all,
    Owner.HUGGING_FACE: _hugging_face,
}


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _text(path: Path) -> str:
    """Empty for what can not be read. Never waits for a pipe."""
    with suppress(ModelFileError, ValueError):
        if _is_file(path):
            return read_bytes(path, _LIMIT_BYTES).decode("utf-8-sig")
    return ""


def _setting(path: Path, key: str) -> object:
    """A value in a file of JSON, or None."""
    with suppress(ModelFileError):
        if _is_file(path):
            return read_record(path, _LIMIT_BYTES).get(key)
    return None


def _qt_value(text: str) -> str:
    """As QSettings writes it in an .ini file: perhaps quoted, with escapes."""
    value = text.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    return _QT_ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], value)
