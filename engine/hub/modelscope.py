"""ModelScope's API, asked through our door: its search, and the files of a repository.

Undocumented in parts; what is sent and read here is what its own web page and library do (2026).
Any thread but the GUI's.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from engine.errors import NotOnHub, RemoteError, ServerIncomprehensible
from engine.hub.answers import (
    FIRST_WORD_S,
    LIMIT_BYTES,
    WHOLE_S,
    count,
    label,
    refuse_flood,
    sha256,
    text,
)
from engine.hub.refusals import refusal, refuse_page
from engine.hub.repos import checked_revision, page_of, quoted, repo_in
from engine.net.door import Door
from engine.net.following import follow
from engine.net.requests import Method, Request
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from engine.types.hub import Hub, HubFile, HubHit, HubRepo

_BRANCH = "master"
_SEARCH = "/api/v1/dolphin/models"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks, and what for."""

    hub: Hub
    door: Door
    cancel: CancelToken
    purpose: Purpose
    token: str | None = field(default=None, repr=False)


def search(caller: Caller, words: str, limit: int, library: str) -> tuple[HubHit, ...]:
    """Repositories with files for `library` ("gguf", "onnx"), as ModelScope orders them. Raises a
    `RemoteError` or `Cancelled`."""
    criterion = {
        "category": "libraries",
        "predicate": "contains",
        "values": [library],
        "sub_values": [],
    }
    body = {
        "Name": words,
        "PageNumber": 1,
        "PageSize": limit,
        "SortBy": "Default",
        "Target": "",
        "SingleCriterion": [],
        "Criterion": [criterion],
    }
    data = _ask(caller, _SEARCH, "", body)
    found = _mapping(data.get("Model")).get("Models")
    hits = [_hit(_mapping(row)) for row in found] if isinstance(found, list) else []
    return tuple(hit for hit in hits if hit is not None)[:limit]


def look(caller: Caller, repo: str, revision: str | None) -> HubRepo:
    """The files of a repository. ModelScope names no commit: a branch stays a branch, and hashes
    say whether a file is still the same. Raises as `search`."""
    wanted = checked_revision(caller.hub, revision or _BRANCH)
    query = f"?Revision={quoted(wanted).replace('/', '%2F')}&Recursive=true"
    rows = _ask(caller, f"/api/v1/models/{repo}/repo/files{query}", repo).get("Files")
    if not isinstance(rows, list):
        raise ServerIncomprehensible(caller.hub.address, "no list of files")
    return HubRepo(
        hub=caller.hub,
        id=repo,
        revision=wanted,
        gated=False,
        licence=_licence(caller, repo),
        files=tuple(_file(row) for row in map(_mapping, rows) if _is_file(row)),
    )


def _licence(caller: Caller, repo: str) -> str:
    """Not worth failing for; a cancel is."""
    try:
        return label(_ask(caller, f"/api/v1/models/{repo}", repo).get("License"))
    except RemoteError:
        return ""


def _hit(row: Mapping[str, Any]) -> HubHit | None:
    repo = f"{text(row.get('Path'))}/{text(row.get('Name'))}"
    if not repo_in(repo):
        return None
    return HubHit(
        repo=repo,
        downloads=count(row.get("Downloads")) or 0,
        likes=count(row.get("Stars")) or 0,
        gated=False,
        licence=label(row.get("License")),
        updated=_moment(row.get("LastUpdatedTime")),
    )


def _is_file(row: Mapping[str, Any]) -> bool:
    return bool(text(row.get("Path"))) and row.get("Type") != "tree"


def _file(row: Mapping[str, Any]) -> HubFile:
    return HubFile(
        path=text(row.get("Path")),
        size_bytes=count(row.get("Size")),
        sha256=sha256(row.get("Sha256")),
    )


# --- asking ---------------------------------------------------------------------------------------


def _ask(
    caller: Caller, path: str, repo: str, body: Mapping[str, object] | None = None
) -> Mapping[str, Any]:
    """The `Data` of an answer."""
    request = Request(
        purpose=caller.purpose,
        address=caller.hub.address,
        path=path,
        key=caller.token or None,
        body=body,
        first_s=FIRST_WORD_S,
        limit_bytes=LIMIT_BYTES,
        method=None if body is None else Method.PUT,
    )
    address = caller.hub.address
    with follow(caller.door, request, caller.cancel) as exchange:
        if exchange.status != 200:
            page = page_of(caller.hub, repo)
            raise refusal(exchange.status, exchange.headers, address, page, bool(caller.token))
        refuse_page(exchange.headers, address)
        answer = _parsed(b"".join(exchange.chunks(WHOLE_S)), address)
    if answer.get("Code") not in (None, 200):
        absent = answer.get("Code") in (404, 10010205001)
        raise (NotOnHub if absent else ServerIncomprehensible)(address, "it refused")
    return _mapping(answer.get("Data"))


def _parsed(body: bytes, address: str) -> Mapping[str, Any]:
    refuse_flood(body, address)
    try:
        return _mapping(json.loads(body))
    except (ValueError, RecursionError) as error:
        raise ServerIncomprehensible(address, "no JSON") from error


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _moment(value: object) -> datetime | None:
    """Of seconds since 1970."""
    try:
        return datetime.fromtimestamp(value, UTC) if isinstance(value, int) and value else None
    except (ValueError, OverflowError, OSError):
        return None
