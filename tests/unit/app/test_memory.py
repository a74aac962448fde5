"""What the page of models says about this computer's memory."""

from app.memory import MemoryNow, memory_now
from engine.types.hardware import Memory
from engine.types.plans import Layout, LoadMode, Plan, PoolUse, Use, Verdict

GIB = 1 << 30


def loaded(mode: LoadMode) -> Plan:
    use = Use(weights_bytes=3 * GIB, kv_bytes=GIB)
    return Plan(
        verdict=Verdict.FITS,
        backend="cpu",
        devices=(),
        layout=Layout(context_length=4096, load_mode=mode),
        gpu_layers=0,
        layers=1,
        memory=(PoolUse(pool="ram", use=use, budget_bytes=9 * GIB),),
        predicted_tokens_per_s=None,
        reasons=(),
    )


def now(plan: Plan | None = None, **memory: int) -> MemoryNow:
    read = Memory(**{"total_bytes": 16 * GIB, "available_bytes": 8 * GIB, **memory})
    return memory_now(plan, lambda: read)


def test_without_a_model_all_that_may_be_used_is_left() -> None:
    found = now()
    assert found.total_bytes == 16 * GIB
    assert 0 < found.usable_bytes < 8 * GIB
    assert (found.used_bytes, found.left_bytes) == (0, found.usable_bytes)


def test_what_the_loaded_model_takes_counts_as_usable() -> None:
    free = now().usable_bytes
    mapped, read = now(loaded(LoadMode.MMAP)), now(loaded(LoadMode.NONE))
    assert mapped.used_bytes == read.used_bytes == 4 * GIB
    assert mapped.usable_bytes == free + GIB  # mapped weights count as available already
    assert read.usable_bytes == free + 4 * GIB
    assert read.left_bytes == free


def test_a_limit_from_outside_is_the_size_of_the_computer() -> None:
    assert now(limit_bytes=4 * GIB, available_bytes=3 * GIB).total_bytes == 4 * GIB


def test_never_less_may_be_used_than_is_used() -> None:
    found = now(loaded(LoadMode.MMAP), available_bytes=0)
    assert found.usable_bytes >= found.used_bytes
    assert found.left_bytes == 0
