"""What the loopback hub knows: repositories, tokens, what it was asked, and how it misbehaves now.

Shared by all connections; what changes is behind one lock.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from tests.servers.hub_contents import Content, Held
from tests.servers.hub_wire import Seen

_BIG_BYTES = 1 << 20
_BIG_ENDINGS = (".gguf", ".onnx", ".onnx.data", ".safetensors", ".bin")


@dataclass(frozen=True, kw_only=True)
class Repo:
    """`licences` of the real hub are in the card and in the tags; `gated` is "auto" or "manual"
    there. `revision` is its newest commit, which "main" means."""

    id: str
    files: Mapping[str, Content]
    revision: str = "5ca1ab1e" * 5
    gated: str = ""
    licence: str = "apache-2.0"
    downloads: int = 1000
    likes: int = 10
    tags: tuple[str, ...] = ("gguf",)

    @property
    def all_tags(self) -> list[str]:
        return [*self.tags, f"license:{self.licence}"] if self.licence else [*self.tags]

    def is_at(self, revision: str) -> bool:
        return revision in ("main", self.revision)


def is_large(path: str, content: Content) -> bool:
    """Whether the hub keeps a file beside git, and sends whoever wants it to another origin."""
    return path.endswith(_BIG_ENDINGS) or content.size_bytes > _BIG_BYTES


def git_hash(content: Content) -> str:
    """As git names a small file; of a large one, something of the same length."""
    if isinstance(content, Held):
        return hashlib.sha1(b"blob %d\0" % content.size_bytes + content.data).hexdigest()  # noqa: S324
    return content.sha256[:40]


def etag_of(content: Content) -> str:
    """Of the origin with the bytes: another one than the hub's, which is the sha256."""
    return '"' + hashlib.md5(content.sha256.encode()).hexdigest() + '"'  # noqa: S324


@dataclass(kw_only=True)
class Shelf:
    """`tokens` maps each valid token to the gated repositories whose licence it has accepted."""

    repos: dict[str, Repo]
    tokens: Mapping[str, frozenset[str]]
    speed: int = 0
    """Bytes a second of each connection; 0 is without limit."""
    vanish: Callable[[float], None] = lambda _: None
    """Both ports are closed for so many seconds, and what is connected is cut off."""
    seen: list[Seen] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def note(self, seen: Seen) -> None:
        with self.lock:
            self.seen.append(seen)

    def count(self, what: str) -> int:
        """How often `what` was counted before."""
        with self.lock:
            self.counts[what] += 1
            return self.counts[what] - 1

    def counted(self, what: str) -> int:
        with self.lock:
            return self.counts[what]

    def change(self, repo: str, path: str, content: Content, revision: str = "") -> None:
        """What git's history would have as another commit, or a hub's error without one."""
        with self.lock:
            old = self.repos[repo]
            files = {**old.files, path: content}
            self.repos[repo] = replace(old, files=files, revision=revision or old.revision)

    def replace(self, old: Content, new: Content) -> None:
        """Wherever it is, and without another commit."""
        places = [
            (repo.id, path)
            for repo in self.repos.values()
            for path, content in repo.files.items()
            if content == old
        ]
        for repo_id, path in places:
            self.change(repo_id, path, new)

    def by_hash(self, sha256: str) -> Content | None:
        with self.lock:
            repos = tuple(self.repos.values())
        for repo in repos:
            for content in repo.files.values():
                if content.sha256 == sha256:
                    return content
        return None
