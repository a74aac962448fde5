"""What a hub says when it does not give what was asked for, as errors of our tree.

Pure, any thread. What the server wrote is never repeated: it may hold the token that was sent.
"""

import re
from collections.abc import Mapping

from engine.errors import (
    EngineError,
    FileChanged,
    LicenceNotAccepted,
    NotOnHub,
    ProxyRefused,
    ServerBusy,
    ServerFailed,
    ServerIncomprehensible,
    TokenMissing,
    TokenRefused,
)
from engine.net.waits import retry_after_s

_ABSENT = ("RepoNotFound", "RevisionNotFound", "EntryNotFound")
_CODES = (*_ABSENT, "GatedRepo", "DisabledRepo")
_WAIT_LIMIT_S = 24 * 3600.0
_WINDOW_LEFT = re.compile(r";\s*t=(\d{1,6})\b")
"""The hub's own `ratelimit: "api";r=0;t=17`: seconds until it may be asked again."""


def refusal(
    status: int, headers: Mapping[str, str], address: str, page: str, has_token: bool
) -> EngineError:
    """The error for an answer that is neither 2xx nor a redirect.

    `page` is where a person can accept a licence; `has_token` whether one was sent along. The
    hub's `X-Error-Code` counts where there is one: it answers 401 for what does not exist too.
    """
    known = {name.lower(): value for name, value in headers.items()}
    code = known.get("x-error-code", "")
    detail = f"{status} {code}" if code in _CODES else str(status)
    if has_token and _credentials_unknown(known):
        return TokenRefused(address, detail)
    if code in _ABSENT or _disabled(known):
        return NotOnHub(address, detail)
    if status == 429:
        return ServerBusy(address, detail, _wait_s(known))
    if status == 403 and (code or not _is_page(known)):  # else a firewall's: hubs send no page
        return LicenceNotAccepted(address, page)
    return _by_status(status, address, detail, has_token)


def storage_refusal(status: int, headers: Mapping[str, str], address: str) -> EngineError:
    """The same for the store that a hub sent us on to: no licence or token is asked for there, its
    links only run out."""
    if status in (401, 403, 404, 410):
        return ServerFailed(address, f"{status} from where the hub keeps its files")
    return refusal(status, headers, address, "", has_token=False)


def refuse_page(headers: Mapping[str, str], address: str) -> None:
    """Raise `ServerIncomprehensible` for a web page where data was asked for: often the log-in
    page of a hotel's network."""
    if _is_page({name.lower(): value for name, value in headers.items()}):
        raise ServerIncomprehensible(address, "a web page")


def _is_page(headers: Mapping[str, str]) -> bool:
    kind = headers.get("content-type", "").lower()
    return kind.startswith(("text/html", "application/xhtml"))


def _wait_s(headers: Mapping[str, str]) -> float | None:
    """As the server asks, or what its window says where it does not."""
    asked = retry_after_s(headers)
    if asked is not None or headers.get("retry-after", "").strip():
        return asked if asked is None else min(asked, _WAIT_LIMIT_S)
    window = _WINDOW_LEFT.search(headers.get("ratelimit", ""))
    return float(window[1]) if window else None


def _credentials_unknown(headers: Mapping[str, str]) -> bool:
    return headers.get("x-error-message", "").startswith("Invalid credentials")


def _disabled(headers: Mapping[str, str]) -> bool:
    return headers.get("x-error-message", "") == "Access to this resource is disabled."


def _by_status(status: int, address: str, detail: str, has_token: bool) -> EngineError:
    if status == 401:
        return (TokenRefused if has_token else TokenMissing)(address, detail)
    if status in (404, 410, 451):
        return NotOnHub(address, detail)
    if status == 407:
        return ProxyRefused(address, detail)
    if status == 416:
        return FileChanged(address, detail)
    if 500 <= status < 600 and status != 511:  # 511: a network wants its own log-in first
        return ServerFailed(address, detail)
    return ServerIncomprehensible(address, detail)
