"""Repositories by name, and the addresses of their files. Pure, any thread."""

import re
from typing import Protocol

from engine.errors import NotOnHub
from engine.net.requests import Request
from engine.types.connections import Purpose
from engine.types.hub import Hub, HubKind

_REPO = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,95}/[A-Za-z0-9_][A-Za-z0-9._-]{0,95}")
_REVISION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}")
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_LINK = re.compile(
    r"(?:https?://[^/\s]+|hf\.co|huggingface\.co|modelscope\.cn)/"
    r"(?:models/)?(?P<repo>[^/\s?#:]+/[^/\s?#:]+)(?:[/?#:].*)?"
)
"""Ollama's way to say it ends with a quantization: "hf.co/owner/name:Q4_K_M"."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")


class RepoLike(Protocol):
    """What names a repository at one commit, such as a `HubRepo`."""

    @property
    def hub(self) -> Hub: ...
    @property
    def id(self) -> str: ...
    @property
    def revision(self) -> str: ...


def checked_repo(hub: Hub, repo: str) -> str:
    """An owner/name that can stand in an address. Raises `NotOnHub`."""
    if not _REPO.fullmatch(repo) or ".." in repo:
        raise NotOnHub(hub.address, "no such name")
    return repo


def checked_revision(hub: Hub, revision: str) -> str:
    if not is_revision(revision):
        raise NotOnHub(hub.address, "no such revision")
    return revision


def is_revision(text: str) -> bool:
    """Whether it can stand in an address."""
    return _REVISION.fullmatch(text) is not None and ".." not in text


def is_commit(revision: str) -> bool:
    """Whether it means the same files for good; a branch does not."""
    return _COMMIT.fullmatch(revision) is not None


def repo_in(text: str) -> str | None:
    """The owner/name in what a person typed or pasted; None where it is something else."""
    text = text.strip()
    link = _LINK.fullmatch(text)
    name = link["repo"] if link else text
    return name if _REPO.fullmatch(name) and ".." not in name else None


def page_of(hub: Hub, repo: str) -> str:
    """Where a person reads about a repository, and accepts its licence."""
    folder = "models/" if hub.kind is HubKind.MODELSCOPE else ""
    return f"{hub.address}/{folder}{repo}"


def resolve_request(
    repo: RepoLike, path: str, token: str | None, purpose: Purpose = Purpose.DOWNLOAD
) -> Request:
    """What asks for a file of a repository. Hubs answer it with a redirect to a store elsewhere,
    which must not get the token. Raises `NotOnHub` for names that can be on none."""
    name = checked_repo(repo.hub, repo.id)
    revision = checked_revision(repo.hub, repo.revision).replace("/", "%2F")
    folder = "/models" if repo.hub.kind is HubKind.MODELSCOPE else ""
    return Request(
        purpose=purpose,
        address=repo.hub.address,
        path=f"{folder}/{name}/resolve/{revision}/{quoted(path)}",
        key=token or None,
    )


def quoted(path: str) -> str:
    """For the path of an address; slashes stay. Percent signs that are there are quoted too."""
    return "".join(sign if sign in _PLAIN else _percent(sign) for sign in path)


def _percent(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode("utf-8", "replace"))
