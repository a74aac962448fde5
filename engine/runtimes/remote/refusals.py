"""What an answer other than 200 means, and whether it is worth another try. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from engine.errors import (
    EngineError,
    KeyRefused,
    PromptTooLong,
    RemoteError,
    RemoteModelMissing,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
)
from engine.net.lost import ConnectionLost
from engine.net.waits import retry_after_s
from engine.runtimes.remote.bodies import Complaint, plain

_WORTH_ANOTHER_TRY = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """`error` is to be raised. `again`: the same request may be sent again, after `wait_s` if the
    server said so. `status` is 0 where nothing was answered, `complaint` what the server said."""

    error: EngineError
    status: int = 0
    again: bool = False
    wait_s: float | None = None
    complaint: Complaint = field(default_factory=Complaint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrying:
    """How often and how patiently. A server that asks for more than `most_wait_s` is not waited
    for."""

    tries: int = 4
    first_wait_s: float = 0.5
    most_wait_s: float = 20.0


def refusal_of(
    status: int,
    headers: Mapping[str, str],
    said: Complaint | None,
    address: str,
    now: datetime,
) -> Refusal:
    """What to make of an answer with `status`, which is not 200."""
    wait_s = retry_after_s(headers, now)
    complaint = said or Complaint()
    return Refusal(
        error=_error(status, headers, said, address, wait_s),
        status=status,
        again=status in _WORTH_ANOTHER_TRY,
        wait_s=wait_s,
        complaint=complaint,
    )


def failure_in_stream(complaint: Complaint, address: str) -> EngineError:
    """An error that comes where text was expected."""
    if complaint.too_long:
        return too_long(complaint)
    if complaint.no_model:
        return RemoteModelMissing(address, complaint.text)
    return ServerFailed(address, complaint.text)


def too_long(complaint: Complaint) -> PromptTooLong:
    return PromptTooLong(complaint.prompt_tokens or 0, complaint.limit_tokens or 0)


def _error(
    status: int,
    headers: Mapping[str, str],
    said: Complaint | None,
    address: str,
    wait_s: float | None,
) -> EngineError:
    detail = f"{status}: {said.text}" if said and said.text else str(status)
    if status == 429:
        return ServerBusy(address, detail, wait_s)
    if status in (401, 403):
        return KeyRefused(address, detail)
    if status == 413 or (said and said.too_long and status in (400, 422, 500)):
        return too_long(said or Complaint())
    return _kind(status, said)(address, f"{detail}{_target(status, headers)}")


def _kind(status: int, said: Complaint | None) -> type[RemoteError]:
    """A server of models says what it does not like; a page for people is something else's."""
    if status >= 500:
        return ServerFailed
    if said is None or status < 400:
        return ServerIncomprehensible
    if said.no_model:
        return RemoteModelMissing
    return ServerIncomprehensible if status in (404, 405) else ServerFailed


def _target(status: int, headers: Mapping[str, str]) -> str:
    """Where a server sends us; we never follow, for a key must not."""
    place = headers.get("location", "") if 300 <= status < 400 else ""
    return f" to {plain(place.partition('?')[0])[:200]}" if place else ""


def wait_before_retry(
    tried: int, refusal: Refusal, retrying: Retrying, random: float
) -> float | None:
    """Seconds to wait after try number `tried` (from 1); None: give up. `random` is 0 to 1, so
    that many who were sent away do not come back together."""
    if not refusal.again or tried >= retrying.tries:
        return None
    if refusal.wait_s is not None:
        return refusal.wait_s if refusal.wait_s <= retrying.most_wait_s else None
    backed_off: float = retrying.first_wait_s * 2 ** (tried - 1)
    return min(backed_off, retrying.most_wait_s) * (0.5 + random / 2)


def refusal_from(error: EngineError) -> Refusal:
    """The same for a request that brought no answer at all."""
    return Refusal(error=error, again=isinstance(error, ConnectionLost))
