"""Several things at once that a person does with the library."""

from pathlib import Path
from threading import Thread

import pytest

from app.installed import Places
from engine.types.cancel import CancelToken
from engine.types.library import Way
from tests.unit.app.test_library import ONE, Desk, ignored


def test_two_folders_dropped_at_once_are_both_used(
    snug_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    desk, real = Desk(snug_home), Places.used_in_place
    mine = [tmp_path / name for name in ("one.gguf", "two.gguf")]
    for path in mine:
        path.write_bytes(ONE)
    others: list[Thread] = []

    def add(path: Path) -> None:
        brought = desk.library.look_at([path], CancelToken())
        desk.library.add(brought, Way.IN_PLACE, ignored, CancelToken())

    def slowly(places: Places) -> tuple[Path, ...]:
        """The second comes while the first has read what there is."""
        found = real(places)
        if not others:
            others.append(Thread(target=add, args=(mine[1],)))
            others[0].start()
            others[0].join(0.5)
        return found

    monkeypatch.setattr(Places, "used_in_place", slowly)
    add(mine[0])
    others[0].join(20)
    assert set(desk.own()) == set(mine)
