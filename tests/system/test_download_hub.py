"""Every way in which the loopback hub misbehaves, against a download through the real door.

Whatever happens, the file has its name only when it is the right one, what was fetched is kept,
progress does not fall, the token stays at the hub, and once the hub is well the download ends.
"""

import random
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from engine.errors import (
    Cancelled,
    EngineError,
    FileChanged,
    HashMismatch,
    LicenceNotAccepted,
    NotOnHub,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    ServerSilent,
    TokenMissing,
    TokenRefused,
)
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState, DownloadStatus
from tests.servers.hub import MODES, Hub, hub_server
from tests.servers.hub_contents import Flipped
from tests.system.downloading import MODEL, NAME, REPO, TOKENS, Bench, Try, bench

DONE = None
REPLACED = "another file at the hub"
Outcome = type[EngineError] | None
ENDS: dict[str, Outcome] = {
    "200 for 206": DONE,
    "206 from byte 0": DONE,
    "206 that lies": DONE,
    "206 with another total": ServerIncomprehensible,
    "206 short": DONE,
    "206 without Content-Range": DONE,
    "206 in many parts": ServerIncomprehensible,
    "416 always": ServerFailed,
    "no length": DONE,
    "chunked": DONE,
    "no length, cut once": DONE,
    "gzip": ServerIncomprehensible,
    "longer than announced": DONE,
    "longer length": DONE,
    "empty": ServerIncomprehensible,
    "one bit once": DONE,
    "one bit always": HashMismatch,
    "other content in the middle": HashMismatch,
    "another file at the hub": FileChanged,
    "drops at 99 %": DONE,
    "silent once": DONE,
    "silent always": ServerSilent,
    "trickle once": DONE,
    "trickle always": ServerSilent,
    "one byte less once": DONE,
    "one byte less always": ServerSilent,
    "resets at random": DONE,
    "gone for 3 s": DONE,
    "slow per connection": DONE,
    "silent head once": DONE,
    "silent head always": ServerSilent,
    "silent hub": ServerSilent,
    "not HTTP": ServerSilent,
    "addresses for one use": DONE,
    "expired in the middle": DONE,
    "expired always": ServerFailed,
    "redirect loop": ServerIncomprehensible,
    "redirect without end": ServerIncomprehensible,
    "redirect nowhere": ServerIncomprehensible,
    "redirect to a file": ServerIncomprehensible,
    "redirect to another scheme": ServerIncomprehensible,
    "redirect to a private address": ServerIncomprehensible,
    "relative redirect": DONE,
    "429 twice": DONE,
    "429 always": ServerBusy,
    "503 twice": DONE,
    "500 always": ServerFailed,
    "hub down": ServerBusy,
    "no token": TokenMissing,
    "bad token": TokenRefused,
    "licence not accepted": LicenceNotAccepted,
    "no such file": NotOnHub,
    "no such repository": NotOnHub,
    "bare 401": TokenMissing,
    "bare 403": LicenceNotAccepted,
    "bare 404": NotOnHub,
    "captive portal": ServerIncomprehensible,
    "portal in the middle": ServerIncomprehensible,
    "wrong linked size": ServerIncomprehensible,
    "wrong linked hash": FileChanged,
}
BEGUN: dict[str, Outcome] = {"one bit always": DONE}
"""Where it is another end for one that goes on after a third of the file."""
UNTOLD: dict[str, Outcome] = {"wrong linked hash": HashMismatch}
"""Where it is another end if nobody has told size and hash but the server."""
MAKES_NO_REQUEST_OF_SOME = ("gone for 3 s", "redirect to a file", "redirect to another scheme")
"""Tries that the ledger knows of, and no server."""
OF_CONTENT = {
    *(mode for mode in list(ENDS)[: list(ENDS).index(REPLACED)]),
    *("one byte less once", "one byte less always", "redirect to a private address"),
    *("captive portal", "portal in the middle", "wrong linked size", "wrong linked hash"),
}
"""Where it matters who has told what the file is."""
STUBBORN = ("resets at random", "drops at 99 %", "429 twice", "503 twice")
"""Several tries in a row bring nothing: a reset, too, loses what was sent."""
NAMELESS = ("no token", "bare 401", "no such repository")
"""What is said to someone who has no token."""
LONG = ("429 always", "gone for 3 s", "slow per connection")
LIMIT_S = 15.0


@pytest.fixture
def hub() -> Iterator[Hub]:
    with hub_server(REPO, tokens=TOKENS) as running:
        yield running


def test_every_misbehaviour_has_an_expected_end() -> None:
    assert ENDS.keys() == MODES.keys()
    assert len(ENDS) >= 25


def prepare(hub: Hub, folder: Path, mode: str, *, told: bool = True) -> Bench:
    at = bench(hub, folder, told=told)
    if mode in STUBBORN:
        return at.stubborn()
    return at.nameless() if mode in NAMELESS else at


def require(found: Try, wanted: Outcome, at: Bench) -> None:
    """The end that was expected, and all that must hold in any case."""
    assert found.error is None if wanted is DONE else isinstance(found.error, wanted), found.outcome
    assert found.took_s < LIMIT_S
    done = [status.done_bytes for status in found.statuses]
    assert done == sorted(done), "progress fell"
    assert not [seen for seen in at.server.seen() if seen.origin != "hub" and seen.token]
    if wanted is DONE:
        assert at.is_right()
        assert found.statuses[-1].state is DownloadState.DONE
    else:
        assert not at.final.exists()


