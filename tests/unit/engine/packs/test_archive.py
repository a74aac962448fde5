"""The ZIP reader on any bytes: an archive as it should be, or a reason, never more than said."""

import io
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import PackRefused
from engine.packs.archive import Archive
from engine.types.packs import PackProblem
from tests.forged_packs import Entry, Zip

GOOD = Zip(
    entries=[
        Entry(name=b"manifest.json", data=b"{}" * 300),
        Entry(name=b"stored", data=b"stored " * 40, method=0),
        Entry(name=b"empty", data=b""),
    ]
).written()

SIZES = [600, 280, 0]


def read(content: bytes) -> dict[str, bytes]:
    archive = Archive(io.BytesIO(content), Path("any.pack"))
    return {member.name: b"".join(archive.content(member)) for member in archive.members}


def sizes(content: bytes) -> list[int]:
    return [len(data) for data in read(content).values()]


def test_it_reads_what_python_reads():
    with zipfile.ZipFile(io.BytesIO(GOOD)) as archive:
        expected = {name: archive.read(name) for name in archive.namelist()}
    assert read(GOOD) == expected


@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
@settings(max_examples=200, deadline=None)
def test_a_changed_byte_is_a_reason_or_changes_no_more_than_the_content(at, by):
    content = bytearray(GOOD)
    content[at] ^= by
    with suppress(PackRefused):
        assert sizes(bytes(content)) == SIZES


@given(st.binary(max_size=300), st.integers(0, len(GOOD)), st.integers(0, len(GOOD)))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_bytes_put_in_or_taken_out_are_a_reason(put, start, end):
    content = GOOD[: min(start, end)] + put + GOOD[max(start, end) :]
    with suppress(PackRefused):
        assert sizes(content) == SIZES


def test_content_with_pieces_after_its_end_is_a_reason():
    content = Zip(entries=[Entry(name=b"a", data=b"x", raw=b"K\4\0" + b"more")]).written()
    with pytest.raises(PackRefused) as caught:
        read(content)
    assert caught.value.problem == PackProblem.DATA_DAMAGED
