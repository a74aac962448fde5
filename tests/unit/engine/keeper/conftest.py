"""A bench for each test, and its keepers closed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.engine.keeper.parts import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()
