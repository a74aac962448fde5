"""The client of a hub, against the loopback one: what is asked, with which token, and what comes of
each refusal."""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.errors import (
    Cancelled,
    EngineError,
    LicenceNotAccepted,
    NotOnHub,
    OfflineOnly,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    TokenMissing,
    TokenRefused,
)
from engine.hub.hub import HubClient
from engine.net.door import Door
from engine.net.requests import Patience
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from engine.types.hub import Hub, HubKind, HubRepo
from engine.types.models import ModelFormat
from tests.servers.hub import Held, Repo, hub_server
from tests.servers.hub import Hub as Server
from tests.servers.odd import Line, Script, odd_server

TOKEN = "hf_thetokenofaperson"  # noqa: S105
REPOS = (
    Repo(
        id="maker/Some-7B-GGUF",
        files={
            "README.md": Held(b"# words"),
            "Some-7B-Q4_K_M.gguf": Held(b"GGUF" * 10),
            "Some-7B-Q8_0.gguf": Held(b"GGUF" * 20),
            "mmproj-F16.gguf": Held(b"GGUF"),
        },
        downloads=5000,
    ),
    Repo(id="maker/Gated-GGUF", files={"g-Q4_0.gguf": Held(b"GGUF")}, gated="manual"),
    Repo(id="other/Some-onnx", files={"genai_config.json": Held(b"{}")}, tags=("onnx",)),
)


class Asking:
    def __init__(self, address: str, token: str | None = None) -> None:
        self.ledger: list[Connection] = []
        self.offline = False
        self.hub = Hub(kind=HubKind.HUGGING_FACE, address=address)
        door = Door(lambda: self.offline, self.ledger.append, patience=Patience(first_s=5.0))
        self.client = HubClient(door, lambda: self.hub, lambda: token)
        self.cancel = CancelToken()

    def look(self, repo: str = "maker/Some-7B-GGUF", revision: str | None = None) -> HubRepo:
        return self.client.look(repo, revision, self.cancel)


@pytest.fixture
def server() -> Iterator[Server]:
    with hub_server(*REPOS, tokens={TOKEN: frozenset()}) as hub:
        yield hub


def test_search_finds_what_has_gguf_files(server: Server) -> None:
    asking = Asking(server.address)
    hits = asking.client.search("some", 10, asking.cancel)
    assert [hit.repo for hit in hits] == ["maker/Some-7B-GGUF"]
    assert (hits[0].downloads, hits[0].licence, hits[0].gated) == (5000, "apache-2.0", False)
    assert hits[0].updated is not None
    assert [each.purpose for each in asking.ledger] == [Purpose.SEARCH]
    gated = asking.client.search("gated", 10, asking.cancel)
    assert [hit.gated for hit in gated] == [True]


def test_search_understands_addresses_and_names(server: Server) -> None:
    asking = Asking(server.address)
    for text in (
        " maker/Some-7B-GGUF ",
        "https://huggingface.co/maker/Some-7B-GGUF",
        "https://huggingface.co/maker/Some-7B-GGUF/tree/main?x=1",
        "hf.co/maker/Some-7B-GGUF:Q4_K_M",
    ):
        assert len(asking.client.search(text, 10, asking.cancel)) == 1


def test_onnx_only_where_asked(server: Server) -> None:
    asking = Asking(server.address)
    hits = asking.client.search("some", 10, asking.cancel, library=ModelFormat.ONNX)
    assert [hit.repo for hit in hits] == ["other/Some-onnx"]


def test_look_tells_the_commit_and_every_file(server: Server) -> None:
    asking = Asking(server.address)
    repo = asking.look(revision="main")
    assert repo.revision == REPOS[0].revision
    assert (repo.hub, repo.id, repo.gated, repo.licence) == (
        asking.hub,
        "maker/Some-7B-GGUF",
        False,
        "apache-2.0",
    )
    found = {file.path: (file.size_bytes, file.sha256) for file in repo.files}
    assert found["Some-7B-Q4_K_M.gguf"] == (40, Held(b"GGUF" * 10).sha256)
    assert found["README.md"] == (7, "")
    offered = asking.client.offerings(repo)
    assert [each.quantization for each in offered] == ["Q4_K_M", "Q8_0"]
    assert offered[0].projector
    assert [each.purpose for each in asking.ledger] == [Purpose.LOOK_AT_MODEL]


