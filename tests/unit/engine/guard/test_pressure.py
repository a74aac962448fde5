"""When memory counts as low or full."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.guard.pressure import Level, level_of, reserve_bytes
from engine.types.hardware import Memory, Pressure

GIB = 1 << 30
MIB = 1 << 20


def memory(
    available_mib: int,
    total_gib: int = 16,
    limit_bytes: int | None = None,
    commit_left_bytes: int | None = None,
    pressure: Pressure = Pressure.NONE,
) -> Memory:
    return Memory(
        total_bytes=total_gib * GIB,
        available_bytes=available_mib * MIB,
        limit_bytes=limit_bytes,
        commit_left_bytes=commit_left_bytes,
        pressure=pressure,
    )


@pytest.mark.parametrize(
    ("seen", "level"),
    [
        (memory(8000), Level.ENOUGH),
        (memory(1000), Level.LOW),
        (memory(500), Level.FULL),
        (memory(1100, total_gib=256), Level.ENOUGH),
        (memory(400, total_gib=4), Level.ENOUGH),
        (memory(300, total_gib=4), Level.LOW),
        (memory(150, total_gib=4), Level.FULL),
        (memory(8000, pressure=Pressure.WARN), Level.ENOUGH),
        (memory(4100, pressure=Pressure.WARN), Level.ENOUGH),
        (memory(4000, pressure=Pressure.WARN), Level.LOW),
        (memory(8000, pressure=Pressure.CRITICAL), Level.LOW),
        (memory(2100, pressure=Pressure.CRITICAL), Level.LOW),
        (memory(2000, pressure=Pressure.CRITICAL), Level.FULL),
        (memory(1300, total_gib=4, pressure=Pressure.WARN), Level.LOW),
        (memory(660, total_gib=4, pressure=Pressure.CRITICAL), Level.LOW),
        (memory(650, total_gib=4, pressure=Pressure.CRITICAL), Level.FULL),
        (memory(8000, commit_left_bytes=1000 * MIB), Level.LOW),
        (memory(8000, commit_left_bytes=600 * MIB), Level.FULL),
        (memory(100, limit_bytes=1 * GIB), Level.ENOUGH),
        (memory(30, limit_bytes=1 * GIB), Level.FULL),
    ],
)
def test_levels(seen: Memory, level: Level) -> None:
    assert level_of(seen) is level


@given(
    st.integers(0, 1 << 40),
    st.integers(0, 1 << 40),
    st.integers(1, 1 << 40),
    st.sampled_from(Pressure),
)
def test_less_memory_is_never_better(one: int, other: int, total: int, pressure: Pressure) -> None:
    less, more = sorted((one, other))
    level = [
        level_of(Memory(total_bytes=total, available_bytes=n, pressure=pressure))
        for n in (less, more)
    ]
    assert level[0] >= level[1]
    assert reserve_bytes(Memory(total_bytes=total, available_bytes=less)) >= 0
