"""What the Models page shows and does, without a widget."""

from pathlib import Path

import pytest

from app.events import DownloadChanged, DownloadRemoved, LibraryChanged, ModelChosen, ModelFailed
from engine.errors import (
    Cancelled,
    LicenceNotAccepted,
    NoBin,
    NoSpace,
    ServerSilent,
    ServerUnreachable,
    TokenMissing,
    TokenRefused,
)
from engine.types.downloads import DownloadState as S
from engine.types.hub import HubHit
from engine.types.library import Brought, Owner, Way
from engine.types.plans import Verdict
from tests.unit.ui import plans
from tests.unit.ui.models import stock
from tests.unit.ui.models.page_world import PageWorld
from ui.models.page_shop import shown
from ui.models.page_values import Chip, Phase, Task

OFFERED = [
    stock.judged("phi-4-mini", Verdict.FITS, 3.4, size_gb=2.5),
    stock.judged("smollm3-3b", Verdict.FITS, 3, size_gb=2.0, best=True),
    stock.judged("qwen3.5-9b", Verdict.FITS_SLOWLY, 8.8, size_gb=5.9),
    stock.judged("gpt-oss-20b", Verdict.TOO_BIG, 13, size_gb=12.1),
]


@pytest.fixture
def world() -> PageWorld:
    made = PageWorld()
    made.library.models_there = [
        stock.model("Gemma 3 4B"),
        stock.model("Llama 8B", Owner.OLLAMA),
        stock.model("Mine", repo=stock.ENTRIES["phi-4-mini"].repo),
    ]
    made.library.chosen = "gemma-3-4b"
    made.library.plans = {"gemma-3-4b": stock.plan(Verdict.FITS, 4)}
    made.shop.judgements = list(OFFERED)
    return made


# --- what is here ---


def test_models_are_listed_with_their_verdicts_and_those_of_others_apart(world):
    world.start()
    assert [one.model.name for one in world.seen.own] == ["Gemma 3 4B", "Mine"]
    assert [one.model.name for one in world.seen.others] == ["Llama 8B"]
    first = world.seen.own[0]
    assert first.chosen
    assert first.plan.verdict is Verdict.FITS
    assert world.seen.own[1].purpose == "study"
    assert world.seen.memory == stock.MEMORY


def test_using_one_marks_it_and_gets_it_ready(world):
    controller = world.start()
    controller.shelf.use("mine")
    world.errands.run()
    assert world.library.calls == [("use", "mine")]
    assert [one.chosen for one in world.seen.own] == [False, True]
    assert world.prepared == 1


def test_another_choice_from_elsewhere_is_shown(world):
    controller = world.start()
    world.library.chosen = "mine"
    controller.handle(ModelChosen())
    assert world.seen.own[1].chosen


def test_only_the_newest_look_at_the_disk_counts(world):
    controller = world.start()
    controller.handle(LibraryChanged())
    old = world.errands.waiting.pop()
    controller.handle(LibraryChanged())
    world.library.models_there = world.library.models_there[:1]
    world.errands.run()
    assert old[1].cancelled
    world.library.models_there = []
    old[0]()
    assert len(world.seen.own) == 1


def test_removing_asks_again_where_there_is_no_bin(world):
    controller = world.start()
    world.library.fails = NoBin(Path("m"), "none")
    heard = []
    controller.shelf.remove("mine", heard.append)
    world.errands.run()
    assert isinstance(heard[0], NoBin)
    controller.shelf.remove("mine", heard.append, to_bin=False)
    world.errands.run()
    assert world.library.calls[-1] == ("remove", ("mine", False))
    assert len(world.seen.own) == 1


def test_bringing_looks_then_copies_with_a_row_and_says_when_it_is_ready(world):
    controller = world.start()
    new = stock.model("New")
    world.library.brought = Brought(models=(new,), size_bytes=9)
    heard = []
    controller.shelf.look_at([Path("stick")], heard.append)
    assert world.seen.work[-1][0].task is Task.LOOKING
    world.errands.run()
    controller.shelf.add(heard[0], Way.COPY)
    world.errands.run()
    assert [work[0].fraction for work in world.seen.work if work and work[0].task is Task.COPYING]
    assert world.seen.work[-1] == []
    assert world.seen.ready == ["New"]
    assert "New" in [one.model.name for one in world.seen.own]


