"""Reserves of engine.md §4.2, limits from outside, and the one ledger of shared memory."""

from dataclasses import replace

import pytest

from engine.planner.budgets import after_freeing, device_budget, device_room, ledger, ram_budget
from engine.types.hardware import System
from tests.machines import GIB, MIB, card, integrated, machine, with_available, with_free


@pytest.mark.parametrize(
    ("system", "total_gib", "reserve_mib"),
    [
        (System.LINUX, 8, 1536),
        (System.LINUX, 64, 0.12 * 64 * 1024),
        (System.WINDOWS, 8, 2048),
        (System.WINDOWS, 64, 0.12 * 64 * 1024),
        (System.MACOS, 8, 2048),  # a quarter at most: 2560 would be nearly a third
        (System.MACOS, 64, 0.20 * 64 * 1024),
    ],
)
def test_main_memory_keeps_a_reserve(system: System, total_gib: float, reserve_mib: float) -> None:
    report = machine(total_gib, total_gib * 0.7, system=system)
    left = report.memory.available_bytes - ram_budget(report)
    assert left == pytest.approx(reserve_mib * MIB, abs=MIB)


def test_without_swap_the_reserve_is_larger() -> None:
    report = machine(64, 40)
    none = replace(report, memory=replace(report.memory, swap_total_bytes=0))
    assert ram_budget(report) - ram_budget(none) == pytest.approx(0.03 * 64 * GIB, abs=MIB)


def test_a_cgroup_keeps_a_reserve_of_its_own_size() -> None:
    report = machine(64, 1.9)
    inside = replace(report, memory=replace(report.memory, limit_bytes=2 * GIB))
    assert ram_budget(report) == 0  # a desktop with so little left has nothing to give
    assert ram_budget(inside) == pytest.approx(1.4 * GIB, abs=MIB)
    assert ledger(inside).limited
    assert not ledger(report).limited


def test_windows_counts_what_may_still_be_promised() -> None:
    report = machine(16, 10, system=System.WINDOWS)
    short = replace(report, memory=replace(report.memory, commit_left_bytes=5 * GIB))
    assert ram_budget(short) == 3 * GIB
    assert ledger(short).anonymous_bytes == 4 * GIB
    assert ledger(report).anonymous_bytes is None


def test_under_ulimit_every_thread_takes_addresses() -> None:
    report = machine(16, 10)
    tight = replace(report, memory=replace(report.memory, address_space_left_bytes=2 * GIB))
    one, four = ledger(tight, threads=1), ledger(tight, threads=4)
    assert one.address_bytes is not None
    assert four.address_bytes is not None
    assert one.address_bytes - four.address_bytes == 3 * 72 * MIB
    assert one.limited
    none = replace(tight, memory=replace(tight.memory, address_space_left_bytes=0))
    assert ledger(none).address_bytes == 0


@pytest.mark.parametrize(
    ("system", "backend", "budget_mib"),
    [
        (System.LINUX, "cuda", 8192 - 512 - 512),
        (System.LINUX, "vulkan", 8192 - 512 - 640),
        (System.WINDOWS, "cuda", 8192 - 512 - 768),
        (System.WINDOWS, "vulkan", 8192 - 512 - 768),
    ],
)
def test_a_card_keeps_a_reserve(system: System, backend: str, budget_mib: int) -> None:
    device = card(8, 7.5, backend=backend)
    assert device_budget(machine(system=system), device, 0) == budget_mib * MIB


def test_an_empty_cuda_card_will_drive_a_screen() -> None:
    empty = device_budget(machine(), card(8, 8), 0)
    assert empty == (8192 - 300 - 512) * MIB


@pytest.mark.parametrize("free", [None, 17592186039468 * MIB, 9 * GIB])
def test_free_memory_that_can_not_be_true_is_taken_for_a_share(free: int | None) -> None:
    device = replace(card(8, backend="vulkan"), free_bytes=free)
    assert device_budget(machine(), device, 0) == int(8 * GIB * 0.85) - 640 * MIB


@pytest.mark.parametrize(
    ("total_gib", "bound_gib"), [(8, 4), (9, 4), (16, 11), (24, 20), (64, 60), (3, 0)]
)
def test_a_mac_leaves_memory_to_the_system(total_gib: float, bound_gib: float) -> None:
    report = machine(
        total_gib, total_gib, [integrated(total_gib, total_gib, backend="metal")],
        system=System.MACOS, architecture="arm64",
    )  # fmt: skip
    assert ledger(report, report.devices).ram_bytes == bound_gib * GIB


def test_a_carve_out_comes_on_top_of_shared_memory() -> None:
    plain = machine(32, 20, [integrated(20, 18)])
    carved = machine(32, 20, [integrated(24, 22, dedicated_bytes=4 * GIB)])
    apart = (4096 - 256) * MIB
    assert device_room(plain, plain.devices) == ram_budget(plain)
    assert device_room(carved, carved.devices) == ram_budget(carved) + apart
    used = machine(
        32, 20, [integrated(24, 18, dedicated_bytes=4 * GIB, dedicated_used_bytes=5 * GIB)]
    )
    assert ledger(used, used.devices).apart_bytes == 0


def test_an_integrated_device_is_bounded_by_itself_and_by_main_memory() -> None:
    report = machine(32, 20)
    assert device_budget(report, integrated(8, 5), 10 * GIB) == int(5 * GIB * 0.9)
    assert device_budget(report, integrated(30, 29), 10 * GIB) == 10 * GIB


def test_several_cards_have_budgets_of_their_own() -> None:
    devices = (card(8, 7), card(24, 20, number=1))
    report = machine(64, 40, devices)
    room = ledger(report, devices)
    assert room.device_bytes == tuple(device_budget(report, one, 0) for one in devices)
    assert device_room(report, devices) == sum(room.device_bytes)
    assert not room.shared


def test_what_will_be_freed_is_free_in_its_pool() -> None:
    report = machine(16, 8, [card(8, 4)])
    after = after_freeing(report, [("ram", GIB), ("CUDA0", 2 * GIB), ("gone", GIB)])
    assert after == with_free(with_available(report, 9 * GIB), 6 * GIB)
    assert after_freeing(report, [("ram", -5)]) is report


def test_a_shared_device_gives_back_main_memory_too() -> None:
    report = machine(32, 10, [integrated(20, 8)])
    after = after_freeing(report, [("VULKAN0", 3 * GIB)])
    assert after == with_free(with_available(report, 13 * GIB), 11 * GIB)


def test_a_carve_out_is_given_back_first() -> None:
    device = integrated(20, 8, dedicated_bytes=4 * GIB, dedicated_used_bytes=2 * GIB)
    after = after_freeing(machine(32, 10, [device]), [("VULKAN0", 3 * GIB)])
    assert after.devices[0].dedicated_used_bytes == 0
    assert after.memory.available_bytes == 11 * GIB
