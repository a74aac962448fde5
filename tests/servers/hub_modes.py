"""How the loopback hub can be told to misbehave: modes by name, each with what real servers did.

They register themselves when `hub_bad_bytes` and `hub_bad_ways` are imported.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tests.servers.hub_cdn import Visit
from tests.servers.hub_contents import Content

OnFile = Callable[[Visit, Content], None]
OnVisit = Callable[[Visit], bool]
"""True: it was answered."""
ALWAYS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    name: str
    what: str
    at_hub: OnVisit | None = None
    at_cdn: OnFile | None = None


MODES: dict[str, Mode] = {}


def on_file(name: str, what: str) -> Callable[[OnFile], OnFile]:
    """A misbehaviour of the origin with the bytes, for addresses that are good."""

    def add(function: OnFile) -> OnFile:
        MODES[name] = Mode(name=name, what=what, at_cdn=function)
        return function

    return add


def on_resolve(name: str, what: str) -> Callable[[Callable[[Visit], None]], None]:
    """A misbehaviour of the hub when a file is asked for; its API stays good."""

    def add(function: Callable[[Visit], None]) -> None:
        def at_hub(visit: Visit) -> bool:
            if "/resolve/" not in visit.line.asked.path:
                return False
            function(visit)
            return True

        MODES[name] = Mode(name=name, what=what, at_hub=at_hub)

    return add
