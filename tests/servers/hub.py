"""A loopback hub: answers like Hugging Face's own, from two origins, or misbehaves by name.

    with hub_server(Repo(id="maker/model", files={"m.gguf": Pattern(GIB)})) as hub:
        HfApi(endpoint=hub.address).model_info("maker/model")
        hub.use("drops at 99 %")
        ...
        assert hub.seen("cdn")[0].sent_bytes

`serve_in_child` is the same in a process of its own, for measurements.
"""

import pickle
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from pathlib import Path
from threading import Thread
from typing import Any, Protocol

from tests.servers import hub_answers, hub_bad_bytes, hub_bad_ways, hub_cdn
from tests.servers.hub_cdn import Visit
from tests.servers.hub_contents import Content, Held, OnDisk, Pattern
from tests.servers.hub_modes import MODES, Mode
from tests.servers.hub_shelf import Repo, Shelf
from tests.servers.hub_wire import Line, Origin, Seen

__all__ = [
    "MODES",
    "Held",
    "Hub",
    "OnDisk",
    "Pattern",
    "Repo",
    "Seen",
    "hub_server",
    "serve_in_child",
]

_ROOT = Path(__file__).resolve().parents[2]
_END_S = 10.0
_REGISTERED = (hub_bad_bytes, hub_bad_ways)
NO_TOKENS: Mapping[str, frozenset[str]] = {}


class Hub(Protocol):
    """What a test may do with a running hub, wherever it runs."""

    address: str
    """Of the hub itself: `HF_ENDPOINT`."""
    cdn: str
    """Of the second origin, which has the bytes of large files."""
    origins: Mapping[str, str]
    """Addresses by the names that are seen."""

    def use(self, mode: str = "") -> None:
        """Misbehave so from now on; "" is not at all. What was counted begins anew."""
        ...

    def seen(self, origin: str = "") -> Sequence[Seen]:
        """Requests in order, those of one origin ("hub", "cdn", "private") or all."""
        ...

    def forget(self) -> None:
        """Nothing was seen."""
        ...

    def slow_down(self, bytes_per_s: int) -> None:
        """Each connection, those that are open too; 0 is without limit."""
        ...

    def change(self, repo: str, path: str, content: Content, revision: str = "") -> None:
        """Another content, at another commit where one is given."""
        ...

    def vanish(self, seconds: float = 0) -> None:
        """Close both ports and all connections; open again after that time, or with `appear`."""
        ...

    def appear(self) -> None: ...


class HereHub:
    """The hub, in this process."""

    def __init__(
        self, repos: Sequence[Repo], tokens: Mapping[str, frozenset[str]] = NO_TOKENS
    ) -> None:
        self._shelf = Shelf(repos={repo.id: repo for repo in repos}, tokens=tokens)
        self._shelf.vanish = self.vanish
        self._mode: Mode | None = None
        self._gone = False
        self._hub = Origin("hub", self._answer_hub, self._shelf.note)
        self._cdn = Origin("cdn", self._answer_cdn, self._shelf.note, "127.0.0.2")
        self._private = Origin("private", _answer_private, self._shelf.note, "127.0.0.3")
        self.address = self._hub.address
        self.cdn = self._cdn.address
        self.origins = {one.name: one.address for one in (self._hub, self._cdn, self._private)}

    def use(self, mode: str = "") -> None:
        self._mode = MODES[mode] if mode else None
        self._shelf.counts.clear()

    def seen(self, origin: str = "") -> Sequence[Seen]:
        with self._shelf.lock:
            return [copy(one) for one in self._shelf.seen if origin in ("", one.origin)]

    def forget(self) -> None:
        with self._shelf.lock:
            self._shelf.seen.clear()

    def slow_down(self, bytes_per_s: int) -> None:
        self._shelf.speed = bytes_per_s

    def change(self, repo: str, path: str, content: Content, revision: str = "") -> None:
        self._shelf.change(repo, path, content, revision)

    def vanish(self, seconds: float = 0) -> None:
        self._gone = True
        for origin in (self._hub, self._cdn):
            origin.vanish()
        if seconds:
            Thread(target=self._appear_after, args=(seconds,), daemon=True).start()

    def appear(self) -> None:
        if self._gone:
            self._gone = False
            for origin in (self._hub, self._cdn):
                origin.listen()

    def close(self) -> None:
        self._gone = False
        for origin in (self._hub, self._cdn, self._private):
            origin.close()

    def _appear_after(self, seconds: float) -> None:
        time.sleep(seconds)
        self.appear()

    def _visit(self, line: Line) -> Visit:
        return Visit(
            line=line,
            shelf=self._shelf,
            hub=self.address,
            cdn=self.cdn,
            private=self._private.address,
        )

    def _answer_hub(self, line: Line) -> None:
        mode, visit = self._mode, self._visit(line)
        if not (mode and mode.at_hub and mode.at_hub(visit)):
            hub_answers.answer_hub(visit)

    def _answer_cdn(self, line: Line) -> None:
        mode, visit = self._mode, self._visit(line)
        if (content := hub_cdn.content_at(visit)) is None:
            return
        if mode is None or mode.at_cdn is None or line.asked.method == "HEAD":
            hub_cdn.send_file(visit, content)
        else:
            mode.at_cdn(visit, content)


