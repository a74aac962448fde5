"""The library over real files in a folder of the test: list, choose, bring, keep, give back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.events import Event, LibraryChanged, ModelChosen
from app.installed import Installed, Places, installed_in
from app.library import LibraryParts, LibraryService
from app.models import ModelService, stock_of
from app.paths import Paths
from app.settings import CHOSEN_MODEL, LIBRARY_FOLDER, OTHER_PROGRAMS, USED_IN_PLACE, Settings
from app.usage import Usage
from engine.errors import (
    Cancelled,
    ModelCutOff,
    ModelDamaged,
    ModelMissing,
    NotAChatModel,
    NotOurs,
    PartsMissing,
)
from engine.types.cancel import CancelToken
from engine.types.library import Manifest, Owner, Soundness, Trouble, Way
from engine.types.plans import Plan
from tests.ggufs import chat
from tests.unit.app.plans import plan

ONE, TWO = chat({"general.name": "One"}), chat({"general.name": "Two"})


class Judging:
    def __init__(self) -> None:
        self.asked: list[Path] = []

    def of_file(self, path: Path, cancel: CancelToken) -> Plan:
        self.asked.append(path)
        return plan()


class Desk:
    """A library in `home`, and what it told."""

    def __init__(self, home: Path) -> None:
        self.paths = Paths(data=home, log=home)
        self.folder = self.paths.models
        self.settings = Settings(self.paths.settings)
        self.events: list[Event] = []
        self.let_go: list[Path] = []
        self.remote_stopped = 0
        self.moves: list[tuple[Path, Path]] = []
        self.updated: bool | None = None
        self.judge = Judging()
        places = Places(self.paths, self.settings)
        self.installed = installed_in(self.paths, places, self.events.append)
        self.models = ModelService(
            self.paths, stock=stock_of(self.paths, self.settings, self.installed)
        )
        self.usage = Usage(self.paths.usage)
        self.library = LibraryService(
            LibraryParts(
                installed=self.installed,
                places=places,
                settings=self.settings,
                models=self.models,
                usage=self.usage,
                judge=self.judge,
                publish=self.events.append,
                let_go=self._let_go,
                stop_remote=self._stop_remote,
                holding=self._hold,
                is_updated=self._is_updated,
            )
        )

    def _let_go(self, path: Path) -> None:
        if path == self.models.file:  # as the container asks
            self.let_go.append(path)

    def _stop_remote(self) -> None:
        self.remote_stopped += 1

    @contextmanager
    def _hold(self, old: Path, new: Path) -> Iterator[None]:
        yield
        self.moves.append((old, new))

    def _is_updated(self, _: Manifest, cancel: CancelToken) -> bool | None:
        return self.updated

    def put(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def id_of(self, path: Path) -> str:
        return next(m.id for m in self.library.models() if m.path == path)

    def own(self) -> dict[Path, Owner]:
        return {m.path: m.owner for m in self.library.models() if m.owner is not Owner.PROGRAM}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where other programs keep their models: a person's own must not matter here."""
    folder = tmp_path / "home"
    monkeypatch.setattr(Path, "home", lambda: folder)
    return folder


@pytest.fixture
def desk(snug_home: Path) -> Desk:
    return Desk(snug_home)


def ignored(_: float) -> None:
    """Progress."""


def test_what_is_there_is_looked_up_once_and_again_when_asked(desk: Desk) -> None:
    one = desk.put("one.gguf", ONE)
    assert desk.library.known == ()
    assert desk.own() == {one: Owner.SNUG}
    two = desk.put("two/two.gguf", TWO)
    assert desk.own() == {one: Owner.SNUG}
    assert desk.events == []
    desk.library.models(refresh=True)
    assert set(desk.own()) == {one, two}
    assert desk.events == [LibraryChanged()]
    desk.library.models(refresh=True)
    assert desk.events == [LibraryChanged()]


