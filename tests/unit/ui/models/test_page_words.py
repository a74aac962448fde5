"""The words of the Models page."""

import re

import pytest

from engine.errors import (
    FileChanged,
    NoSpace,
    OfflineOnly,
    ProxyRefused,
    ServerSilent,
    TokenMissing,
)
from engine.models.catalogue import ModelPurpose
from engine.types.downloads import DownloadState
from engine.types.library import Owner, Soundness, Trouble
from tests.unit.ui.models import stock
from tests.unit.ui.test_messages import _JARGON
from ui.models.hub_words import of_hub_error
from ui.models.page_words import (
    download_words,
    left_words,
    model_line,
    program_name,
    purpose_words,
    soundness_words,
    trouble_words,
)


@pytest.mark.parametrize("purpose", ModelPurpose)
def test_every_purpose_of_the_catalogue_has_a_plain_line(purpose):
    words = purpose_words(str(purpose))
    assert words.endswith(".")
    assert not _JARGON.search(words)


@pytest.mark.parametrize("trouble", Trouble)
def test_every_trouble_has_words(trouble):
    assert trouble_words(trouble, 1).endswith(".")


@pytest.mark.parametrize("soundness", Soundness)
def test_every_outcome_of_a_check_names_the_model(soundness):
    assert soundness_words(soundness, "Gemma").startswith("Gemma ")


@pytest.mark.parametrize("owner", Owner)
def test_every_owner_is_told(owner):
    line = model_line(stock.model("M", owner), "quick")
    assert line.startswith("Quick answers, easy on the battery.")
    if program_name(owner):
        assert f"Found in {program_name(owner)}, used where it is." in line


def test_a_model_that_nobody_knows_says_its_size():
    assert model_line(stock.model("M"), "") == "3.3 GB on the disk."


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "less than a minute"),
        (60, "about a minute"),
        (61, "about 2 minutes"),
        (235, "about 4 minutes"),
        (5300, "about 89 minutes"),
        (5401, "about 2 hours"),
    ],
)
def test_time_is_rounded_up(seconds, words):
    assert left_words(seconds) == words


S = DownloadState


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (stock.status("M", S.RUNNING, left_s=235), "1.5 of 3.3 GB – about 4 minutes left"),
        (stock.status("M", S.RUNNING), "1.5 of 3.3 GB"),
        (stock.status("M", S.RUNNING, 0.004, 0.098), "4 of 98 MB"),
        (stock.status("M", S.RUNNING, 0, 0), "Starting…"),
        (stock.status("M", S.PAUSED), "Paused at 1.5 of 3.3 GB"),
        (stock.status("M", S.CHECKING), "Checking the file… nearly done"),
        (stock.status("M", S.DONE), "Ready"),
        (stock.status("M", S.WAITING), "Waiting for its turn"),
        (
            stock.status("M", S.FAILED, error=ServerSilent("x")),
            "The connection dropped at 1.5 of 3.3 GB. Nothing is lost.",
        ),
        (
            stock.status("M", S.RUNNING, error=ServerSilent("x")),
            "The connection dropped at 1.5 of 3.3 GB. Nothing is lost. Trying again by itself…",
        ),
        (
            stock.status("M", S.FAILED, error=NoSpace(stock.Path("m"), 3 * 10**9, 12 * 10**8)),
            "Disk full. Free 1.8 GB, then resume.",
        ),
    ],
)
def test_a_download_says_how_far_it_is(status, words):
    assert download_words(status) == words


def test_a_waiting_download_names_what_comes_before():
    words = download_words(stock.status("B", S.WAITING), "Gemma 3 4B")
    assert words == "Waiting for Gemma 3 4B to finish"


@pytest.mark.parametrize(
    "error",
    [OfflineOnly("x"), ServerSilent("x"), ProxyRefused("x"), TokenMissing("x"), FileChanged("x")],
    ids=lambda error: error.code,
)
def test_a_website_that_does_not_give_is_no_other_computer(error):
    words = of_hub_error(error)
    assert not re.search(r"other computer|Your text", words) or isinstance(error, ProxyRefused)
    assert not _JARGON.search(words)