_CHILD = """
import os, sys
from engine.hub.hub import HubClient
from engine.net.door import Door
from engine.types.cancel import CancelToken
from engine.types.hub import Hub, HubKind
before = dict(os.environ)
hub = Hub(kind=HubKind.HUGGING_FACE, address=sys.argv[1])
for token in (None, sys.argv[2]):
    client = HubClient(Door(lambda: False), lambda: hub, lambda: token)
    client.look("maker/model", None, CancelToken())
    client.search("model", 5, CancelToken())
assert dict(os.environ) == before
"""


def test_nothing_of_the_environment_is_sent_and_nothing_written(tmp_path: Path) -> None:
    """In a process of its own: the library reads its environment when it is imported."""
    hostile = {
        "HF_TOKEN": "hf_environment",
        "HUGGING_FACE_HUB_TOKEN": "hf_environment",
        "HF_TOKEN_PATH": str(tmp_path / "token"),
        "HF_HUB_OFFLINE": "1",
        "HF_DEBUG": "1",
        "HF_HUB_ETAG_TIMEOUT": "long",
        "HF_HUB_DOWNLOAD_TIMEOUT": "longer",
        "HF_ENDPOINT": "http://127.0.0.1:9",
        "HOME": str(tmp_path / "home"),
    }
    (tmp_path / "token").write_text("hf_kept")
    (tmp_path / "home").mkdir()
    bodies = (b'{"id": "a/b", "sha": "c", "siblings": []}', b"[]")

    def script(line: Line) -> None:
        line.say(200, bodies[line.asked.path.startswith("/api/models?")])

    with odd_server(script, path="") as odd:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, odd.address, TOKEN],
            env=os.environ | hostile | {"PYTHONPATH": str(Path(__file__).parents[4])},
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    sent = [asked.headers.get("authorization") for asked in odd.asked]
    assert sent == [None, None, f"Bearer {TOKEN}", f"Bearer {TOKEN}"]
    assert {asked.headers["user-agent"] for asked in odd.asked} == {"Snug"}
    assert not list((tmp_path / "home").iterdir())


@pytest.mark.parametrize(
    ("repo", "token", "kind"),
    [
        ("maker/none", None, NotOnHub),
        ("maker/none", TOKEN, NotOnHub),
        ("maker/none", "hf_wrong", TokenRefused),
        ("../etc", None, NotOnHub),
        ("maker/../x", None, NotOnHub),
        ("maker", None, NotOnHub),
        ("maker/a?b", None, NotOnHub),
    ],
)
def test_what_is_not_there(
    server: Server, repo: str, token: str | None, kind: type[EngineError]
) -> None:
    with pytest.raises(kind):
        Asking(server.address, token).look(repo)


def test_a_revision_that_is_not_there(server: Server) -> None:
    asking = Asking(server.address)
    for revision in ("dead" * 10, "../main", "a b"):
        with pytest.raises(NotOnHub):
            asking.look(revision=revision)


def say(status: int, body: bytes = b"{}", kind: str = "application/json", **headers: str) -> Script:
    return lambda line: line.say(status, body, kind, **headers)


def _echo(line: Line) -> None:
    said = line.asked.headers.get("authorization", "")
    line.say(401, said.encode(), X_Error_Message=said, X_Request_Id=said, X_Error_Code=said)