def test_the_starter_came_with_snug_wherever_it_lies(
    desk: Desk, starter_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [starter] = desk.library.models()
    assert (starter.name, starter.owner, starter.path) == (
        "SmolLM2 135M",
        Owner.PROGRAM,
        starter_model,
    )
    assert starter.manifest is not None
    assert starter.manifest.files[0].sha256
    assert desk.library.chosen_id == starter.id
    with pytest.raises(NotOurs):
        desk.library.remove(starter.id)
    assert starter_model.exists()
    mine = desk.folder / starter_model.name
    mine.parent.mkdir(parents=True)
    mine.symlink_to(starter_model)
    again = Desk(desk.paths.data).library.models()
    assert [model.owner for model in again] == [Owner.PROGRAM]


def test_a_choice_is_kept_and_told_and_ends_answers_from_elsewhere(desk: Desk) -> None:
    one = desk.put("one.gguf", ONE)
    desk.library.use(desk.id_of(one))
    assert desk.settings.get(CHOSEN_MODEL) == str(one)
    assert desk.models.choose().request.path == one
    assert desk.library.chosen_id == desk.id_of(one)
    assert (desk.remote_stopped, desk.events) == (1, [ModelChosen()])
    assert Desk(desk.paths.data).models.choose().request.path == one
    desk.library.use_starter()
    assert desk.settings.get(CHOSEN_MODEL) == ""
    assert Desk(desk.paths.data).models.choose().name == "SmolLM2 135M"


def test_what_can_not_be_used_is_not_chosen(desk: Desk) -> None:
    whole = chat({"general.name": "Whole"})
    part = desk.put("part-00001-of-00002.gguf", chat({"split.no": 0, "split.count": 2}))
    desk.put("cut.gguf", whole[:-40])
    desk.put("eyes.gguf", chat({"general.architecture": "bert"}))
    found = {model.path.name: model for model in desk.library.models()}
    with pytest.raises(PartsMissing) as caught:
        desk.library.use(found[part.name].id)
    assert caught.value.names == ("part-00002-of-00002.gguf",)
    with pytest.raises(ModelCutOff):
        desk.library.use(found["cut.gguf"].id)
    with pytest.raises(NotAChatModel):
        desk.library.use(found["eyes.gguf"].id)
    with pytest.raises(ModelMissing):
        desk.library.use("unknown")
    assert desk.settings.get(CHOSEN_MODEL) == ""


def test_plans_are_made_for_what_can_be_used(desk: Desk) -> None:
    one = desk.put("one.gguf", ONE)
    desk.put("cut.gguf", TWO[:-40])
    models = [m for m in desk.library.models() if m.owner is Owner.SNUG]
    assert desk.library.verdicts(models, CancelToken()) == {desk.id_of(one): plan()}
    assert desk.judge.asked == [one]


def test_last_used_is_that_of_the_path(desk: Desk) -> None:
    one = desk.put("one.gguf", ONE)
    assert desk.library.last_used(desk.id_of(one)) is None
    desk.usage.answered(one)
    assert desk.library.last_used(desk.id_of(one)) is not None
    assert desk.library.last_used("unknown") is None


def test_brought_and_copied(desk: Desk, tmp_path: Path) -> None:
    for name, data in (("a.gguf", ONE), ("b.gguf", TWO)):
        (tmp_path / name).write_bytes(data)
    told: list[float] = []
    brought = desk.library.look_at([tmp_path / "a.gguf", tmp_path / "b.gguf"], CancelToken())
    added = desk.library.add(brought, Way.COPY, told.append, CancelToken())
    assert sorted(model.path.read_bytes() for model in added) == sorted([ONE, TWO])
    assert all(model.path.is_relative_to(desk.folder) for model in added)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert LibraryChanged() in desk.events or len(desk.own()) == 2


def test_used_in_place_is_listed_given_back_and_missed(desk: Desk, tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(ONE)
    brought = desk.library.look_at([mine], CancelToken())
    desk.library.add(brought, Way.IN_PLACE, ignored, CancelToken())
    desk.library.add(brought, Way.IN_PLACE, ignored, CancelToken())
    assert desk.settings.get(USED_IN_PLACE) == str(mine)
    assert desk.own() == {mine: Owner.PERSON}
    model_id = desk.id_of(mine)
    assert desk.library.space_of_removal(model_id) == 0
    kept = mine.rename(tmp_path / "elsewhere.gguf")
    [gone] = [m for m in desk.library.models(refresh=True) if m.path == mine]
    assert gone.trouble is Trouble.GONE
    kept.rename(mine)
    desk.library.models(refresh=True)
    assert desk.library.remove(model_id) == 0
    assert desk.settings.get(USED_IN_PLACE) == ""
    assert mine.read_bytes() == ONE
    assert desk.own() == {}


def test_many_models_are_used_where_they_are(desk: Desk, tmp_path: Path) -> None:
    stick = tmp_path / ("a long name " * 12)
    stick.mkdir()
    for number in range(60):
        (stick / f"{number:03}-{'x' * 100}.gguf").write_bytes(ONE)
    brought = desk.library.look_at([stick], CancelToken())
    added = desk.library.add(brought, Way.IN_PLACE, ignored, CancelToken())
    assert len(added) == 60
    assert len(desk.own()) == 60


def test_removed_for_good_and_the_starter_answers(desk: Desk) -> None:
    one = desk.put("one/one.gguf", ONE)
    desk.library.use(desk.id_of(one))
    assert desk.library.space_of_removal(desk.id_of(one)) >= len(ONE)
    assert desk.library.remove(desk.id_of(one), to_bin=False) >= len(ONE)
    assert not one.exists()
    assert desk.let_go == [one]
    assert desk.settings.get(CHOSEN_MODEL) == ""
    assert desk.models.choose().name == "SmolLM2 135M"
    assert desk.own() == {}


def test_models_of_other_programs_are_used_and_never_changed(desk: Desk, home: Path) -> None:
    path = home / ".lmstudio" / "models" / "maker" / "repo" / "one.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(ONE)
    assert desk.own() == {path: Owner.LM_STUDIO}
    with pytest.raises(NotOurs):
        desk.library.remove(desk.id_of(path))
    assert desk.library.space_of_removal(desk.id_of(path)) == 0
    desk.library.use(desk.id_of(path))
    assert desk.models.choose().request.path == path
    desk.library.use_starter()
    desk.settings.set(OTHER_PROGRAMS, False)
    desk.library.models(refresh=True)
    assert desk.own() == {}


def test_what_a_check_found_damaged_is_shown_so_until_it_changes(desk: Desk) -> None:
    one = desk.put("one.gguf", ONE)
    brought = desk.library.look_at([one], CancelToken())
    other = Desk(desk.paths.data / "other")
    [copied] = other.library.add(brought, Way.COPY, ignored, CancelToken())
    damaged = bytearray(ONE)
    damaged[-1] ^= 1
    copied.path.write_bytes(damaged)
    found = other.library.verify(copied.id, ignored, CancelToken())
    assert (found.soundness, found.bad) == (Soundness.DAMAGED, (copied.path.name,))
    assert other.library.get(copied.id).trouble is Trouble.DAMAGED
    assert other.events[-1] == LibraryChanged()
    with pytest.raises(ModelDamaged):
        other.library.use(copied.id)
    copied.path.write_bytes(ONE)
    assert other.library.verify(copied.id, ignored, CancelToken()).soundness is Soundness.SOUND
    assert other.library.get(copied.id).usable


def test_the_library_moves_with_the_choice(desk: Desk, tmp_path: Path) -> None:
    one = desk.put("one/one.gguf", ONE)
    starter = desk.put("SmolLM2-135M-Instruct.Q4_1.gguf", b"not it")
    desk.library.use(desk.id_of(one))
    new = tmp_path / "new"
    desk.library.move(new, ignored, CancelToken())
    assert desk.library.folder == new
    assert desk.own()[new / "one" / "one.gguf"] is Owner.SNUG
    assert not one.exists()
    assert starter.exists()
    assert desk.settings.get(CHOSEN_MODEL) == str(new / "one" / "one.gguf")
    assert desk.models.choose().request.path == new / "one" / "one.gguf"
    assert desk.let_go == [one]
    assert desk.moves == [(desk.folder, new)]


def test_a_move_that_is_cancelled_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    one = desk.put("one/one.gguf", ONE)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        desk.library.move(tmp_path / "new", ignored, cancel)
    assert desk.settings.get(LIBRARY_FOLDER) == ""
    assert one.read_bytes() == ONE
    assert desk.moves == []


def test_updates_are_asked_for_where_the_model_came_from(desk: Desk) -> None:
    one = desk.put("one.gguf", ONE)
    desk.updated = True
    assert desk.library.check_update(desk.id_of(one), CancelToken()) is None


def test_a_look_that_fails_leaves_what_was_known() -> None:
    answers: list[Exception | None] = [None, Cancelled()]

    def look(_: CancelToken) -> tuple[()]:
        if (error := answers.pop(0)) is not None:
            raise error
        return ()

    installed = Installed(look)
    assert installed.models() == ()
    with pytest.raises(Cancelled):
        installed.models(refresh=True)
    assert installed.models() == ()


def test_another_model_answers_only_in_this_session_where_it_was_named(desk: Desk) -> None:
    one, two = desk.put("one.gguf", ONE), desk.put("two.gguf", TWO)
    desk.library.use(desk.id_of(one))
    named = ModelService(desk.paths, two)
    assert named.choose().request.path == two
    assert named.file == two
    assert Desk(desk.paths.data).models.choose().request.path == one


def test_a_chosen_model_that_is_gone_falls_back_to_the_starter(desk: Desk) -> None:
    one = desk.put("one.gguf", ONE)
    desk.library.use(desk.id_of(one))
    one.unlink()
    later = Desk(desk.paths.data)
    assert later.models.fell_back is None
    assert later.models.choose().name == "SmolLM2 135M"
    assert later.models.fell_back == one
    later.models.use(None)
    assert later.models.fell_back is None
    named = ModelService(desk.paths, one)
    with pytest.raises(ModelMissing):
        named.choose()


def test_other_models_are_offered_by_their_names(desk: Desk, starter_model: Path) -> None:
    one = desk.put("one.gguf", ONE)
    desk.put("cut.gguf", TWO[:-40])
    assert [(it.name, it.path) for it in desk.models.alternatives()] == [("One", one)]
    desk.library.use(desk.id_of(one))
    offered = [(it.name, it.path) for it in desk.models.alternatives()]
    assert offered == [("SmolLM2 135M", starter_model)]