def test_work_can_be_cancelled_and_says_nothing_then(world):
    controller = world.start()
    world.library.fails = Cancelled()
    controller.shelf.verify("mine", "Mine", lambda _: None)
    work = world.seen.work[-1][0]
    controller.shelf.cancel_work(work.id)
    assert world.errands.waiting[0][1].cancelled
    world.errands.run()
    assert not world.seen.told
    assert world.seen.work[-1] == []


def test_a_failure_of_work_is_told(world):
    controller = world.start()
    world.library.fails = NoSpace(Path("m"), 2, 1)
    controller.shelf.move(Path("other"), lambda: None)
    world.errands.run()
    assert isinstance(world.seen.told[0], NoSpace)


def test_a_model_that_can_not_start_is_told_where_the_person_is(world):
    controller = world.start()
    controller.handle(ModelFailed(error=ServerSilent("x"), name="Mine"))
    controller.handle(ModelFailed(error=Cancelled(), name="Mine"))
    controller.handle(ModelFailed(error=plans.does_not_fit(), name="Mine"))
    assert [type(error) for error in world.seen.told] == [ServerSilent]


# --- what can be had ---


def names(rows):
    return [row.judged.entry.id for row in rows]


def test_the_best_comes_first_the_too_big_last_and_what_is_here_not_at_all(world):
    world.start()
    assert names(world.seen.offers) == ["smollm3-3b", "qwen3.5-9b", "gpt-oss-20b"]


def test_chips_choose_by_class_and_here_shows_few(world):
    controller = world.start()
    controller.shop.choose(Chip.LANGUAGES)
    assert names(world.seen.offers) == ["smollm3-3b"]
    every = [stock.judged(entry, Verdict.FITS, 3, size_gb=2) for entry in stock.ENTRIES]
    assert len(shown(every, Chip.HERE, ())) == 5
    assert all("coding" in one.entry.classes for one in shown(every, Chip.CODING, ()))


@pytest.mark.parametrize("chip", [chip for chip in Chip if chip is not Chip.HERE])
def test_every_chip_is_a_class_that_the_catalogue_has(chip):
    assert any(str(chip) in map(str, entry.classes) for entry in stock.ENTRIES.values())


def test_getting_one_looks_at_its_files_then_fetches_it(world):
    controller = world.start()
    controller.shop.get("smollm3-3b")
    assert world.seen.offers[0].looking
    world.errands.run()
    assert world.downloads.calls == [("start", "SmolLM3 3B")]
    assert world.seen.revealed == ["smollm3-3b"]
    assert "smollm3-3b" not in names(world.seen.offers)


def test_looking_can_be_stopped(world):
    controller = world.start()
    controller.shop.get("smollm3-3b")
    token = world.errands.waiting[0][1]
    controller.shop.stop("smollm3-3b")
    assert token.cancelled
    assert not world.seen.offers[0].looking


def test_a_connection_that_may_cost_money_is_asked_about(world):
    world.shop.costs = True
    controller = world.start()
    controller.shop.get("smollm3-3b")
    world.errands.run()
    assert world.seen.asked == [("metered", 2_000_000_000)]
    assert not world.downloads.calls
    world.seen.answer()
    world.errands.run()
    assert world.downloads.calls


def test_what_turns_out_too_big_is_told_before_anything_is_fetched(world):
    world.shop.verdict = Verdict.TOO_BIG
    controller = world.start()
    controller.shop.get("smollm3-3b")
    world.errands.run()
    assert world.seen.asked == [("too_big", "SmolLM3 3B")]
    assert not world.downloads.calls


@pytest.mark.parametrize(
    ("error", "kind"), [(TokenMissing("x"), "token"), (TokenRefused("x"), "token refused")]
)
def test_a_key_is_asked_for_kept_and_used(world, error, kind):
    world.shop.fails = [error]
    world.shop.for_good = False
    controller = world.start()
    controller.shop.get("smollm3-3b")
    world.errands.run()
    assert world.seen.asked == [(kind, "https://hub.example/settings/tokens")]
    world.seen.answer("hf_secret")
    world.errands.run()
    assert ("keep_token", "hf_secret") in world.shop.calls
    assert world.kept == [False]
    assert world.downloads.calls


def test_a_licence_leads_to_its_page_and_back(world):
    world.shop.fails = [LicenceNotAccepted("x", "https://hub.example/it")]
    controller = world.start()
    controller.shop.get("smollm3-3b")
    world.errands.run()
    assert world.seen.asked == [("licence", "https://hub.example/it")]
    world.seen.answer()
    world.errands.run()
    assert world.downloads.calls


