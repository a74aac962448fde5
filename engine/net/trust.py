"""Whom we believe to be who they say: the certificates of this computer, and those of a file that
the person names. Everything is checked, always.
"""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import truststore

from engine.errors import ServerUntrusted

_KEPT = 8
_Mark = tuple[Path, int, int] | None

_lock = Lock()
_idle: list[tuple[_Mark, ssl.SSLContext]] = []


@contextmanager
def trust(authorities: Path | None, address: str) -> Iterator[ssl.SSLContext]:
    """A context for one connection at a time: truststore locks it during a handshake, so a server
    that never ends its own would keep every other waiting. Raises `ServerUntrusted` for a file that
    can not be read; the file is read again when it has changed."""
    mark = _mark_of(authorities, address)
    with _lock:
        fits = next((one for one in _idle if one[0] == mark), None)
        if fits is not None:
            _idle.remove(fits)
    context = fits[1] if fits is not None else _make(authorities, address)
    try:
        yield context
    finally:
        with _lock:
            _idle.insert(0, (mark, context))
            del _idle[_KEPT:]


def usable_trust() -> str:
    """What vouches for others on this computer, for the doctor. Raises `OSError` if it can not be
    used; opens no connection."""
    with trust(None, "") as context:
        return f"{type(context).__module__.partition('.')[0]}, {ssl.OPENSSL_VERSION}"


def _mark_of(authorities: Path | None, address: str) -> _Mark:
    if authorities is None:
        return None
    try:
        found = authorities.stat()
    except (OSError, ValueError) as error:
        raise _unreadable(authorities, address, error) from error
    return authorities, found.st_mtime_ns, found.st_size


def _make(authorities: Path | None, address: str) -> ssl.SSLContext:
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if authorities is not None:
        try:
            context.load_verify_locations(cafile=authorities)
        except (OSError, ValueError) as error:  # an SSLError is an OSError
            raise _unreadable(authorities, address, error) from error
    return context


def _unreadable(file: Path, address: str, error: Exception) -> ServerUntrusted:
    said = getattr(error, "strerror", None) or str(error)
    return ServerUntrusted(address, f"{file}: {said}")