PORTAL = b"<!doctype html><title>Hotel</title>"
ANSWERS: dict[str, tuple[Script, type[EngineError]]] = {
    "no token": (say(401, X_Error_Code="GatedRepo"), TokenMissing),
    "licence": (say(403, X_Error_Code="GatedRepo"), LicenceNotAccepted),
    "firewall": (say(403, PORTAL, "text/html"), ServerIncomprehensible),
    "busy": (say(429, Retry_After="9"), ServerBusy),
    "down": (say(503, PORTAL, "text/html"), ServerFailed),
    "portal": (say(200, PORTAL, "text/html"), ServerIncomprehensible),
    "portal as JSON": (say(200, PORTAL), ServerIncomprehensible),
    "other JSON": (say(200, b"[1, 2]"), ServerIncomprehensible),
    "null": (say(200, b"null"), ServerIncomprehensible),
    "no commit": (say(200, b'{"id": "a/b", "siblings": []}'), ServerIncomprehensible),
    "deep": (say(200, b"[" * 100_000), ServerIncomprehensible),
    "echo": (_echo, TokenRefused),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_is_one_of_ours(name: str, caplog: pytest.LogCaptureFixture) -> None:
    script, kind = ANSWERS[name]
    token = TOKEN if name == "echo" else None
    caplog.set_level(logging.DEBUG)
    logging.getLogger("huggingface_hub").propagate = True
    with odd_server(script, path="") as odd, pytest.raises(kind) as caught:
        Asking(odd.address, token).look("a/b")
    assert len(odd.asked) == 1  # the library does not try again by itself
    error = caught.value
    assert TOKEN not in f"{error} {error!r} {vars(error)} {error.__cause__!r}"
    assert TOKEN not in caplog.text


def test_fields_of_other_kinds_are_as_if_missing() -> None:
    odd_fields = (
        b'{"id": 7, "sha": "c", "gated": "auto", "tags": [3], "siblings": '
        b'[{"rfilename": "m.gguf", "size": "x"}, {"rfilename": {}, "size": -1}, '
        b'{"rfilename": "l.gguf", "size": 1%b}]}' % (b"0" * 400)
    )
    with odd_server(say(200, odd_fields), path="") as odd:
        repo = Asking(odd.address).look("a/b")
    assert (repo.id, repo.gated, repo.licence) == ("a/b", True, "")
    assert [(file.path, file.size_bytes) for file in repo.files] == [
        ("m.gguf", None),
        ("", None),
        ("l.gguf", None),
    ]


def test_a_page_to_accept_the_licence_at() -> None:
    with odd_server(say(403), path="") as odd, pytest.raises(LicenceNotAccepted) as caught:
        Asking(odd.address).look("a/b")
    assert caught.value.page == f"{odd.address}/a/b"


def test_a_search_has_one_page_wherever_the_hub_says_that_the_next_is() -> None:
    """The library would go there with the token, and on and on."""

    def script(line: Line) -> None:
        line.say(200, b'[{"id": "a/b"}]', Link=f'<{other.address}/api/models?c=2>; rel="next"')

    with odd_server(say(200, b"[]"), path="") as other, odd_server(script, path="") as odd:
        hits = Asking(odd.address, TOKEN).client.search("x", 5, CancelToken())
    assert [hit.repo for hit in hits] == ["a/b"]
    assert (len(odd.asked), other.asked) == (1, [])


def test_names_that_no_repository_can_have_are_not_believed() -> None:
    found = b'[{"id": "../x/y"}, {"id": 7}, {"id": "a/b\\u0000"}, {"id": "a/b", "tags": %b}]'
    tags = b'["license:one\\u202e%b"]' % (b"x" * 500)
    with odd_server(say(200, found % tags), path="") as odd:
        (hit,) = Asking(odd.address).client.search("x", 5, CancelToken())
    assert (hit.repo, len(hit.licence)) == ("a/b", 100)
    assert hit.licence.startswith("onex")
    look = b'{"id": "../../x", "sha": "%b", "siblings": []}'
    with odd_server(say(200, look % b"c0"), path="") as odd:
        assert Asking(odd.address).look("a/b").id == "a/b"
    for commit in (b"../x", b"a b", b"-" * 10, b"c" * 300):
        with (
            odd_server(say(200, look % commit), path="") as odd,
            pytest.raises(ServerIncomprehensible),
        ):
            Asking(odd.address).look("a/b")


def test_a_hash_that_is_none_is_not_known() -> None:
    siblings = ",".join(
        f'{{"rfilename": "{number}", "lfs": {{"size": 1, "sha256": "{said}", "pointerSize": 1}}}}'
        for number, said in enumerate(("abc", "g" * 64, "A1" * 32, ""))
    )
    body = f'{{"id": "a/b", "sha": "c0", "siblings": [{siblings}]}}'.encode()
    with odd_server(say(200, body), path="") as odd:
        files = Asking(odd.address).look("a/b").files
    assert [file.sha256 for file in files] == ["", "", "a1" * 32, ""]


def test_what_would_fill_the_memory_is_not_parsed() -> None:
    """Nor held: 8 MiB at most."""
    many = b'{"id": "a/b", "sha": "c0", "siblings": [], "x": [%b0]}' % (b"[]," * 200_000)
    long = b'{"id": "a/b", "sha": "c0", "siblings": [], "x": "%b"}' % (b"x" * (9 << 20))
    for body in (many, long):
        for kind in HubKind:
            with odd_server(say(200, body), path="") as odd:
                asking = Asking(odd.address)
                asking.hub = Hub(kind=kind, address=odd.address)
                with pytest.raises(ServerIncomprehensible):
                    asking.look("a/b")
                assert asking.ledger[0].bytes_received < 9 << 20


def test_cancel_and_the_switch_hold(server: Server) -> None:
    asking = Asking(server.address)
    asking.offline = True
    with pytest.raises(OfflineOnly):
        asking.look()
    assert not server.seen()
    asking.offline = False
    asking.cancel.cancel()
    with pytest.raises(Cancelled):
        asking.look()


def test_cancel_ends_a_silent_server() -> None:
    def script(line: Line) -> None:
        asking.cancel.cancel()
        line.hang()

    with odd_server(script, path="") as odd:
        asking = Asking(odd.address)
        with pytest.raises(Cancelled):
            asking.look("a/b")


def test_two_threads_ask_each_for_themselves() -> None:
    """The library has one client for all; ours has one for each that asks."""
    together = threading.Barrier(2, timeout=10)

    def script(line: Line) -> None:
        together.wait()
        owner = line.asked.path.split("/")[3]
        line.say(200, b'{"id": "%s/b", "sha": "c", "siblings": []}' % owner.encode())

    found: dict[str, tuple[str, int]] = {}

    def ask(owner: str) -> None:
        asking = Asking(odd.address, f"hf_{owner}")
        found[owner] = (asking.look(f"{owner}/b").id, len(asking.ledger))

    with odd_server(script, path="") as odd:
        threads = [threading.Thread(target=ask, args=(owner,)) for owner in ("one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        keys = {asked.path: asked.headers["authorization"] for asked in odd.asked}
    assert found == {"one": ("one/b", 1), "two": ("two/b", 1)}
    assert all(f"hf_{path.split('/')[3]}" in key for path, key in keys.items())


def test_requests_for_files() -> None:
    hub = Hub(kind=HubKind.HUGGING_FACE, address="https://hub.example")
    make: Callable[[Hub], HubRepo] = lambda where: HubRepo(  # noqa: E731
        hub=where, id="a/b", revision="refs/pr/1", gated=False, licence="", files=()
    )
    client = HubClient(Door(lambda: False), lambda: hub, lambda: TOKEN)
    request = client.file_request(make(hub), "Q4 K/模%2F#.gguf")
    assert request.url == (
        "https://hub.example/a/b/resolve/refs%2Fpr%2F1/Q4%20K/%E6%A8%A1%252F%23.gguf"
    )
    assert (request.key, request.purpose) == (TOKEN, Purpose.DOWNLOAD)
    assert TOKEN not in repr(request)
    mirror = Hub(kind=HubKind.HUGGING_FACE, address="https://mirror.example/hf")
    other = client.file_request(make(mirror), "m.gguf")
    assert (other.address, other.key) == ("https://mirror.example/hf", None)
    scope = Hub(kind=HubKind.MODELSCOPE, address="https://scope.example")
    assert client.file_request(make(scope), "m.gguf").path.startswith("/models/a/b/resolve/")
