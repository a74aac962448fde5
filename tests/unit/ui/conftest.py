"""Widgets that a test leaves in cycles are collected here, on the GUI thread, as in the program:
see `ui/shell/litter.py`. Another thread that happened to do it would kill the whole process."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _collect_here() -> Iterator[None]:
    gc.disable()
    yield
    gc.collect()
    gc.enable()
