"""Hugging Face's API, and mirrors of it, through its own library and our door.

The library is given our client, so ledger, proxy, offline switch and cancel hold; it gets no token
but the one handed in, and writes nothing. Loaded with the first request. Any thread but the GUI's.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from importlib.metadata import version
from typing import Any, TypeVar

from engine.errors import EngineError, ServerIncomprehensible
from engine.hub.answers import count, label, refuse_flood, sha256, text
from engine.hub.refusals import refusal, refuse_page
from engine.hub.repos import is_revision, page_of, repo_in
from engine.types.hub import Hub, HubFile, HubHit, HubRepo

T = TypeVar("T")
_WANTED = ["downloads", "likes", "gated", "lastModified", "tags"]
_LICENCE = "license:"
_ENVIRONMENT = {
    "HF_DEBUG": "0",  # it would log requests whole, with their token
    "HF_HUB_DISABLE_EXPERIMENTAL_WARNING": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_SYMLINKS_WARNING": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "HF_HUB_DISABLE_XET": "1",
    "HF_HUB_DOWNLOAD_TIMEOUT": "10",  # a word that is no number ends the import
    "HF_HUB_ENABLE_HF_TRANSFER": "0",
    "HF_HUB_ETAG_TIMEOUT": "10",
    "HF_HUB_OFFLINE": "0",  # the switch is ours
    "TRANSFORMERS_OFFLINE": "0",
}
"""What the library reads while it is imported, and only then."""

_import_lock = threading.Lock()
_here = threading.local()


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """For whom the library asks: `client` is an httpx client of `engine.net.client`."""

    hub: Hub
    client: Any
    token: str | None = field(default=None, repr=False)


def search(caller: Caller, words: str, limit: int, library: str) -> tuple[HubHit, ...]:
    """Repositories that hold files for `library` ("gguf", "onnx"), most downloaded first.
    Raises a `RemoteError` or `Cancelled`."""

    def ask(api: Any) -> tuple[HubHit, ...]:
        found = api.list_models(
            search=words or None,
            filter=library,
            sort="downloads",
            limit=limit,
            expand=_WANTED,
            token=caller.token or False,
        )
        return tuple(_hit(info) for info in found if repo_in(text(info.id)))

    return _asked(caller, "", ask)


def look(caller: Caller, repo: str, revision: str | None) -> HubRepo:
    """A repository at the commit that `revision` means now. Raises as `search`."""

    def ask(api: Any) -> HubRepo:
        info = api.model_info(
            repo, revision=revision, files_metadata=True, token=caller.token or False
        )
        return HubRepo(
            hub=caller.hub,
            id=repo_in(text(info.id)) or repo,  # it may have been renamed
            revision=_commit(info.sha),
            gated=bool(info.gated),
            licence=_licence(info),
            files=tuple(_file(sibling) for sibling in info.siblings or ()),
        )

    return _asked(caller, repo, ask)


# --- what the library makes of an answer ----------------------------------------------------------


def _hit(info: Any) -> HubHit:
    updated = info.last_modified
    return HubHit(
        repo=text(info.id),
        downloads=count(info.downloads) or 0,
        likes=count(info.likes) or 0,
        gated=bool(info.gated),
        licence=_licence(info),
        updated=updated if isinstance(updated, datetime) else None,
    )


def _file(sibling: Any) -> HubFile:
    lfs = sibling.lfs
    return HubFile(
        path=text(sibling.rfilename),
        size_bytes=count(lfs.size if lfs else sibling.size),
        sha256=sha256(lfs.sha256) if lfs else "",
    )


def _licence(info: Any) -> str:
    tags = [tag for tag in info.tags or () if isinstance(tag, str)]
    found = next((tag for tag in tags if tag.startswith(_LICENCE)), "")
    if found:
        return label(found.removeprefix(_LICENCE))
    card = info.card_data.to_dict() if info.card_data else {}
    return label(card.get("license"))


def _commit(sha: object) -> str:
    if not isinstance(sha, str) or not is_revision(sha):
        raise ValueError("no commit")
    return sha


# --- the library ----------------------------------------------------------------------------------


def _asked(caller: Caller, repo: str, ask: Callable[[Any], T]) -> T:
    api_class = _api_class()
    address = caller.hub.address
    try:
        with _asking(caller, repo), caller.client:
            return ask(api_class(endpoint=address, token=False))
    except EngineError:
        raise
    except Exception as error:  # a stranger's JSON in a stranger's code: it raises what it likes
        raise ServerIncomprehensible(address, type(error).__name__) from error


@contextmanager
def _asking(caller: Caller, repo: str) -> Iterator[None]:
    _here.asking = (caller, repo)
    try:
        yield
    finally:
        del _here.asking


class _Session:
    """What the library takes for its client: that of the thread which asks. Refusals end here, with
    words of ours, before the library waits and tries again, or repeats a request in an error. And
    there is no second page: the first has all that was asked for, and the library would take the
    token wherever the hub says that the next one is."""

    def get(self, url: str, **options: Any) -> Any:
        return self.request("GET", url, **options)

    def request(self, method: str, url: str, **options: Any) -> Any:
        caller, repo = _here.asking
        response = caller.client.request(method, url, **options)
        headers: Mapping[str, str] = response.headers
        if response.status_code >= 400:
            page, token = page_of(caller.hub, repo), caller.token
            raise refusal(response.status_code, headers, caller.hub.address, page, bool(token))
        refuse_page(headers, caller.hub.address)
        refuse_flood(response.content, caller.hub.address)
        response.headers.pop("Link", None)
        return response

    def close(self) -> None:
        """Whoever made the client closes it."""


@lru_cache(maxsize=1)
def _api_class() -> Any:
    with _import_lock:
        kept = {name: os.environ.get(name) for name in _ENVIRONMENT}
        os.environ.update(_ENVIRONMENT)
        try:
            import huggingface_hub  # noqa: PLC0415 - slow, and reads the environment

            api = huggingface_hub.HfApi  # which imports all the rest that is needed
        finally:
            _restore(kept)
        logging.getLogger("huggingface_hub").setLevel(logging.CRITICAL)  # it writes to stderr
        huggingface_hub.set_client_factory(_session)
        return api


def client_version() -> str:
    """Of the library that talks to the hub. Raises `ImportError` where a part of it is missing."""
    _api_class()
    return version("huggingface-hub")


def _session() -> Any:
    return _Session()


def _restore(kept: Mapping[str, str | None]) -> None:
    for name, value in kept.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
