"""30 models with vocabularies of 262,144 tokens: found quickly, at once the second time, and a
cancel is heard between two of them."""

import threading
import time
from pathlib import Path

import pytest

from engine.errors import Cancelled
from engine.models.library.findings import Finding
from engine.models.library.scan import Place, ScanCache, scan
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel, Owner
from tests.large_library import MODELS, write_library

pytestmark = pytest.mark.serial

_COLD_S, _WARM_S, _CANCEL_S = 2.0, 0.050, 0.5
_TRIES = 5
"""A machine that does something else now and then says nothing of us: the best one counts."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "library"
    write_library(folder)
    return folder


def look(library: Path, file: Path, cancel: CancelToken) -> tuple[InstalledModel, ...]:
    """As after a start: with a memory that has to be read first."""
    cache = ScanCache(file)
    found = scan([Place(library, Owner.SNUG)], cache, cancel)
    cache.save()
    return found


def timed(library: Path, file: Path) -> float:
    start = time.perf_counter()
    found = look(library, file, CancelToken())
    took_s = time.perf_counter() - start
    assert len(found) == MODELS
    assert all(model.usable and model.facts is not None for model in found)
    return took_s


def test_cold_and_warm(library: Path, tmp_path: Path) -> None:
    cold_s = min(timed(library, tmp_path / f"{number}.json") for number in range(2))
    warm_s = min(timed(library, tmp_path / "0.json") for _ in range(_TRIES))
    assert cold_s < _COLD_S
    assert warm_s < _WARM_S


def test_cold_and_warm_find_the_same(library: Path, tmp_path: Path) -> None:
    file = tmp_path / "cache.json"
    assert look(library, file, CancelToken()) == look(library, file, CancelToken())


class Noticing(ScanCache):
    """Tells when the first header was read."""

    def __init__(self) -> None:
        super().__init__(None)
        self.begun, self.count = threading.Event(), 0

    def put(self, path: Path, stamp: tuple[int, ...], finding: Finding) -> None:
        super().put(path, stamp, finding)
        self.count += 1
        self.begun.set()


def test_a_cancel_is_heard(library: Path) -> None:
    cancel, ended = CancelToken(), threading.Event()
    cache, raised = Noticing(), []

    def work() -> None:
        try:
            scan([Place(library, Owner.SNUG)], cache, cancel)
        except Cancelled as error:
            raised.append(error)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert cache.begun.wait(_COLD_S)
    cancel.cancel()
    assert ended.wait(_CANCEL_S)
    thread.join()
    assert len(raised) == 1
    assert cache.count < MODELS
