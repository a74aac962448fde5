"""`snug models` as people and scripts call it: a loopback hub, real files, a real process."""

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest

from app import cli, logs
from app.ledger import Ledger
from app.models import ModelService
from app.paths import Paths
from app.settings import HUB, OFFLINE, Settings
from engine.types.connections import Purpose
from tests.ggufs import chat
from tests.servers.hub import Held, Hub, OnDisk, Repo, hub_server
from tests.unit.app.test_secrets import Store

PROGRAM = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())"]
ROOT = Path(__file__).resolve().parents[2]
WAIT_S = 60
SMALL = chat({"general.name": "Small One"})
OTHER = chat({"general.name": "Small Two"})
TOKEN = "hf_" + "a" * 34
MODEL_KEYS = {
    "id", "name", "path", "size_bytes", "owner", "format", "quantization", "projector", "trouble",
    "missing", "licence", "repo", "revision", "chosen", "last_used", "verdict", "needed_bytes",
    "free_bytes", "predicted_tokens_per_second",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _no_log_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "start", lambda _: None)


@pytest.fixture
def hub(starter_model: Path) -> Iterator[Hub]:
    repos = [
        Repo(
            id="maker/small-GGUF",
            files={"small-Q4_K_M.gguf": Held(SMALL), "small-Q8_0.gguf": Held(OTHER)},
        ),
        Repo(id="maker/real-GGUF", files={"real-Q4_1.gguf": OnDisk(starter_model)}),
        Repo(id="maker/secret-GGUF", files={"secret-Q4_0.gguf": Held(SMALL)}, gated="manual"),
    ]
    with hub_server(*repos, tokens={TOKEN: frozenset()}) as server:
        yield server


@pytest.fixture
def store() -> Iterator[Store]:
    before = keyring.get_keyring()
    keyring.set_keyring(it := Store())
    yield it
    keyring.set_keyring(before)


