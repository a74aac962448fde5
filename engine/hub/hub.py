"""A hub, whichever it is: what it has, what is in a repository, and how a file is asked for.

Waits for servers: any thread but the GUI's. Every request is a person's act, and goes through the
door.
"""

from collections.abc import Callable

from engine.hub import huggingface, modelscope
from engine.hub.answers import LIMIT_BYTES
from engine.hub.grouping import group
from engine.hub.repos import RepoLike, checked_repo, checked_revision, repo_in, resolve_request
from engine.net.door import Door
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from engine.types.hub import Hub, HubHit, HubKind, HubRepo, Offering
from engine.types.models import ModelFormat

MOST_HITS = 100


class HubClient:
    """`hub` and `token` are asked before each request: settings change. The token is that of the
    hub in use, and goes to no other."""

    def __init__(self, door: Door, hub: Callable[[], Hub], token: Callable[[], str | None]) -> None:
        self._door = door
        self._hub = hub
        self._token = token

    def search(
        self,
        text: str,
        limit: int,
        cancel: CancelToken,
        *,
        library: ModelFormat = ModelFormat.GGUF,
    ) -> tuple[HubHit, ...]:
        """Repositories with models of that format, at most `MOST_HITS`. The address of one, or its
        owner/name, finds it. Raises a `RemoteError` or `Cancelled`."""
        hub, text = self._hub(), repo_in(text) or text.strip()
        limit = max(1, min(limit, MOST_HITS))
        if hub.kind is HubKind.MODELSCOPE:
            return modelscope.search(
                self._modelscope(hub, cancel, Purpose.SEARCH), text, limit, library.value
            )
        caller = self._huggingface(hub, cancel, Purpose.SEARCH)
        return huggingface.search(caller, text, limit, library.value)

    def look(
        self,
        repo: str,
        revision: str | None,
        cancel: CancelToken,
        purpose: Purpose = Purpose.LOOK_AT_MODEL,
    ) -> HubRepo:
        """A repository at `revision`, or as it is now. Raises a `RemoteError` or `Cancelled`."""
        hub = self._hub()
        repo = checked_repo(hub, repo)
        revision = checked_revision(hub, revision) if revision else None
        if hub.kind is HubKind.MODELSCOPE:
            return modelscope.look(self._modelscope(hub, cancel, purpose), repo, revision)
        return huggingface.look(self._huggingface(hub, cancel, purpose), repo, revision)

    def file_request(self, repo: RepoLike, path: str) -> Request:
        """What asks for a file; with our token only at the hub in use. Raises `NotOnHub`."""
        token = self._token() if repo.hub == self._hub() else None
        return resolve_request(repo, path, token)

    def offerings(self, repo: HubRepo) -> tuple[Offering, ...]:
        """The models in it, the recommended one first. No network."""
        return group(repo.files, repo.id).offerings

    def _huggingface(self, hub: Hub, cancel: CancelToken, purpose: Purpose) -> huggingface.Caller:
        from engine.net.client import make_client  # noqa: PLC0415 - loads the HTTP library

        client = make_client(self._door, purpose, cancel, LIMIT_BYTES, only=hub.address)
        return huggingface.Caller(hub=hub, client=client, token=self._token())

    def _modelscope(self, hub: Hub, cancel: CancelToken, purpose: Purpose) -> modelscope.Caller:
        return modelscope.Caller(
            hub=hub, door=self._door, cancel=cancel, purpose=purpose, token=self._token()
        )
