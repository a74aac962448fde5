"""Sees and uses a window from outside, with xdotool, as a person with a keyboard would."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.system.stranger import QUESTION, Person, end, kill, turns, until

_SHOWN_S = 60.0
"""Longer without a window is a window that never came."""


class Opened:
    """A frozen program with a window on `display`."""

    def __init__(self, process: "subprocess.Popen[bytes]", display: str, home: Path) -> None:
        self.process = process
        self.home = home
        self._display = display
        self.window = until(self._seen, "no window came", _SHOWN_S)

    def _seen(self) -> str:
        if self.process.poll() is not None:
            said = b"".join(part or b"" for part in self.process.communicate())
            raise AssertionError(f"ended with {self.process.returncode}: {said.decode()}")
        found = self._hands("search", "--onlyvisible", "--name", "Snug").split()
        return found[-1] if found else ""

    def write(self, text: str) -> None:
        self._hands("windowfocus", "--sync", self.window)
        self._hands("type", "--delay", "12", text)
        self._hands("key", "Return")

    def press(self, keys: str) -> None:
        self._hands("windowfocus", "--sync", self.window)
        self._hands("key", keys)

    def answer(self, question: str = QUESTION) -> str:
        """Types the question and waits for the whole answer, as it is kept."""
        self.write(question)
        return str(until(self.answered, f"no answer: {turns(self.home)}"))

    def answered(self) -> str:
        said = turns(self.home)
        failed = [state for role, state, _ in said if role == "assistant" and state == "failed"]
        assert not failed, said
        assert self.process.poll() is None, "it ended"
        return next((text for role, state, text in said if (role, state) == _WHOLE), "")

    def all_answered(self) -> bool:
        said = turns(self.home)
        return all(state == _WHOLE[1] for role, state, _ in said if role == _WHOLE[0])

    def _hands(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments],
            env={"DISPLAY": self._display, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            capture_output=True,
            timeout=20,
            check=False,
        )
        return done.stdout.decode()


_WHOLE = ("assistant", "complete")


@contextmanager
def opened(
    who: Person, argv: list[str | Path], world: dict[str, str], home: Path
) -> Iterator[Opened]:
    """Gone afterwards, whatever happened. It must end by itself when it is told to."""
    process = who.start(argv, world)
    try:
        yield Opened(process, world["DISPLAY"], home)
        if process.poll() is None:
            said = end(process)
            assert process.returncode == 0, said
            assert "Traceback" not in said
    finally:
        kill(process)
        if process.stdout and not process.stdout.closed:
            process.communicate()
