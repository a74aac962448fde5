"""What llama.cpp would die of is tried out before; elsewhere it costs nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import OutOfMemory
from engine.runtimes.llamacpp.headroom import Ballast, decode_bytes, graph_bytes, require

MORE_THAN_ANY_MACHINE = 1 << 60


def test_what_can_not_be_had_is_refused() -> None:
    require(1 << 20, "a test")
    with pytest.raises(OutOfMemory, match="a test"):
        require(MORE_THAN_ANY_MACHINE, "a test")
    with pytest.raises(OutOfMemory):
        Ballast(MORE_THAN_ANY_MACHINE)


def test_ballast_goes_when_the_graph_is_next() -> None:
    ballast = Ballast(1 << 20)
    ballast.hear("llama_kv_cache:        CPU KV buffer size =    90.00 MiB")
    assert ballast.held
    ballast.hear("sched_reserve: max_nodes = 2176")
    assert not ballast.held
    ballast.close()


def test_the_graph_of_smollm2_fits_into_its_headroom() -> None:
    """272 tensors, 2,176 nodes; 41.96 MB were seen to be asked for."""
    assert 42 << 20 <= graph_bytes("llama", 272, 512) <= 64 << 20


@given(tensors=st.integers(0, 5000), ubatch=st.integers(1, 2048))
def test_architectures_with_more_nodes_get_more(tensors: int, ubatch: int) -> None:
    assert graph_bytes("qwen35", tensors, ubatch) >= 40 * ubatch * 20_160
    assert graph_bytes("llama", tensors, ubatch) >= 1024 * 20_160


def test_each_thread_has_a_stack() -> None:
    assert decode_bytes(8) - decode_bytes(2) == 6 * 8 << 20
