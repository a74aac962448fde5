"""The one door to ONNX Runtime GenAI: finds its libraries, silences its telemetry, loads them.

Its C functions are called through ctypes and its Python module is never imported: that holds the
interpreter's lock while it computes, which would stop the window and the stop button with it.
Nothing is loaded before a model in this format is used; then it stays. On the inference thread.
Declarations: src/ort_genai_c.h of microsoft/onnxruntime-genai.
"""

import atexit
import ctypes
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path

from engine.errors import RuntimeMissing

RUNTIME = "onnx"
MODULE, ENGINE_MODULE = "onnxruntime_genai", "onnxruntime"
"""Packages that hold the libraries. Some variants bring the engine's in the first one."""
NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
_ENGINE_PATH = "ORT_LIB_PATH"
"""Where the library looks for the engine, on systems that do not take the one in memory."""

_NAMES = {
    "linux": ("libonnxruntime-genai.so", "libonnxruntime.so*"),
    "darwin": ("libonnxruntime-genai.dylib", "libonnxruntime*.dylib"),
    "win32": ("onnxruntime-genai.dll", "onnxruntime.dll"),
}
_DIRECTML = "DirectML.dll"
_BACKEND_FILES = {"directml": _DIRECTML, "cuda": "*onnxruntime_providers_cuda*"}
"""What a variant brings along for each backend."""
_NOTHING_RETURNED = ("OgaShutdown", "OgaSetTelemetryEnabled")


class NativeError(Exception):
    """What the library said when a call failed. Mapped to our tree by `failures`."""


class Library:
    """The C functions. Those that fail raise `NativeError`."""

    def __init__(self, loaded: ctypes.CDLL) -> None:
        self._loaded = loaded
        loaded.OgaResultGetError.restype = ctypes.c_char_p

    def has(self, name: str) -> bool:
        """Older versions lack some functions."""
        return hasattr(self._loaded, name)

    def call(self, name: str, *arguments: object) -> None:
        """`arguments` are ctypes values, bytes for text and None for nothing."""
        function = self._loaded[name]
        function.restype = None if name in _NOTHING_RETURNED else ctypes.c_void_p
        result = function(*arguments)
        if result:
            raise NativeError(self._error(ctypes.c_void_p(result)))

    def make(self, name: str, *arguments: object) -> ctypes.c_void_p:
        """For functions whose last parameter receives a new object."""
        made = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(made))
        return made

    def size(self, name: str, *arguments: object) -> int:
        """For functions that return a count."""
        function = self._loaded[name]
        function.restype = ctypes.c_size_t
        return int(function(*arguments))

    def address(self, name: str, *arguments: object) -> int:
        """For functions that return a pointer to data; 0 for none."""
        function = self._loaded[name]
        function.restype = ctypes.c_void_p
        return function(*arguments) or 0

    def drop(self, name: str, pointer: ctypes.c_void_p) -> None:
        """For functions that free an object."""
        function = self._loaded[name]
        function.restype = None
        function(pointer)

    def _error(self, result: ctypes.c_void_p) -> str:
        text: bytes = self._loaded.OgaResultGetError(result) or b""
        message = text.decode("utf-8", "replace")
        self.drop("OgaDestroyResult", result)
        return message


@cache
def library() -> Library:
    """Loaded once a process. Raises `RuntimeMissing` where it is not installed or not loadable."""
    genai, engine = find_libraries()
    os.environ[NO_TELEMETRY] = "1"
    os.environ[_ENGINE_PATH] = str(engine)
    try:
        preload(engine)
        loaded = Library(ctypes.CDLL(str(genai)))
    except OSError as error:
        raise RuntimeMissing(RUNTIME) from error
    if loaded.has("OgaSetTelemetryEnabled"):
        loaded.call("OgaSetTelemetryEnabled", ctypes.c_bool(False))
    atexit.register(loaded.call, "OgaShutdown")
    return loaded


def is_installed() -> bool:
    """Whether there is something to load; loads nothing."""
    try:
        find_libraries()
    except RuntimeMissing:
        return False
    return True


def find_libraries() -> tuple[Path, Path]:
    """The library and the engine that it calls. Raises `RuntimeMissing`."""
    name, engine_pattern = _NAMES.get(sys.platform, _NAMES["linux"])
    folder = _package_folder(MODULE)
    genai = folder / name
    engines = [*folder.glob(engine_pattern)]
    if not engines and genai.is_file():
        engines = [*(_package_folder(ENGINE_MODULE) / "capi").glob(engine_pattern)]
    if not engines or not genai.is_file():
        raise RuntimeMissing(RUNTIME)
    return genai, min(engines)


def has_backend(backend: str) -> bool:
    """Whether the installed variant brings it: directml or cuda. Loads nothing."""
    try:
        genai, engine = find_libraries()
    except RuntimeMissing:
        return False
    pattern = _BACKEND_FILES.get(backend, "")
    return bool(pattern) and any(
        [*folder.glob(pattern)] for folder in (genai.parent, engine.parent)
    )


def preload(engine: Path) -> None:
    """Load the engine by its full path first. On Windows the library then takes it, and not
    another `onnxruntime.dll`, one of the system's for example; DirectML the same."""
    directml = engine.parent / _DIRECTML
    if directml.is_file():
        ctypes.CDLL(str(directml))
    ctypes.CDLL(str(engine))


def _package_folder(module: str) -> Path:
    """Found without importing it. Raises `RuntimeMissing`."""
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        found = None
    for folder in (found and found.submodule_search_locations) or ():
        return Path(folder)
    raise RuntimeMissing(RUNTIME)
