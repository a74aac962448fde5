"""The one door to llama.cpp: finds, checks and starts its library.

Uses only the low-level module of llama-cpp-python. Importing that package as usual would also
bring its high-level half with numpy and disk caches (0.25 s, 20 MB), which Snug never calls;
so the package is entered without running its `__init__`. Loaded on the inference thread.
"""

import ctypes
import importlib.util
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.backends import plugins
from engine.runtimes.llamacpp import registry
from engine.types.backends import Plugin

log = logging.getLogger("snug.native")

_SUPPORTED_VERSION = "0.3.36"
_SIZES = {"llama_model_params": 80, "llama_context_params": 160, "llama_batch": 56}
"""Bytes of the C structs in the supported version; they change between versions."""

_GGML_LEVELS = {1: logging.DEBUG, 2: logging.DEBUG, 3: logging.WARNING, 4: logging.ERROR}
_CONTINUES = 5
_DEFAULT_DIRS = 0x1000
"""LOAD_LIBRARY_SEARCH_DEFAULT_DIRS."""
_UNTRUSTED = ("GGML_", "LLAMA_")
_keep: list[Any] = []
"""Objects that native code points to for the life of the process."""
_processor: list[str] = []


class IncompatibleLibrary(RuntimeError):
    """The installed llama-cpp-python is not the one this code was written for."""


def _enter_package_without_init() -> None:
    spec = importlib.util.find_spec("llama_cpp")
    if spec is None or spec.submodule_search_locations is None:
        raise IncompatibleLibrary("llama-cpp-python is not installed")
    package = ModuleType("llama_cpp")
    package.__path__ = list(spec.submodule_search_locations)
    package.__spec__ = spec
    sys.modules["llama_cpp"] = package


def _check_structs(api: Any) -> None:
    for name, expected in _SIZES.items():
        size = ctypes.sizeof(getattr(api, name))
        if size != expected:
            raise IncompatibleLibrary(f"{name} has {size} bytes, expected {expected}")


@dataclass(frozen=True, slots=True)
class _Recording:
    thread: int
    lines: list[str]
    heard: Callable[[str], None] | None


class LogTail:
    """Passes native log lines to our log and keeps the newest warnings for error messages."""

    def __init__(self, keep: int = 8) -> None:
        self._recordings: tuple[_Recording, ...] = ()
        self._lines: list[str] = []
        self._keep = keep
        self._level = logging.DEBUG

    def __call__(self, level: int, text: bytes | None, _data: object) -> None:
        line = (text or b"").decode("utf-8", "replace").rstrip()
        if level != _CONTINUES:
            self._level = _GGML_LEVELS.get(level, logging.DEBUG)
        if not line.strip("."):
            return
        log.log(self._level, "%s", line)
        self._record(line)
        if self._level >= logging.WARNING:
            self._lines = [*self._lines, line][-self._keep :]

    @contextmanager
    def record(self, heard: Callable[[str], None] | None = None) -> Iterator[list[str]]:
        """Every line, debug ones too, that this thread's native calls log meanwhile.

        `heard` is called with each line as it comes, from within native code: it must not raise.
        """
        recording = _Recording(threading.get_ident(), [], heard)
        self._recordings = (*self._recordings, recording)
        try:
            yield recording.lines
        finally:
            self._recordings = tuple(r for r in self._recordings if r is not recording)

    def _record(self, line: str) -> None:
        thread = threading.get_ident()
        for recording in self._recordings:
            if recording.thread == thread:
                recording.lines.append(line)
                if recording.heard:
                    recording.heard(line)

    def take(self) -> str:
        """The newest warnings and errors, one a line, and forget them."""
        lines, self._lines = self._lines, []
        return "\n".join(lines)


log_tail = LogTail()


def _send_log_to_ours(api: Any) -> None:
    callback = api.llama_log_callback(log_tail)
    _keep.append(callback)
    api.llama_log_set(callback, None)


@cache
def api() -> Any:
    """The low-level module, started once for the process, with a backend for the processor.

    Raises `IncompatibleLibrary` if another version is installed, `BackendUnusable` if no part of
    it runs on this processor.
    """
    _clear_environment()
    found = version("llama-cpp-python")
    if found != _SUPPORTED_VERSION:
        raise IncompatibleLibrary(f"llama-cpp-python {found}, expected {_SUPPORTED_VERSION}")
    _open_ours_first()
    if "llama_cpp" not in sys.modules:
        _enter_package_without_init()
    from llama_cpp import llama_cpp  # noqa: PLC0415 - heavy, and only the engine's thread needs it

    _check_structs(llama_cpp)
    _send_log_to_ours(llama_cpp)
    _processor.append(registry.load_processor(_registry(llama_cpp), library_folder(llama_cpp)))
    llama_cpp.llama_backend_init()
    return llama_cpp


def _clear_environment() -> None:
    """What a shell sets for other programs must not change our engine."""
    for name in [name for name in os.environ if name.startswith(_UNTRUSTED)]:
        del os.environ[name]
    # A failed assertion would otherwise start a debugger and stop the whole program for it.
    os.environ["GGML_NO_BACKTRACE"] = "1"


def _open_ours_first() -> None:
    """What libllama needs is already there when it asks, wherever the environment leads."""
    if os.name == "nt":
        _only_fixed_places()
    folder = plugins.library_folder()
    if folder is None or not plugins.engine_build_id():
        return  # in a stock package each library has two names, and would be there twice
    base = plugins.base_library(folder, sys.platform)
    its_registry = base.with_name(base.name.replace("ggml-base", "ggml"))
    _keep.extend(ctypes.CDLL(str(library)) for library in (base, its_registry))


def _only_fixed_places() -> None:
    """Else Windows seeks what a library needs in the current directory and in PATH too."""
    kernel = ctypes.CDLL("kernel32")
    kernel.SetDefaultDllDirectories(_DEFAULT_DIRS)


def library_folder(api: Any) -> Path:
    return Path(api.__file__).parent / "lib"


def processor_variant() -> str:
    """The plug-in in use for the processor ("haswell"); "" where it is compiled in."""
    api()
    return _processor[0]


def _registry(api: Any) -> ctypes.CDLL:
    library = ggml(api, "ggml")
    library.ggml_backend_load.restype = ctypes.c_void_p
    library.ggml_backend_load.argtypes = [ctypes.c_char_p]
    library.ggml_backend_reg_count.restype = ctypes.c_size_t
    library.ggml_backend_reg_count.argtypes = []
    return library


def load_plugin(plugin: Plugin) -> None:
    """Register an approved plug-in. Raises `BackendUnusable`, and like `api`."""
    registry.load(_registry(api()), plugin, log_tail.take)


def ggml(api: Any, part: str = "ggml-base") -> ctypes.CDLL:
    """The C functions of ggml behind `api`, for whoever declares their types himself. `part`:
    "ggml" holds the registry of devices, "ggml-base" what is done with one.

    Opened through libllama itself, never by a path of its own: the wheel holds each library
    under three names as three files, and a second name would load a second ggml with an empty
    list of devices. Windows looks no further than the library it is asked.
    """
    if os.name == "nt":
        return ctypes.CDLL(f"{part}.dll")
    return ctypes.CDLL(api._lib._name)


def describe() -> str:
    """The library's version and what it makes of this processor. Raises like `api`."""
    features = api().llama_print_system_info().decode("utf-8", "replace")
    parts = [part.split(":")[-1].partition("=") for part in features.split("|")]
    on = [name.strip() for name, _, value in parts if value.strip() == "1"]
    return f"llama-cpp-python {_SUPPORTED_VERSION}, {', '.join(on)}"
