"""`snug remote`, and answers from elsewhere in `snug ask` and `snug chat`."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import keyring
import pytest

from app import cli, logs
from app.settings import REMOTE_ON, Settings
from tests.servers.odd import Odd, Script, good, models, odd_server
from tests.unit.app.test_secrets import Refusing, Store

KEY = "sk-0123456789"
Snug = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _no_log_of_this_process(monkeypatch: pytest.MonkeyPatch, snug_home: Path) -> None:
    monkeypatch.setattr(logs, "start", lambda _: None)


@pytest.fixture
def snug(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Snug:
    """One command; its exit code, output and notes."""

    def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = cli.main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def serve() -> Iterator[Callable[[Script], Odd]]:
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(odd_server(script))


@pytest.fixture
def store() -> Iterator[Store]:
    before = keyring.get_keyring()
    keyring.set_keyring(it := Store())
    yield it
    keyring.set_keyring(before)


Serve = Callable[[Script], Odd]


def test_without_a_server_answers_come_from_here(snug: Snug) -> None:
    assert snug("remote") == (0, "Answers come from this computer.\n", "")
    status = json.loads(snug("remote", "status", "--json")[1])
    assert status == {
        "on": False,
        "address": "",
        "model": "",
        "has_key": False,
        "offline": False,
    }
    code, _, err = snug("remote", "models")
    assert code == 2
    assert "address" in err


def test_a_server_is_used_and_left_again(snug: Snug) -> None:
    code, out, _ = snug("remote", "use", "NAS:8080", "--model", "big")
    assert (code, out) == (0, "Answers come from http://nas:8080/v1 (big) from now on.\n")
    assert "http://nas:8080/v1 (big)" in snug("remote")[1]
    assert snug("remote", "off")[0] == 0
    assert "this computer" in snug("remote")[1]
    assert snug("remote", "use", "ftp://nas", "--model", "big")[0] == 2
    assert snug("remote", "use", "nas", "--model", "")[0] == 2
    assert snug("remote", "use", "nas", "--model", "x" * 1000)[0] == 2
    assert snug("remote", "use", "nas")[0] == 2


def test_a_key_comes_from_standard_input_and_shows_up_nowhere(
    snug: Snug, serve: Serve, store: Store, snug_home: Path
) -> None:
    odd = serve(lambda line: line.say(200, models("a", "b")))
    shown = [snug("remote", "key", odd.address, "--stdin", stdin=f"{KEY}\n")]
    shown.append(snug("remote", "models", odd.address))
    assert shown[-1] == (0, "a\nb\n", "")
    assert odd.asked[0].headers["authorization"] == f"Bearer {KEY}"
    shown.append(snug("remote", "use", odd.address, "--model", "a"))
    shown.append(snug("remote", "status"))
    assert "A key is kept" in shown[-1][1]
    shown.append(snug("remote", "log", "--json"))
    assert KEY not in repr(shown)
    for path in snug_home.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
    assert snug("remote", "key", "--forget")[0] == 0
    assert not store.kept


def test_a_key_that_can_not_be_kept_is_not_allowed_to_seem_so(snug: Snug) -> None:
    code, out, err = snug("remote", "key", "nas", "--stdin", stdin=KEY)
    assert (code, out) == (7, "")
    assert "can not be kept" in err


def test_a_key_that_is_not_forgotten_or_not_replaced_is_told(snug: Snug, store: Store) -> None:
    keyring.set_keyring(refusing := Refusing())
    refusing.kept["Snug", "server:http://nas/v1"] = KEY
    code, out, err = snug("remote", "key", "nas", "--forget")
    assert (code, out) == (7, "")
    assert "did not forget" in err
    code, _, err = snug("remote", "key", "nas", "--stdin", stdin="sk-new")
    assert code == 7
    assert "kept before is still there" in err


def test_a_key_is_never_read_from_where_none_is(snug: Snug) -> None:
    assert snug("remote", "key", "nas")[0] == 2  # no terminal, and --stdin was not said
    assert snug("remote", "key", "nas", "--stdin", stdin="\n")[0] == 2
    code, _, err = snug("remote", "key", "nas", "--stdin", stdin="sk-é")
    assert code == 6
    assert "sk-é" not in err


def test_offline_is_a_reason_and_online_ends_it(snug: Snug, serve: Serve) -> None:
    odd = serve(good())
    snug("remote", "use", odd.address, "--model", "m")
    assert snug("remote", "offline")[0] == 0
    assert "stay offline" in snug("remote")[1]
    code, out, _ = snug("ask", "Hello", "--json")
    assert (code, json.loads(out)["error"]["code"]) == (7, "offline_only")
    assert not odd.asked
    assert snug("remote", "log")[1] == "Nothing has left this computer.\n"
    assert snug("remote", "online")[0] == 0
    assert snug("remote", "models")[1] == "m\n"


def test_an_answer_from_elsewhere_is_marked_and_written_down(snug: Snug, serve: Serve) -> None:
    odd = serve(good(["Par", "is"]))
    snug("remote", "use", odd.address, "--model", "m")
    code, out, err = snug("ask", "Capital of France?")
    assert (code, out) == (0, "Paris\n")
    assert err == f"Answers come from {odd.address}\n"
    answer = json.loads(snug("ask", "Capital of France?", "--json", "--context", "4096")[1])
    assert (answer["text"], answer["backend"], answer["model"]) == ("Paris", "remote", "m")
    assert answer["address"] == odd.address
    lines = snug("remote", "log")[1].splitlines()
    assert len(lines) == 4
    assert all(f"http://127.0.0.1:{odd.port}" in line for line in lines)
    assert "an answer: " in lines[1]


def test_a_chat_says_at_once_where_answers_come_from(snug: Snug, serve: Serve) -> None:
    odd = serve(good(["Par", "is"]))
    snug("remote", "use", odd.address, "--model", "m")
    code, out, err = snug("chat", stdin="Capital of France?\n/quit\n")
    assert (code, out) == (0, "Paris\n")
    assert err.startswith(f"Answers come from {odd.address}.")
    assert err.count("Answers come from") == 1
    assert "on this computer" not in err


def test_a_model_file_that_is_named_is_not_sent_elsewhere(
    snug: Snug, serve: Serve, tmp_path: Path
) -> None:
    odd = serve(good())
    snug("remote", "use", odd.address, "--model", "m")
    assert snug("ask", "Hello", "--model", str(tmp_path / "no.gguf"))[0] == 3
    assert not odd.asked


@pytest.mark.parametrize(
    ("status", "code", "exit_code"),
    [(401, "key_refused", 6), (429, "server_busy", 6), (500, "server_failed", 6)],
)
def test_each_error_of_a_server_has_its_code(
    snug: Snug, serve: Serve, status: int, code: str, exit_code: int
) -> None:
    odd = serve(lambda line: line.say(status, b"", Retry_After="3600"))
    found, out, _ = snug("remote", "models", odd.address, "--json")
    assert (found, json.loads(out)["error"]["code"]) == (exit_code, code)


def test_it_is_off_by_default(snug_home: Path) -> None:
    assert not Settings(snug_home / "settings.json").get(REMOTE_ON)
