"""What the library says when something fails becomes an error of ours."""

from pathlib import Path

import pytest

from engine.errors import EngineStopped, LoadFailed, OutOfMemory
from engine.runtimes.onnx.failures import answering, loading
from engine.runtimes.onnx.native import NativeError
from engine.types.models import LoadSpec
from engine.types.plans import Layout

SPEC = LoadSpec(path=Path("folder"), layout=Layout(context_length=512))
NO_MEMORY = (
    "Failed to allocate memory for requested buffer of size 137438953472",
    "std::bad_alloc",
    "bad allocation",
    "CUDA failure 2: out of memory ; GPU=0",
    "D3D12: E_OUTOFMEMORY",
)


@pytest.mark.parametrize("message", NO_MEMORY)
def test_memory_that_ran_out_is_told_apart(message: str) -> None:
    with pytest.raises(OutOfMemory) as caught, loading(SPEC):
        raise NativeError(message)
    assert caught.value.detail == message
    with pytest.raises(OutOfMemory), answering():
        raise NativeError(message)


def test_anything_else_is_a_failed_load_or_a_stopped_engine() -> None:
    with pytest.raises(LoadFailed) as caught, loading(SPEC):
        raise NativeError("Load model failed: invalid protobuf")
    assert "protobuf" in caught.value.detail
    with pytest.raises(EngineStopped, match="no kernel"), answering():
        raise NativeError("no kernel")


def test_pythons_own_memory_error_is_one_of_ours() -> None:
    with pytest.raises(OutOfMemory), loading(SPEC):
        raise MemoryError
    with pytest.raises(OutOfMemory), answering():
        raise MemoryError
