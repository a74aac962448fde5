"""Names of computers, and the numbers they stand for: one question to the system's resolver.

Runs on the thread of `Sending`; it may wait long, and nobody waits for it.
"""

import socket
from ipaddress import ip_address, ip_network

from engine.net.address import is_near

_MADE_UP = ip_network("198.18.0.0/15")
"""What VPN programs answer for every name; it says nothing of where that is."""


def numbers_of(host: str) -> tuple[str, ...]:
    """In the order in which they should be tried. One with a zone stays the name that it was: only
    the system can connect to it. Raises OSError or UnicodeError."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    numbers = tuple(dict.fromkeys(str(address[0]) for *_, address in found))
    return (host,) if any("%" in number for number in numbers) or not numbers else numbers


def is_in_this_network(number: str) -> bool:
    return is_near(number) and not _is_made_up(number)


def _is_made_up(number: str) -> bool:
    try:
        return ip_address(number) in _MADE_UP
    except ValueError:
        return False