def require_ledger(at: Bench, mode: str) -> None:
    """One record for each request that any server got, with the host and port of that."""
    asked = sorted(at.server.origins[seen.origin] for seen in at.server.seen())
    written = sorted(f"{c.scheme}://{c.host}:{c.port}" for c in at.ledger)
    if mode in MAKES_NO_REQUEST_OF_SOME:
        assert len(written) >= len(asked)
    else:
        assert written == asked


def require_recovery(at: Bench) -> None:
    at.server.use("")
    at.server.change(REPO.id, NAME, MODEL)
    again = at.run()
    assert again.error is None
    assert at.is_right()


@pytest.mark.parametrize("mode", ENDS)
def test_a_download_ends_right_or_says_why(mode: str, hub: Hub, tmp_path: Path) -> None:
    at = prepare(hub, tmp_path, mode)
    hub.use(mode)
    require(at.run(), ENDS[mode], at)
    require_ledger(at, mode)
    require_recovery(at)


@pytest.mark.parametrize("mode", ENDS)
def test_one_that_goes_on_keeps_what_it_has(mode: str, hub: Hub, tmp_path: Path) -> None:
    at = prepare(hub, tmp_path, mode)
    at.begin()
    hub.use(mode)
    found = at.run()
    wanted = BEGUN.get(mode, ENDS[mode])
    require(found, wanted, at)
    require_ledger(at, mode)
    if wanted is not DONE:
        assert at.has_part
    require_recovery(at)


@pytest.mark.parametrize("mode", [mode for mode in ENDS if mode in OF_CONTENT])
def test_one_of_which_nobody_has_told_the_hash(mode: str, hub: Hub, tmp_path: Path) -> None:
    at = prepare(hub, tmp_path, mode, told=False)
    hub.use(mode)
    require(at.run(), UNTOLD.get(mode, ENDS[mode]), at)
    require_recovery(at)


def test_what_is_replaced_on_the_way_is_never_mixed(hub: Hub, tmp_path: Path) -> None:
    """Nobody but the server knows the hash, and it has another file now."""
    at = bench(hub, tmp_path, told=False)
    hub.use(REPLACED)
    assert at.run().error is None
    assert at.is_right(Flipped(MODEL, MODEL.size_bytes - 1).sha256)


@pytest.mark.parametrize("seed", range(6))
def test_another_fault_from_one_try_to_the_next(seed: int, hub: Hub, tmp_path: Path) -> None:
    """Whatever comes together: never a wrong file, never a step back."""
    at = bench(hub, tmp_path).stubborn()
    choice = random.Random(seed)
    modes = [mode for mode in ENDS if mode not in (*LONG, REPLACED)]

    def change(status: DownloadStatus) -> None:
        if status.state is DownloadState.RUNNING:
            hub.use(choice.choice(modes))

    hub.use(choice.choice(modes))
    found = at.run(CancelToken(), change)
    require(found, DONE if found.error is None else EngineError, at)
    require_recovery(at)


def test_one_that_was_whole_already_asks_for_nothing(hub: Hub, tmp_path: Path) -> None:
    """Or it would be told 416 for ever."""
    at = bench(hub, tmp_path)
    cancel = CancelToken()
    at.run(cancel, lambda now: cancel.cancel() if now.state is DownloadState.CHECKING else None)
    assert at.has_part
    hub.use("416 always")
    hub.forget()
    require(at.run(), DONE, at)
    assert not hub.seen()


HANGING = ("silent always", "silent head always", "silent hub", "trickle always", "429 always")


@pytest.mark.parametrize("mode", [*HANGING, "slow per connection"])
def test_a_cancel_is_quick_whatever_is_waited_for(mode: str, hub: Hub, tmp_path: Path) -> None:
    at = bench(hub, tmp_path).patient()
    hub.use(mode)
    cancel = CancelToken()
    timer = Timer(0.6, cancel.cancel)
    timer.start()
    begun = time.monotonic()
    found = at.run(cancel)
    timer.join()
    assert isinstance(found.error, Cancelled)
    assert time.monotonic() - begun < 0.6 + 2
    require_recovery(at)


def test_the_refusals_are_told_apart(hub: Hub, tmp_path: Path) -> None:
    """Six things that a person can do something about, each another one."""
    ends = ("no token", "bad token", "licence not accepted", "no such file", "429 always")
    kinds = {ENDS[mode] for mode in (*ends, "500 always")}
    assert len(kinds) == 6
    hub.use("licence not accepted")
    found = bench(hub, tmp_path).run()
    assert isinstance(found.error, LicenceNotAccepted)
    assert found.error.page == f"{hub.address}/{REPO.id}"


def test_all_that_was_fetched_counts(hub: Hub, tmp_path: Path) -> None:
    """What a broken connection brought is not fetched again."""
    at = bench(hub, tmp_path).stubborn()
    hub.use("drops at 99 %")
    require(at.run(), DONE, at)
    assert len(hub.seen("cdn")) == 4
    assert sum(seen.sent_bytes for seen in hub.seen("cdn")) == MODEL.size_bytes
