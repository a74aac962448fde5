"""llama.cpp's refusals: those for want of memory are told from all others."""

from pathlib import Path

import pytest

from engine.errors import EngineStopped, LoadFailed, OutOfMemory
from engine.runtimes.llamacpp.failures import decode_error, load_error
from engine.types.models import LoadSpec
from engine.types.plans import Layout

SPEC = LoadSpec(path=Path("x.gguf"), layout=Layout(context_length=512))


@pytest.mark.parametrize(
    "log",
    [
        "llama_model_load: error loading model: mmap failed: Cannot allocate memory",
        "llama_model_load: error loading model: unable to allocate CPU buffer",
        "failed to initialize the context: failed to allocate buffer for kv cache",
        "failed to initialize the context: failed to allocate compute pp buffers",
        "llama_model_load: error loading model: error loading model vocabulary: std::bad_alloc",
        "allocating 8900.01 MiB on device 0: cudaMalloc failed: out of memory",
        "Requested buffer size exceeds device memory allocation limit: ErrorOutOfDeviceMemory",
    ],
)
def test_memory(log: str) -> None:
    error = load_error(SPEC, log)
    assert isinstance(error, OutOfMemory)
    assert error.detail == log
    assert isinstance(decode_error(-3, log), OutOfMemory)


@pytest.mark.parametrize(
    "log",
    [
        "llama_model_load: error loading model: missing tensor 'blk.0.attn_norm.weight'",
        "llama_init_from_model: quantized V cache requires flash_attn to be enabled",
        "",
    ],
)
def test_anything_else(log: str) -> None:
    error = load_error(SPEC, log)
    assert isinstance(error, LoadFailed)
    assert error.detail == log
    assert type(decode_error(-3, log)) is EngineStopped


def test_a_graph_that_could_not_be_allocated() -> None:
    assert isinstance(decode_error(-2, ""), OutOfMemory)