def test_another_failure_stays_in_its_row_until_it_is_tried_again(world):
    world.shop.fails = [ServerUnreachable("x")]
    controller = world.start()
    controller.shop.get("smollm3-3b")
    world.errands.run()
    assert isinstance(world.seen.offers[0].error, ServerUnreachable)
    controller.shop.get("smollm3-3b")
    assert world.seen.offers[0].error is None


def test_the_other_model_that_is_named_is_the_best_that_fits(world):
    controller = world.start()
    assert controller.shop.best_other("gpt-oss-20b").entry.id == "smollm3-3b"
    assert controller.shop.best_other("smollm3-3b").entry.id == "qwen3.5-9b"


# --- the hub ---

HIT = HubHit(repo="someone/thing", downloads=1234, likes=1, gated=False, licence="mit")


def test_a_search_asks_the_hub_and_an_empty_one_leads_back(world):
    world.shop.hits = (HIT,)
    controller = world.start()
    controller.shop.search("  thing ")
    assert world.seen.search.phase is Phase.ASKING
    world.errands.run()
    assert world.shop.calls == [("search", "thing")]
    assert world.seen.search.hits == (HIT,)
    controller.shop.search("")
    assert world.seen.search.phase is Phase.NONE


def test_offline_nothing_is_asked(world):
    world.offline = True
    controller = world.start()
    controller.shop.search("thing")
    assert world.seen.search.phase is Phase.FAILED
    assert not world.errands.waiting
    assert not world.shop.calls


def test_an_old_search_is_not_heard_any_more(world):
    controller = world.start()
    world.shop.hits = (HIT,)
    controller.shop.search("one")
    late = world.errands.waiting.pop()[0]
    controller.shop.search("")
    late()
    assert world.seen.search.phase is Phase.NONE


def test_another_quantization_is_weighed_by_its_own_header_first(world):
    controller = world.start()
    world.shop.exact = stock.choice(None, Verdict.TOO_BIG)
    controller.shop.exactly(stock.choice(quantization="Q8_0", exact=False))
    world.errands.run()
    assert world.shop.calls == [("exactly", "Q8_0")]
    assert world.seen.asked[0][0] == "too_big"


# --- downloads ---


def test_a_waiting_one_names_what_it_waits_for(world):
    world.downloads.listed = [stock.status("A", S.RUNNING), stock.status("B", S.WAITING)]
    world.start()
    assert [row.waits_for for row in world.seen.downloads] == ["", "A"]


def test_progress_is_shown_and_the_end_is_said(world):
    world.downloads.listed = [stock.status("A", S.RUNNING)]
    controller = world.start()
    controller.handle(DownloadChanged(status=stock.status("A", S.RUNNING, 2.0)))
    assert world.seen.downloads[0].status.done_bytes == 2_000_000_000
    controller.handle(DownloadChanged(status=stock.status("A", S.DONE, 3.3)))
    assert world.seen.ready == ["A"]
    controller.handle(DownloadRemoved(id="a"))
    assert not world.seen.downloads


def test_one_that_waits_for_the_other_side_can_be_tried_at_once(world):
    stuck = stock.status("A", S.RUNNING, error=ServerSilent("x"))
    world.downloads.listed = [stuck]
    controller = world.start()
    controller.fetch.go_on("a")
    world.errands.run()
    controller.handle(DownloadChanged(status=stock.status("A", S.PAUSED)))
    world.errands.run()
    assert world.downloads.calls == [("pause", "a"), ("resume", "a")]


def test_a_failed_one_goes_on_after_what_was_missing_is_given(world):
    failed = stock.status("A", S.FAILED, error=TokenMissing("x"))
    world.downloads.listed = [failed]
    controller = world.start()
    controller.fetch.enter_token("a")
    world.seen.answer("key")
    world.errands.run()
    assert ("keep_token", "key") in world.shop.calls
    assert world.downloads.calls == [("resume", "a")]


def test_what_was_fetched_is_used_once_it_is_in_the_library(world):
    world.downloads.listed = [stock.status("New", S.DONE)]
    controller = world.start()
    assert controller.use_downloaded("new")
    world.errands.run()
    assert not world.library.calls
    world.library.models_there.append(stock.model("New"))
    controller.handle(LibraryChanged())
    world.errands.run()
    assert world.library.calls == [("use", "new")]
    assert world.prepared == 1


def test_closing_ends_what_runs(world):
    controller = world.start()
    controller.refresh()
    controller.shop.search("thing")
    controller.shop.get("smollm3-3b")
    controller.close()
    assert all(token.cancelled for _, token in world.errands.waiting)
