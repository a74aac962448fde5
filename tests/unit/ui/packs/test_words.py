"""Every reason has a plain sentence, in English and in Chinese."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from app.pack_advice import ADVICE, Advice
from app.packs_brought import Advance, Outcome
from app.paths import RESOURCES
from engine.errors import NoSpace, PackRefused
from engine.types.packs import PackProblem
from tests.unit.ui.packs.stock import found, offer
from ui.packs import words
from ui.packs.problem_words import ADVICES, PROBLEMS, problem_words

JARGON = re.compile(r"\b(pack|manifest|archive|signature|gpu|cuda|backend|plug-?in|hash)\b")
PLACE = Path("a.pack")


@pytest.fixture
def chinese(qapp):
    translator = QTranslator()
    assert translator.load(str(RESOURCES / "translations" / "snug_zh_CN.qm"))
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


@pytest.mark.parametrize("problem", PackProblem)
def test_every_problem_has_a_sentence_and_what_to_do(problem):
    said = problem_words(PackRefused(PLACE, problem))
    assert said == f"{PROBLEMS[problem]} {ADVICES[ADVICE[problem]]}"
    assert not JARGON.search(said.lower())
    assert str(problem) not in said


@pytest.mark.parametrize("problem", PackProblem)
def test_and_so_in_chinese(chinese, problem):
    said = problem_words(PackRefused(PLACE, problem))
    assert re.search(r"[\u4e00-\u9fff]", said)
    assert not re.search(r"[a-z]{3}", said.replace("Snug", "")), said


def test_nothing_is_left_out():
    assert set(PROBLEMS) == set(ADVICE) == set(PackProblem)
    assert set(ADVICES) == set(Advice)


def test_the_question_names_cards_and_size():
    one = found(offer())
    assert words.ask_title(one.offers) == "Add support for NVIDIA graphics cards?"
    assert words.ask_lines(one.offers) == [
        "It takes 1.4 GB of space. Snug checked that it comes from Snug's makers."
    ]
    two = found(offer("amd", "hip"), offer())
    assert words.ask_lines(two.offers) == [
        "AMD graphics cards\nNVIDIA graphics cards",
        "Together they take 2.8 GB of space. Snug checked that they come from Snug's makers.",
    ]


def test_a_kind_that_nobody_knows_yet_has_words_too(chinese):
    assert words.ask_title([offer("x", "new")]) == "要添加 更多显卡支持吗？"
    assert words.ask_title([offer()]) == "要添加 NVIDIA 显卡支持吗？"


def test_how_much_space_is_missing_is_said():
    error = NoSpace(Path("x"), 2_800_000_000, 600_000_000)
    assert problem_words(error) == (
        "There is not enough space: 2.8 GB has to be free, and 600 MB is. Free 2.2 GB more, then"
        " open the file again."
    )


def test_copying_counts_and_the_trial_does_not():
    assert words.advance_words(Advance(offer=offer(), fraction=0.389)) == (
        "Copying and checking… 38%"
    )
    trying = words.advance_words(Advance(offer=offer(), fraction=1.0, trying=True))
    assert trying == "Trying it out. This can take a minute."


def test_what_became_of_several_is_said_of_each():
    bad = PackRefused(Path("amd.pack"), PackProblem.NO_DEVICE)
    outcomes = (Outcome(offer=offer()), Outcome(offer=offer("amd", "hip"), error=bad))
    assert words.done_title(outcomes) == "Some of it was added."
    lines = words.done_lines(outcomes)
    assert lines[0] == "Support for NVIDIA graphics cards is added."
    assert lines[1].startswith("amd.pack: Snug found no graphics card")
    assert lines[2] == "It is used the next time Snug starts."


def test_where_nothing_can_be_added_it_says_why():
    bent = PackRefused(PLACE, PackProblem.SIGNATURE_WRONG)
    one = found(refused=[bent])
    assert words.told_title(one) == "Snug cannot add a.pack"
    assert words.told_lines(one)[0].startswith("The file was changed")
    two = found(refused=[bent, PackRefused(Path("b.pack"), PackProblem.CUT_OFF)])
    assert words.told_title(two) == "Snug cannot add these files"
    assert [line[:7] for line in words.told_lines(two)] == ["a.pack:", "b.pack:", "Nothing"]


def test_what_is_there_is_said_once():
    there = found(there=[offer()])
    assert words.told_title(there) == "Support for NVIDIA graphics cards is there already."
    assert words.told_lines(there) == ["Nothing needs to be done."]
