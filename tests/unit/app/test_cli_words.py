"""Every error, state and reason has words on the command line, and none is left to a base class."""

from enum import StrEnum
from pathlib import Path

import pytest

from app import cli
from app import errors as app_errors
from app.cli import model_words, remote
from app.cli.hub_words import words_at_hub
from app.cli.words import DOES_NOT_FIT, FILE, NETWORK, NOT_ALLOWED, USAGE, report, words_for
from engine import errors
from engine.child.wire import error_classes
from engine.types.connections import Purpose
from engine.types.downloads import DownloadState, DownloadStatus
from engine.types.library import Owner, Soundness, Trouble
from engine.types.plans import Verdict
from tests.unit.app.plans import plan

PLACE, ADDRESS = Path("here"), "https://hub.test"
GENERAL = {"engine", "model_file", "engine_stopped", "engine_crashed", "not_loaded", "cancelled"}
"""These are no more than they say, or never come so far."""


@pytest.mark.parametrize("code", sorted(set(error_classes()) - GENERAL))
def test_every_error_has_words_of_its_own(code: str) -> None:
    kind = error_classes()[code]
    general = words_for(errors.EngineError())
    raised = kind.__new__(kind)
    assert words_for(raised) is not general
    if issubclass(kind, errors.RemoteError) and kind is not errors.RemoteError:
        assert words_for(raised) is not words_for(errors.RemoteError(ADDRESS))


def test_the_six_ways_a_hub_refuses_sound_different() -> None:
    refusals = [
        errors.TokenMissing(ADDRESS),
        errors.TokenRefused(ADDRESS),
        errors.LicenceNotAccepted(ADDRESS, f"{ADDRESS}/a/b"),
        errors.NotOnHub(ADDRESS),
        errors.ServerBusy(ADDRESS),
        errors.ServerFailed(ADDRESS),
    ]
    words = [words_for(error) for error in refusals]
    assert len({it.message for it in words}) == len(refusals)
    assert len({it.hint for it in words}) == len(refusals)
    assert {it.exit_code for it in words} == {NETWORK}


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (errors.NoSpace(PLACE, 3 << 30, 1 << 30), NOT_ALLOWED, "3.0 GB needed, 1.0 GB free"),
        (errors.LicenceNotAccepted(ADDRESS, f"{ADDRESS}/a/b"), NETWORK, "/a/b"),
        (errors.PartsMissing(PLACE, ("b.gguf",)), FILE, "b.gguf"),
        (errors.FolderUnwritable(PLACE, "read-only"), NOT_ALLOWED, "read-only"),
        (app_errors.DiskFull(PLACE, "full"), NOT_ALLOWED, "The disk is full"),
        (app_errors.NotWritable(PLACE, "read-only"), NOT_ALLOWED, "its own folder"),
        (app_errors.SettingRejected("hub", "x" * 9), USAGE, "too long"),
        (errors.FolderBusy(PLACE, "another program downloads it"), NOT_ALLOWED, "Another Snug"),
        (errors.DoesNotFit(PLACE, plan(Verdict.TOO_BIG, 9, 3)), DOES_NOT_FIT, "--anyway"),
        (errors.OfflineOnly(ADDRESS), NOT_ALLOWED, "online"),
    ],
)
def test_what_a_person_needs_is_said(
    error: Exception, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(error, as_json=False) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (model_words.FITS, Verdict),
        (model_words.OWNERS, Owner),
        (model_words.TROUBLES, Trouble),
        (model_words.SOUND, Soundness),
        (model_words.STATES, DownloadState),
        (remote._WHY, Purpose),
    ],
)
def test_every_value_has_words(words: dict[StrEnum, str], kind: type[StrEnum]) -> None:
    assert set(words) == set(kind)
    assert len(set(words.values())) == len(words)


@pytest.mark.parametrize("kind", [errors.AddressUnusable, errors.ServerUnreachable,
                                  errors.ServerIncomprehensible, errors.ServerSilent])  # fmt: skip
def test_a_hub_has_other_next_steps_than_a_server(kind: type[errors.RemoteError]) -> None:
    error = kind(ADDRESS)
    words = words_at_hub(error)
    assert words is not None
    assert words.exit_code == words_for(error).exit_code
    assert words.hint != words_for(error).hint
    assert "/v1" not in words.hint
    assert words_at_hub(errors.NotOnHub(ADDRESS)) is None


def test_a_list_of_downloads_says_why_one_failed() -> None:
    failed = status(state=DownloadState.FAILED, error=errors.NoSpace(PLACE, 3 << 30, 1 << 30))
    [row] = model_words.download_rows([failed])
    assert "3.0 GB needed" in row[2]
    assert model_words.download_rows([status()])[0][2] == "running"
    whole = status(state=DownloadState.DONE, done_bytes=98_362_432, total_bytes=98_362_432)
    assert model_words.download_rows([whole])[0][1:3] == ("94 MB", "done")


def test_columns_are_straight_with_wide_names_too() -> None:
    made = model_words.table([("模型", "a"), ("e\u0301", "b"), ("four", "c")])
    assert made.split("\n") == ["模型  a", "e\u0301     b", "four  c"]


def status(**changes: object) -> DownloadStatus:
    values: dict[str, object] = {
        "id": "a",
        "title": "Good 4B",
        "state": DownloadState.RUNNING,
        "done_bytes": 1 << 30,
        "total_bytes": 3 << 30,
    }
    return DownloadStatus(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "Good 4B: 1.0 GB of 3.0 GB"),
        (
            {"bytes_per_s": 5e6, "left_s": 400.0},
            "Good 4B: 1.0 GB of 3.0 GB, 5 MB a second, about 7 min left",
        ),
        ({"left_s": 0.2}, "Good 4B: 1.0 GB of 3.0 GB, about 1 s left"),
        ({"left_s": 9000.0}, "Good 4B: 1.0 GB of 3.0 GB, about 2.5 h left"),
        ({"total_bytes": 0}, "Good 4B: 1.0 GB"),
        ({"state": DownloadState.CHECKING}, "Good 4B: checking the files"),
    ],
)
def test_how_far_a_download_is(changes: dict[str, object], line: str) -> None:
    assert model_words.progress(status(**changes)) == line


def test_help_names_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["models", "--help"])
    said = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line.split()}
    here = "list verify remove import export use move"
    elsewhere = "search look add download updates token catalogue"
    assert {*here.split(), *elsewhere.split()} <= said
