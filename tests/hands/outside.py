"""The test's side: starts the window's process and tells it what to do."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
_END_S = 10


class RealWindow:
    """Snug in a process of its own. Use as a context manager; `kill` and `close` end it."""

    module = "tests.hands.inside"

    def __init__(self, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env={**os.environ, **environment},
        )
        self.errors = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                with suppress(BrokenPipeError):  # what is not sent yet has no receiver
                    stream.close()

    def do(self, name: str, **arguments: Any) -> Any:
        """Carry out one command of `Hands`; `LookupError` if the widget is not there."""
        assert self.process.stdin
        assert self.process.stdout
        try:
            self.process.stdin.write(json.dumps({"do": name, **arguments}) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # what it said before it ended comes below
        line = self.process.stdout.readline()
        if not line:
            code = self.process.wait(_END_S)
            assert self.process.stderr
            raise EOFError(f"the window ended with {code}: {self.process.stderr.read()}")
        answer = json.loads(line)
        if "error" in answer:
            raise LookupError(answer["error"])
        return answer["result"]

    def until(self, wanted: Callable[[], Any], what: str, timeout_s: float = 60) -> Any:
        """Ask again and again until `wanted()` is true; returns what it gave."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            try:
                if result := wanted():
                    return result
            except LookupError:
                pass
            time.sleep(0.02)
        raise TimeoutError(f"{what}; turns: {self.turns()}")

    def turns(self) -> list[str]:
        try:
            return list(self.do("turns"))
        except LookupError:
            return []

    def written(self, position: int) -> str:
        """The text of a turn as it is on the screen now, "" if it is not there."""
        try:
            return str(self.do("written", position=position))
        except LookupError:
            return ""

    def say(self, text: str) -> None:
        self.until(lambda: self.do("shown", widget="composer"), "no composer")
        self.do("type", widget="composer", text=text)
        self.do("press", widget="composer", key="Return")
        self.until(lambda: not self.do("text", widget="composer"), "the question stays unsent")

    def answered(self, position: int, timeout_s: float = 120) -> str:
        """Wait until the turn at `position` is a finished answer; returns what is read out."""

        def whole() -> str:
            if self.do("shown", widget="stop"):
                return ""
            # Asked after the button, so that it is the final text.
            return str(self.do("turn", position=position))

        return str(self.until(whole, f"no answer at {position}", timeout_s))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(_END_S)

    def close(self) -> tuple[int, float, str]:
        """Close the window as a person does: exit code, seconds it took, standard error."""
        started = time.monotonic()
        self.do("close")
        code = self.process.wait(_END_S)
        took_s = time.monotonic() - started
        assert self.process.stderr
        return code, took_s, self.process.stderr.read()
