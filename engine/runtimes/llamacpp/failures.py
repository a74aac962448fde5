"""What llama.cpp's refusals mean: from its log and its return codes to errors of our tree."""

from engine.errors import EngineError, EngineStopped, LoadFailed, OutOfMemory
from engine.types.models import LoadSpec

_MEMORY_RAN_OUT = (
    "failed to allocate",
    "unable to allocate",
    "insufficient memory",
    "cannot allocate memory",
    "out of memory",
    "bad_alloc",
    "erroroutof",
    "length_error",
)
"""What is in the log, in lower case, when memory could not be had: ggml's own words, those of
libc for a failed mmap, of C++, of CUDA (out of memory) and Vulkan (ErrorOutOfDeviceMemory)."""
_ALLOCATION_FAILED = -2
"""`llama_decode` for `GGML_STATUS_ALLOC_FAILED` (llama-context.cpp)."""


def memory_ran_out(log: str) -> bool:
    """Whether warnings and errors of llama.cpp speak of memory."""
    text = log.lower()
    return any(words in text for words in _MEMORY_RAN_OUT)


def load_error(spec: LoadSpec, log: str) -> EngineError:
    """For a model or a context that could not be made."""
    return OutOfMemory(log) if memory_ran_out(log) else LoadFailed(spec.path, log)


def decode_error(result: int, log: str) -> EngineError:
    """For an evaluation that returned `result`."""
    detail = f"llama_decode returned {result}: {log}"
    if result == _ALLOCATION_FAILED or memory_ran_out(log):
        return OutOfMemory(detail)
    return EngineStopped(detail)
