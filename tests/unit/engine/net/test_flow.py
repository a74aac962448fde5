"""What waits to be read is bounded, whoever is faster, and nobody waits for the other for ever."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.net.flow import Flow, StoppedError
from engine.net.pieces import End, Head

HEAD = Head(status=200, headers={})


class Filling:
    """Puts pieces on a thread of its own until it is stopped."""

    def __init__(self, flow: Flow, pieces: list[bytes]) -> None:
        self.stopped = False
        self._flow = flow
        self._pieces = pieces
        self.thread = threading.Thread(target=self._fill)
        self.thread.start()

    def _fill(self) -> None:
        try:
            for piece in self._pieces:
                self._flow.put(piece)
            self._flow.put(End())
        except StoppedError:
            self.stopped = True

    def wait_until_full(self, size_bytes: int) -> None:
        done = threading.Event()
        while self._flow.unread_bytes < size_bytes:
            done.wait(0.005)
        done.wait(0.05)


def test_the_order_stays_and_small_pieces_come_together() -> None:
    flow = Flow()
    for piece in (HEAD, b"a", b"b", b"c", End()):
        flow.put(piece)
    assert flow.take(0) is HEAD
    assert flow.take(0) == b"abc"
    assert flow.take(0) == End()
    assert flow.take(0) is None


def test_a_faster_server_waits() -> None:
    flow = Flow(most_bytes=100)
    filling = Filling(flow, [b"x" * 40] * 10)
    filling.wait_until_full(80)
    assert flow.unread_bytes == 80
    assert flow.received_bytes == 120
    found = b""
    while isinstance(piece := flow.take(5), bytes):
        assert flow.unread_bytes <= 100
        found += piece
    filling.thread.join(5)
    assert found == b"x" * 400
    assert not filling.stopped


def test_who_waits_for_room_is_woken_at_the_end() -> None:
    flow = Flow(most_bytes=100)
    filling = Filling(flow, [b"x" * 90] * 3)
    filling.wait_until_full(90)
    flow.close()
    filling.thread.join(5)
    assert filling.stopped
    assert flow.unread_bytes == 0
    assert flow.take(60) is None  # at once


def test_who_waits_for_a_piece_is_woken_at_the_end() -> None:
    flow = Flow()
    taken: list[object] = []
    thread = threading.Thread(target=lambda: taken.append(flow.take(60)))
    thread.start()
    flow.close()
    thread.join(5)
    assert taken == [None]
    with pytest.raises(StoppedError):
        flow.put(b"late")
    assert flow.received_bytes == 0


def test_a_piece_larger_than_the_room_passes_alone() -> None:
    flow = Flow(most_bytes=10)
    flow.put(b"x" * 50)
    assert flow.take(0) == b"x" * 50


@given(st.lists(st.binary(max_size=30), max_size=30), st.integers(1, 60))
def test_any_pieces_come_out_whole(pieces: list[bytes], most_bytes: int) -> None:
    flow = Flow(most_bytes=most_bytes)
    filling = Filling(flow, pieces)
    found = b""
    while isinstance(piece := flow.take(5), bytes):
        found += piece
    filling.thread.join(5)
    assert found == b"".join(pieces)
    assert flow.received_bytes == len(found)
    assert flow.unread_bytes == 0