class Snug:
    """Commands over one home, in this process."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self.settings = Settings(home / "settings.json")
        self._capsys = capsys

    def __call__(self, *arguments: object, code: int = 0) -> str:
        done = cli.main(["models", *map(str, arguments)])
        out, err = self._capsys.readouterr()
        assert done == code, err or out
        return out or err

    def json(self, *arguments: object, code: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self(*arguments, "--json", code=code))
        return found

    def ids(self) -> dict[str, str]:
        return {model["name"]: model["id"] for model in self.json("list")["models"]}


@pytest.fixture
def snug(snug_home: Path, hub: Hub, capsys: pytest.CaptureFixture[str]) -> Snug:
    made = Snug(snug_home, capsys)
    made.settings.set(HUB, hub.address)
    return made


def process(*arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*PROGRAM, "models", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=dict(os.environ),
    )


def until(condition: Any) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_found_looked_at_and_fetched(snug: Snug, hub: Hub, snug_home: Path) -> None:
    found = snug.json("search", "small")
    assert [repo["repo"] for repo in found["repos"]] == ["maker/small-GGUF"]
    assert found["hub"] == hub.address
    looked = snug.json("look", "maker/small-GGUF")
    assert {it["quantization"] for it in looked["choices"]} == {"Q4_K_M", "Q8_0"}
    assert looked["choices"][0]["verdict"] is not None
    assert looked["page"] == f"{hub.address}/maker/small-GGUF"
    [added] = snug.json("add", "maker/small-GGUF:q8_0")["added"]
    assert added.keys() == MODEL_KEYS
    assert Path(added["path"]).read_bytes() == OTHER
    assert (added["owner"], added["repo"], added["licence"]) == (
        "snug",
        "maker/small-GGUF",
        "apache-2.0",
    )
    again = snug.json("add", "maker/small-GGUF:q8_0", code=3)
    assert again["error"]["code"] == "already_there"
    purposes = {record.purpose for record in Ledger(snug_home / "connections.jsonl").read()}
    assert purposes == {Purpose.SEARCH, Purpose.LOOK_AT_MODEL, Purpose.DOWNLOAD}
    assert snug.json("updates")["updates"] == [
        {"id": added["id"], "name": added["name"], "update": False}
    ]
    hub.change("maker/small-GGUF", "small-Q8_0.gguf", Held(SMALL), "beef" * 10)
    assert snug.json("updates", added["id"])["updates"][0]["update"] is True


def test_kept_checked_taken_along_and_removed(snug: Snug, tmp_path: Path) -> None:
    [added] = snug.json("add", "maker/small-GGUF", "--file", "small-Q4_K_M.gguf")["added"]
    model_id = added["id"]
    assert snug.json("verify", model_id)["verified"][0]["soundness"] == "sound"
    taken = Path(snug.json("export", model_id, tmp_path)["folder"])
    assert hashlib.sha256(SMALL).hexdigest() in (taken / "SHA256SUMS").read_text()
    assert snug.json("use", model_id)["chosen"] == model_id
    assert snug.json("list")["models"][0]["chosen"]
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (moved / "a letter").touch()  # so that the models get a folder of their own
    told = snug.json("move", moved)["folder"]
    assert told == snug.json("list")["folder"]
    assert Path(told).parent == moved
    [model] = [it for it in snug.json("list")["models"] if it["owner"] == "snug"]
    assert Path(model["path"]).is_relative_to(moved)
    assert model["chosen"]
    data = bytearray(SMALL)
    data[-1] ^= 1
    Path(model["path"]).write_bytes(data)
    damaged = snug.json("verify", model["id"], code=3)["verified"][0]
    assert (damaged["soundness"], damaged["bad"]) == ("damaged", [Path(model["path"]).name])
    assert snug.json("remove", model["id"], "--for-good")["freed_bytes"] >= len(SMALL)
    assert not Path(model["path"]).exists()
    assert [it["owner"] for it in snug.json("list")["models"]] == ["program"]
    [back] = snug.json("import", taken)["imported"]
    assert Path(back["path"]).read_bytes() == SMALL


def test_used_where_it_lies_and_given_back_untouched(snug: Snug, tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(SMALL)
    (tmp_path / "letter.txt").write_text("no model")
    done = snug.json("import", mine, tmp_path / "letter.txt", "--in-place")
    assert [Path(it["path"]) for it in done["imported"]] == [mine]
    assert done["refused"][0]["path"] == str(tmp_path / "letter.txt")
    [model] = [it for it in snug.json("list")["models"] if it["owner"] == "person"]
    assert snug.json("remove", model["id"])["freed_bytes"] == 0
    assert mine.read_bytes() == SMALL
    assert snug.json("import", tmp_path / "letter.txt", code=3)["imported"] == []
    starter = snug.ids()["SmolLM2 135M"]
    assert snug.json("remove", starter, code=3)["error"]["code"] == "not_ours"


def test_a_chosen_model_that_is_gone_is_shown_and_costs_no_answer(
    snug: Snug, snug_home: Path
) -> None:
    [added] = snug.json("add", "maker/small-GGUF")["added"]
    snug("use", added["id"])
    Path(added["path"]).unlink()
    gone = next(it for it in snug.json("list")["models"] if it["id"] == added["id"])
    assert gone["trouble"] == "gone"
    models = ModelService(Paths(data=snug_home, log=snug_home))
    assert models.choose().name == "SmolLM2 135M"
    assert models.fell_back == Path(added["path"])


def test_every_way_a_hub_refuses_has_its_own_words(
    snug: Snug, hub: Hub, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    said: dict[str, str] = {}

    def refused(*arguments: str, code: int = 6) -> str:
        error = snug.json(*arguments, code=code)["error"]
        said[error["code"]] = error["message"]
        return str(error["code"])

    def keep(token: str) -> None:
        stdin = io.TextIOWrapper(io.BytesIO(f"{token}\n".encode()))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert snug.json("token", "--stdin")["kept"] is True

    assert refused("add", "maker/secret-GGUF") == "token_missing"
    keep("hf_unknown")
    assert refused("add", "maker/secret-GGUF") == "token_refused"
    keep(TOKEN)
    assert refused("add", "maker/secret-GGUF") == "licence_not_accepted"
    assert refused("add", "maker/nothing") == "not_on_hub"
    hub.vanish()
    assert refused("search", "small") == "server_unreachable"
    hub.appear()
    snug.settings.set(OFFLINE, True)
    assert refused("search", "small", code=7) == "offline_only"
    assert len(set(said.values())) == len(said) == 6
    assert snug.json("token", "--forget") == {"kept": False}
    assert not store.kept
    for path in snug.home.rglob("*"):
        assert path.is_dir() or TOKEN.encode() not in path.read_bytes()


def test_ctrl_c_pauses_and_a_later_command_goes_on(
    snug: Snug, hub: Hub, starter_model: Path
) -> None:
    hub.slow_down(4 << 20)
    running = process("add", "maker/real-GGUF")
    library = snug.home / "models"
    until(lambda: sum(f.stat().st_blocks for f in library.rglob("*") if f.is_file()) * 512 > 2**21)
    running.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = running.communicate(timeout=WAIT_S)
    assert running.returncode == 130, err
    assert time.monotonic() - began < 5
    assert "goes on" in err
    [waiting] = snug.json("download", "--list")["downloads"]
    assert waiting["state"] == "paused"
    assert waiting["done_bytes"] > 0
    hub.slow_down(0)
    hub.forget()
    [done] = snug.json("download")["downloads"]
    assert done["state"] == "done"
    sent = sum(seen.sent_bytes for seen in hub.seen("cdn"))
    assert sent < starter_model.stat().st_size - waiting["done_bytes"] / 2
    [model] = [it for it in snug.json("list")["models"] if it["owner"] == "snug"]
    assert Path(model["path"]).stat().st_size == starter_model.stat().st_size
    assert snug.json("verify", model["id"])["verified"][0]["soundness"] == "sound"


def test_given_up_leaves_nothing(snug: Snug, hub: Hub) -> None:
    hub.slow_down(4 << 20)
    running = process("add", "maker/real-GGUF")
    until(lambda: [*(snug.home / "models").rglob("*.part")])
    assert snug.json("download", "--discard", code=7)["error"]["code"] == "folder_busy"
    assert snug.json("download", code=7)["error"]["code"] == "folder_busy"
    assert snug.json("download", "--list")["downloads"][0]["error"] is None
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=WAIT_S)
    assert running.returncode == 143
    [waiting] = snug.json("download", "--list")["downloads"]
    assert snug.json("download", waiting["id"][:6], "--discard")["downloads"] == []
    assert [*(snug.home / "models").rglob("*.part")] == []


def test_the_catalogue_asks_nobody(snug: Snug, hub: Hub, snug_home: Path) -> None:
    models = snug.json("catalogue")["models"]
    assert len(models) > 10
    assert {it["verdict"] for it in models} <= {"fits", "fits-slowly", "too-big", "unknown"}
    best = [it for it in models if it["recommended"]]
    assert all(it["verdict"] in ("fits", "fits-slowly") for it in best)
    assert not hub.seen()
    assert Ledger(snug_home / "connections.jsonl").read() == ()


@pytest.mark.parametrize(
    "arguments",
    [
        ("remove", "nothing"),
        ("use", "nothing"),
        ("add", "nothing"),
        ("download", "nothing"),
        ("token",),
        ("list", "more"),
    ],
)
def test_what_makes_no_sense_is_a_usage_mistake(snug: Snug, arguments: tuple[str, ...]) -> None:
    assert snug.json(*arguments, code=2)["error"]["code"] == "usage"


def test_a_token_that_can_not_be_kept(snug: Snug, store: Store, monkeypatch: Any) -> None:
    from keyring.backends import null

    keyring.set_keyring(null.Keyring())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hf_good\n")))
    assert snug.json("token", "--stdin", code=7) == {"kept": False}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("hf_ü\n".encode()), "utf-8"))
    assert snug.json("token", "--stdin", code=2)["error"]["code"] == "usage"
