"""What ONNX Runtime's refusals mean: from its words to errors of our tree."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import EngineError, EngineStopped, LoadFailed, OutOfMemory
from engine.runtimes.onnx.native import NativeError
from engine.types.models import LoadSpec

_MEMORY_RAN_OUT = (
    "failed to allocate",
    "bad_alloc",
    "bad allocation",
    "out of memory",
    "outofmemory",
    "not enough memory",
    "cannot allocate memory",
)
"""In lower case: ONNX Runtime's arena, C++ on Linux and Windows, CUDA, DirectX, and libc."""


def memory_ran_out(message: str) -> bool:
    text = message.lower()
    return any(words in text for words in _MEMORY_RAN_OUT)


@contextmanager
def loading(spec: LoadSpec) -> Iterator[None]:
    """Foreign failures of a load as `LoadFailed` or `OutOfMemory`."""
    try:
        yield
    except NativeError as error:
        raise _mapped(error, LoadFailed(spec.path, str(error))) from error
    except MemoryError as error:
        raise OutOfMemory(f"Python: {error}") from error


@contextmanager
def answering() -> Iterator[None]:
    """Foreign failures of a reply as `EngineStopped` or `OutOfMemory`."""
    try:
        yield
    except NativeError as error:
        raise _mapped(error, EngineStopped(str(error))) from error
    except MemoryError as error:
        raise OutOfMemory(f"Python: {error}") from error


def _mapped(error: NativeError, otherwise: EngineError) -> EngineError:
    message = str(error)
    return OutOfMemory(message) if memory_ran_out(message) else otherwise
