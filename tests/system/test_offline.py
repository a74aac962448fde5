"""Without a network, and with one that never answers: the window comes up and talks all the same.

What the ledger says is held against what the kernel saw of the process and of all its children.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.cli.words import NETWORK, NOT_ALLOWED
from app.ledger import Ledger
from engine.child.wire import encode
from engine.runtimes.fake import Script
from tests.hands.outside import RealWindow
from tests.servers import odd
from tests.servers.hub import OnDisk, Repo, hub_server
from tests.servers.odd import Line, odd_server
from tests.system import apart, tracing

pytestmark = pytest.mark.serial

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())"]
FRANCE = "What is the capital of France?"
WORDS = ("Here ", "I ", "am.")
SCRIPTED = json.dumps(
    {name: encode(Script(pieces=WORDS)) for name in ("rehearsal", "here", "child")}
)
SLACK_S = 2.0


class Window(RealWindow):
    """The real window, started by way of another command."""

    def __init__(self, before: Sequence[str] = (), **environment: str) -> None:
        real = subprocess.Popen

        def start(argv: list[str], **given: object) -> "subprocess.Popen[str]":
            return real([*before, *argv], **given)  # type: ignore[call-overload,no-any-return]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(subprocess, "Popen", start)
            self.begun_s = time.monotonic()
            super().__init__(QT_QPA_PLATFORM="offscreen", **environment)

    def wait_until_ready(self) -> float:
        """Seconds from the double click until a person can type."""
        self.until(lambda: self.do("shown", widget="composer"), "no composer")
        return time.monotonic() - self.begun_s


def silent(line: Line) -> None:
    line.hang()


def connections(home: Path) -> Counter[tuple[str, int]]:
    """What the ledger says, by host and port."""
    records = Ledger(home / "connections.jsonl").read()
    return Counter((record.host, record.port) for record in records)


@pytest.fixture(params=["no interface", "silent resolver", "silent hub"])
def world(request: pytest.FixtureRequest, tmp_path: Path, snug_home: Path) -> Iterator[list[str]]:
    """What to put before a command, so that it has that kind of network."""
    if request.param == "silent hub":
        with odd_server(silent, path="") as server:
            (snug_home / "settings.json").write_text(json.dumps({"hub": server.address}))
            yield []
            assert not server.asked
        return
    if not apart.is_possible():
        pytest.skip("a network of its own is not allowed here")
    way = apart.NOTHING if request.param == "no interface" else apart.SILENT
    yield apart.prefix(way, tmp_path)


@pytest.mark.model
def test_the_window_comes_up_and_a_model_of_this_computer_answers(
    world: list[str],
    snug_home: Path,
    tmp_path: Path,
    starter_model: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Window(SNUG_HOME=str(tmp_path / "usual")) as window:
        usual_s = window.wait_until_ready()
        window.close()
    with Window(world) as window:
        took_s = window.wait_until_ready()
        window.say(FRANCE)
        assert "Paris" in window.answered(1)
        assert not window.do("shown", widget="bannerText")  # nothing to say about a network
        code, _, errors = window.close()
    assert (code, errors) == (0, "")
    with capsys.disabled():
        print(f"\nready after {took_s:.2f} s, usually {usual_s:.2f} s ({took_s / usual_s:.2f})")
    assert took_s < usual_s * 3 + SLACK_S
    assert not connections(snug_home)


def test_nothing_is_connected_to_before_a_person_asks(snug_home: Path, tmp_path: Path) -> None:
    """From the start over an answer of this computer to the end, children included."""
    tracing.require_strace()
    trace = tmp_path / "trace"
    with Window(tracing.prefix(trace), HANDS_SCRIPTS=SCRIPTED) as window:
        window.say("Hello?")
        assert "Here I am." in window.answered(1)
        code, _, errors = window.close()
    assert (code, errors) == (0, "")
    assert not tracing.tried(trace, "TCP")
    assert not tracing.tried(trace, "UDP")
    assert not connections(snug_home)


def snug(*arguments: str, before: Sequence[str] = ()) -> "subprocess.CompletedProcess[str]":
    """The command line in a process of its own, with what a library would do on its own turned
    on as on anybody's computer."""
    return subprocess.run(
        [*before, *PROGRAM, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
        env={**os.environ, "HF_HUB_DISABLE_TELEMETRY": "0", "DO_NOT_TRACK": "0"},
        stdin=subprocess.DEVNULL,
    )


def test_the_trace_sees_what_is_there_to_see(tmp_path: Path) -> None:
    """Else the tests that compare with it would show nothing."""
    tracing.require_strace()
    trace = tmp_path / "trace"
    code = (
        "import socket, subprocess, sys\n"
        "kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM)\n"
        "for kind in kinds: socket.socket(socket.AF_INET, kind).connect_ex(('127.0.0.1', 9))\n"
        "if len(sys.argv) < 2: subprocess.run([sys.executable, '-c', sys.orig_argv[-1], 'again'])\n"
    )
    subprocess.run([*tracing.prefix(trace), sys.executable, "-c", code], check=True, timeout=60)
    assert tracing.tried(trace, "TCP") == {("127.0.0.1", 9): 2}
    assert tracing.tried(trace, "UDP") == {("127.0.0.1", 9): 2}


def test_the_ledger_is_what_the_kernel_saw_of_a_server(snug_home: Path, tmp_path: Path) -> None:
    tracing.require_strace()
    seen: Counter[tuple[str, int]] = Counter()
    with odd_server(odd.good()) as good, odd_server(odd.says(401, b"{}")) as locked:
        gone = "http://127.0.0.1:9/v1"
        for number, address in enumerate((good.address, locked.address, gone, good.address)):
            trace = tmp_path / f"trace-{number}"
            snug("remote", "models", address, before=tracing.prefix(trace))
            seen += tracing.tried(trace)
            assert not tracing.tried(trace, "UDP")
        assert seen == {
            ("127.0.0.1", good.port): 2,
            ("127.0.0.1", locked.port): 1,
            ("127.0.0.1", 9): 1,
        }
    assert connections(snug_home) == seen


@pytest.mark.model
def test_the_ledger_is_what_the_kernel_saw_of_a_hub(
    snug_home: Path, tmp_path: Path, starter_model: Path
) -> None:
    """From a search to a model in the library: two origins, redirects, and no telemetry."""
    tracing.require_strace()
    repo = Repo(id="maker/SmolLM2-GGUF", files={"SmolLM2-Q4_1.gguf": OnDisk(starter_model)})
    doings = (("search", "smol"), ("look", repo.id), ("add", repo.id), ("updates",), ("list",))
    seen: Counter[tuple[str, int]] = Counter()
    with hub_server(repo) as hub:
        (snug_home / "settings.json").write_text(json.dumps({"hub": hub.address}))
        for number, doing in enumerate(doings):
            trace = tmp_path / f"trace-{number}"
            done = snug("models", *doing, before=tracing.prefix(trace))
            assert (done.returncode, done.stderr) == (0, ""), done
            seen += tracing.tried(trace)
            assert not tracing.tried(trace, "UDP")
        asked = Counter(urlsplit(hub.origins[one.origin]).netloc for one in hub.seen())
    assert connections(snug_home) == seen
    assert {f"{host}:{port}": count for (host, port), count in seen.items()} == asked
    assert len(seen) == 2
    assert "SmolLM2" in done.stdout


def test_offline_nothing_is_even_tried(snug_home: Path, tmp_path: Path) -> None:
    tracing.require_strace()
    assert snug("remote", "offline").returncode == 0
    trace = tmp_path / "trace"
    done = snug("models", "search", "smol", before=tracing.prefix(trace))
    assert done.returncode == NOT_ALLOWED
    assert done.stderr.count("offline") == 1
    assert not tracing.tried(trace, "TCP")
    assert not tracing.tried(trace, "UDP")
    assert not connections(snug_home)


@pytest.mark.parametrize(("way", "within_s"), [(apart.NOTHING, 10.0), (apart.SILENT, 30.0)])
def test_without_a_network_a_search_says_so_once(
    way: str, within_s: float, snug_home: Path, tmp_path: Path
) -> None:
    if not apart.is_possible():
        pytest.skip("a network of its own is not allowed here")
    begun = time.monotonic()
    done = snug("models", "search", "smol", before=apart.prefix(way, tmp_path))
    assert time.monotonic() - begun < within_s
    assert done.returncode == NETWORK
    assert done.stdout == ""
    assert done.stderr.count("can not be reached") == 1
    assert list(connections(snug_home)) == [("huggingface.co", 443)]
