"""ModelScope, as its page and its library speak to it."""

import json

import pytest

from engine.errors import (
    Cancelled,
    EngineError,
    NotOnHub,
    ServerBusy,
    ServerIncomprehensible,
    ServerSilent,
    TokenMissing,
    TokenRefused,
)
from engine.hub import modelscope
from engine.hub.hub import HubClient
from engine.net.door import Door
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from engine.types.hub import Hub, HubKind
from tests.servers.odd import Line, Script, odd_server

TOKEN = "ms_thetokenofaperson"  # noqa: S105
SHA256 = "ab" * 32
FILES = {
    "Code": 200,
    "Data": {
        "Files": [
            {"Path": "Q4_K_M", "Name": "Q4_K_M", "Type": "tree", "Size": 0},
            {
                "Path": "Q4_K_M/Qwen3-4B-Q4_K_M.gguf",
                "Name": "Qwen3-4B-Q4_K_M.gguf",
                "Type": "blob",
                "Size": 123,
                "Sha256": SHA256.upper(),
                "Revision": "c0ffee",
            },
            {"Path": "README.md", "Type": "blob", "Size": "odd", "Sha256": ""},
            "not a file",
        ]
    },
    "Success": True,
}
FOUND = {
    "Code": 200,
    "Data": {
        "Model": {
            "Models": [
                {
                    "Path": "Qwen",
                    "Name": "Qwen3-4B-GGUF",
                    "Downloads": 9000,
                    "Stars": 12,
                    "License": "apache-2.0",
                    "LastUpdatedTime": 1_760_000_000,
                },
                {"Path": "", "Name": "nobody"},
                {"Path": "a", "Name": "b", "Downloads": -1, "LastUpdatedTime": 10**30},
                3,
            ],
            "TotalCount": 4,
        }
    },
}


def scope(line: Line) -> None:
    asked = line.asked
    if asked.path.startswith("/api/v1/dolphin/models"):
        answer: object = FOUND
    elif "/repo/files" in asked.path:
        answer = FILES
    else:
        answer = {"Code": 200, "Data": {"License": "Apache License 2.0"}}
    line.say(200, json.dumps(answer).encode())


class Asking:
    def __init__(self, address: str, token: str | None = None) -> None:
        self.ledger: list[Connection] = []
        self.hub = Hub(kind=HubKind.MODELSCOPE, address=address)
        self.cancel = CancelToken()
        door = Door(lambda: False, self.ledger.append)
        self.client = HubClient(door, lambda: self.hub, lambda: token)


def test_search() -> None:
    with odd_server(scope, path="") as odd:
        asking = Asking(odd.address, TOKEN)
        hits = asking.client.search("qwen3 模型", 20, asking.cancel)
    assert [(hit.repo, hit.downloads, hit.likes, hit.licence) for hit in hits] == [
        ("Qwen/Qwen3-4B-GGUF", 9000, 12, "apache-2.0"),
        ("a/b", 0, 0, ""),
    ]
    assert hits[0].updated is not None
    assert hits[0].updated.year == 2025
    (asked,) = odd.asked
    assert (asked.method, asked.path) == ("PUT", "/api/v1/dolphin/models")
    assert asked.json["Name"] == "qwen3 模型"
    assert asked.json["PageSize"] == 20
    assert asked.headers["authorization"] == f"Bearer {TOKEN}"
    assert [each.purpose for each in asking.ledger] == [Purpose.SEARCH]


def test_look() -> None:
    with odd_server(scope, path="") as odd:
        asking = Asking(odd.address)
        repo = asking.client.look("Qwen/Qwen3-4B-GGUF", None, asking.cancel)
    assert (repo.id, repo.revision, repo.licence) == (
        "Qwen/Qwen3-4B-GGUF",
        "master",
        "Apache License 2.0",
    )
    found = {file.path: (file.size_bytes, file.sha256) for file in repo.files}
    assert found == {"Q4_K_M/Qwen3-4B-Q4_K_M.gguf": (123, SHA256), "README.md": (None, "")}
    assert odd.asked[0].path == (
        "/api/v1/models/Qwen/Qwen3-4B-GGUF/repo/files?Revision=master&Recursive=true"
    )
    (offering,) = asking.client.offerings(repo)
    assert (offering.quantization, offering.name) == ("Q4_K_M", "Qwen3 4B")
    request = asking.client.file_request(repo, offering.files[0].path)
    assert request.path == "/models/Qwen/Qwen3-4B-GGUF/resolve/master/Q4_K_M/Qwen3-4B-Q4_K_M.gguf"


def test_a_licence_that_is_not_told_costs_nothing() -> None:
    def script(line: Line) -> None:
        if "/repo/files" in line.asked.path:
            scope(line)
        else:
            line.say(500, b"")

    with odd_server(script, path="") as odd:
        asking = Asking(odd.address)
        assert asking.client.look("a/b", None, asking.cancel).licence == ""


def say(status: int, body: bytes = b"{}", kind: str = "application/json", **headers: str) -> Script:
    return lambda line: line.say(status, body, kind, **headers)


@pytest.mark.parametrize(
    ("script", "token", "kind"),
    [
        (say(404), None, NotOnHub),
        (say(200, b'{"Code": 10010205001, "Message": "no"}'), None, NotOnHub),
        (say(200, b'{"Code": 500}'), None, ServerIncomprehensible),
        (say(200, b'{"Code": 200, "Data": {}}'), None, ServerIncomprehensible),
        (say(200, b'{"Code": 200, "Data": []}'), None, ServerIncomprehensible),
        (say(200, b"<html>", "text/html"), None, ServerIncomprehensible),
        (say(200, b"<html>"), None, ServerIncomprehensible),
        (say(200, b"[" * 100_000), None, ServerIncomprehensible),
        (say(401), None, TokenMissing),
        (say(401), TOKEN, TokenRefused),
        (say(429, Retry_After="3"), None, ServerBusy),
    ],
)
def test_refusals(script: Script, token: str | None, kind: type[EngineError]) -> None:
    with odd_server(script, path="") as odd, pytest.raises(kind) as caught:
        Asking(odd.address, token).client.look("a/b", None, CancelToken())
    assert TOKEN not in f"{caught.value!r} {vars(caught.value)}"


def test_a_cancel_while_the_licence_is_asked_for_is_one() -> None:
    def script(line: Line) -> None:
        if "/repo/files" not in line.asked.path:
            asking.cancel.cancel()
        scope(line)

    with odd_server(script, path="") as odd:
        asking = Asking(odd.address)
        with pytest.raises(Cancelled):
            asking.client.look("a/b", None, asking.cancel)


def test_names_that_lead_elsewhere_are_not_asked_for() -> None:
    with odd_server(scope, path="") as odd:
        asking = Asking(odd.address)
        for repo in ("a/../b", "a/b/c", "a/b?x=", "a b/c", "/a/b"):
            with pytest.raises(NotOnHub):
                asking.client.look(repo, None, asking.cancel)
        with pytest.raises(NotOnHub):
            asking.client.look("a/b", "../x", asking.cancel)
    assert not odd.asked


def test_nobody_waits_long_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def drips(line: Line) -> None:
        line.head(200, "application/json", Content_Length="999")
        while not line.closing.wait(0.05):
            line.send(b" ")

    monkeypatch.setattr(modelscope, "WHOLE_S", 0.3)
    with odd_server(drips, path="") as odd, pytest.raises(ServerSilent):
        Asking(odd.address).client.look("a/b", None, CancelToken())
