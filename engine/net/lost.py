"""A connection that broke: the one failure that may be tried again at once."""

from engine.errors import ServerSilent


class ConnectionLost(ServerSilent):
    """The server, or something between, closed the connection too early."""
