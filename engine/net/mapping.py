"""What httpx and the systems below it say, as errors of our own tree. Pure."""

import re

import httpx

from engine.errors import (
    AddressUnusable,
    EngineError,
    ServerIncomprehensible,
    ServerSilent,
    ServerUnreachable,
    ServerUntrusted,
)
from engine.net.lost import ConnectionLost

_UNVERIFIED = "SSLCertVerificationError"
_TLS = "SSLError"
_ENDED_EARLY = ("disconnected", "peer closed")
"""How httpcore and h11 begin to say that a server hung up; everything else was no HTTP."""
_QUOTED = re.compile(r":? *(?:bytearray\(|b?['\"])")
"""Where they begin to repeat what the server sent: it may have sent the key back."""


def mapped(error: Exception, address: str) -> EngineError:
    """The error to raise for one that the HTTP library raised."""
    detail = str(error) or type(error).__name__
    match error:
        case EngineError():
            found: EngineError = error
        case httpx.ConnectError() | httpx.ConnectTimeout():
            found = _not_connected(error, address, detail)
        case httpx.TimeoutException():
            found = ServerSilent(address, detail)
        case httpx.NetworkError():
            found = ConnectionLost(address, detail)
        case httpx.RemoteProtocolError():
            lost = any(words in detail for words in _ENDED_EARLY)
            said = _QUOTED.split(detail, maxsplit=1)[0]
            found = (ConnectionLost if lost else ServerIncomprehensible)(address, said)
        case httpx.LocalProtocolError():  # its words may hold a header
            found = AddressUnusable(address, "this can not be sent")
        case httpx.UnsupportedProtocol() | httpx.InvalidURL():
            found = AddressUnusable(address, detail)
        case _:
            found = ServerUnreachable(address, detail)
    return found


def _not_connected(error: Exception, address: str, detail: str) -> EngineError:
    causes = {base.__name__ for cause in _causes(error) for base in type(cause).__mro__}
    if _UNVERIFIED in causes:
        return ServerUntrusted(address, detail)
    if _TLS in causes:  # it answers, but not as a server of https does
        return ServerIncomprehensible(address, detail)
    return ServerUnreachable(address, detail)


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in found:
        found.append(following)
        following = following.__cause__ or following.__context__
    return found
