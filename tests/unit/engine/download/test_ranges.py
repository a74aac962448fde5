"""What is there, and who fetches the rest: checked against sets of positions."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.models.download.plan import ENDLESS, SHARED_BYTES, Plan
from engine.models.download.ranges import Ranges

SIZE = 60
SPAN = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE))


@given(st.lists(st.tuples(st.booleans(), SPAN), max_size=20))
def test_ranges_are_sets_of_positions(steps: list[tuple[bool, tuple[int, int]]]) -> None:
    ranges, model = Ranges(), set[int]()
    for adds, (start, end) in steps:
        if adds:
            ranges.add(start, end)
            model |= set(range(start, end))
        else:
            ranges.remove(start, end)
            model -= set(range(start, end))
    spans = ranges.spans
    assert {at for start, end in spans for at in range(start, end)} == model
    assert all(before[1] < after[0] for before, after in pairwise(spans))
    assert all(start < end for start, end in spans)
    assert ranges.count_bytes == len(model)
    holes = {at for start, end in ranges.holes(SIZE) for at in range(start, end)}
    assert holes == set(range(SIZE)) - model
    for start in range(SIZE):
        until = ranges.until(start)
        assert set(range(start, until)) <= model
        assert until not in model
        assert ranges.covers(start, until)
        assert not ranges.covers(start, until + 1)


MIB = 1 << 20


def test_one_connection_gets_all_of_it() -> None:
    plan = Plan(100 * MIB)
    segment = plan.take()
    assert segment
    assert (segment.start, segment.end) == (0, 100 * MIB)
    plan.advance(segment, 10 * MIB)
    assert plan.prefix_bytes == plan.done_bytes == 10 * MIB
    assert plan.left_bytes == 90 * MIB
    plan.give_back(segment)
    assert plan.written == ((0, 10 * MIB),)
    again = plan.take()
    assert again
    assert (again.start, again.end) == (10 * MIB, 100 * MIB)


def test_more_connections_share_the_rest() -> None:
    plan = Plan(1000 * MIB)
    first = plan.take()
    assert first
    plan.advance(first, 100 * MIB)
    second = plan.take(most_bytes=200 * MIB)
    assert second
    assert (first.end, second.start, second.end) == (300 * MIB, 300 * MIB, 500 * MIB)
    third = plan.take(most_bytes=200 * MIB)
    assert third
    assert (third.start, third.end) == (500 * MIB, 700 * MIB)
    assert len({first.slot, second.slot, third.slot}) == 3
    plan.advance(second, 200 * MIB)
    plan.give_back(second)
    assert plan.prefix_bytes == 100 * MIB
    plan.advance(first, 200 * MIB)
    assert plan.prefix_bytes == 500 * MIB
    plan.give_back(first)
    reused = plan.take(most_bytes=MIB)
    assert reused
    assert reused.slot in (first.slot, second.slot)


def test_little_is_not_shared() -> None:
    plan = Plan(2 * SHARED_BYTES - 1)
    assert plan.take()
    assert plan.take() is None


def test_a_size_that_comes_later() -> None:
    plan = Plan(None)
    segment = plan.take()
    assert segment
    assert segment.end == ENDLESS
    assert not plan.complete
    plan.advance(segment, 7)
    plan.settle(7)
    assert segment.left_bytes == 0
    assert plan.complete
    assert Plan(0).complete


def test_what_is_wrong_is_a_hole_again() -> None:
    plan = Plan(50, [(0, 50)])
    assert plan.complete
    plan.forget([(10, 20), (30, 31)])
    assert plan.written == ((0, 10), (20, 30), (31, 50))
    assert not plan.complete


@settings(deadline=None)
@given(st.data())
def test_connections_never_fetch_the_same_and_fetch_all(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 200)) * MIB
    plan, model = Plan(size), bytearray(size // MIB)
    open_ = []
    for _ in range(400):
        if plan.complete:
            break
        if open_ and data.draw(st.booleans()):
            segment = data.draw(st.sampled_from(open_))
            count = min(data.draw(st.integers(1, 3)) * MIB, segment.left_bytes)
            for at in range(segment.at // MIB, (segment.at + count) // MIB):
                model[at] += 1
            plan.advance(segment, count)
            if not segment.left_bytes or data.draw(st.integers(0, 9)) == 0:
                plan.give_back(segment)
                open_.remove(segment)
        elif len(open_) < 4 and (segment := plan.take(data.draw(st.integers(1, 64)) * MIB)):
            open_.append(segment)
    assert max(model) <= 1
    assert plan.done_bytes == sum(model) * MIB
    assert plan.complete == all(model)