def _answer_private(line: Line) -> None:
    """Something in a person's own network that a hub has no business with."""
    line.say(200, b"admin", "text/plain")


@contextmanager
def hub_server(
    *repos: Repo, tokens: Mapping[str, frozenset[str]] = NO_TOKENS, mode: str = ""
) -> Iterator[Hub]:
    """`tokens` maps each valid one to the gated repositories whose licence it has accepted."""
    hub = HereHub(repos, tokens)
    hub.use(mode)
    try:
        yield hub
    finally:
        hub.close()


class _FarHub:
    """The same, by way of a pipe to the child that has it. One thread at a time."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self.address, self.cdn, self.origins = self._read()

    def use(self, mode: str = "") -> None:
        self._call("use", mode)

    def seen(self, origin: str = "") -> Sequence[Seen]:
        found: Sequence[Seen] = self._call("seen", origin)
        return found

    def forget(self) -> None:
        self._call("forget")

    def slow_down(self, bytes_per_s: int) -> None:
        self._call("slow_down", bytes_per_s)

    def change(self, repo: str, path: str, content: Content, revision: str = "") -> None:
        self._call("change", repo, path, content, revision)

    def vanish(self, seconds: float = 0) -> None:
        self._call("vanish", seconds)

    def appear(self) -> None:
        self._call("appear")

    def _call(self, name: str, *arguments: object) -> Any:
        assert self._process.stdin
        pickle.dump((name, arguments), self._process.stdin)
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> Any:
        assert self._process.stdout
        return pickle.load(self._process.stdout)  # noqa: S301 - our own child


@contextmanager
def serve_in_child(
    *repos: Repo, tokens: Mapping[str, frozenset[str]] = NO_TOKENS, mode: str = ""
) -> Iterator[Hub]:
    """As `hub_server`, without sharing the interpreter with whoever is measured."""
    argv = [sys.executable, "-m", "tests.servers.hub"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(argv, cwd=_ROOT, **pipes) as process:  # type: ignore[call-overload]
        try:
            assert process.stdin
            pickle.dump((repos, dict(tokens), mode), process.stdin)
            process.stdin.flush()
            yield _FarHub(process)
            process.stdin.close()  # which ends it
            process.wait(_END_S)
        finally:
            process.kill()


def _serve() -> None:
    """The child's side: begins with what there is to serve, ends with its input."""
    given, told = sys.stdin.buffer, sys.stdout.buffer
    repos, tokens, mode = pickle.load(given)  # noqa: S301 - of the test that started it
    running: AbstractContextManager[Hub] = hub_server(*repos, tokens=tokens, mode=mode)
    with running as hub:
        answer: object = (hub.address, hub.cdn, hub.origins)
        while True:
            pickle.dump(answer, told)
            told.flush()
            try:
                name, arguments = pickle.load(given)  # noqa: S301
            except EOFError:
                return
            answer = getattr(hub, name)(*arguments)


if __name__ == "__main__":
    _serve()
