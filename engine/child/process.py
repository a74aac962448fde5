"""The parent's side of a child process: its pipes, its threads and its end.

Lines are passed on as they come and never trusted. No call waits for the child without a limit,
and `send`, `wake` and `kill` never wait at all. Start it from a thread that outlives it, see
`isolation`.
"""

import json
import logging
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event, Thread
from typing import IO

from engine.backends import plugins
from engine.child.causes import death
from engine.child.command import child_command, child_environment, was_replaced
from engine.child.oom import oom_kills
from engine.child.wire import encode
from engine.errors import (
    Cancelled,
    EngineError,
    EngineStopped,
    OutOfMemory,
    ProgramReplaced,
)
from engine.types.backends import Plugin

log = logging.getLogger("snug.child")

LINE_LIMIT_BYTES = 4 * 2**20
"""More in one line is no message of ours."""
_LAST_WORDS_BYTES = 8 * 2**10
_INBOX_LINES = 64
_REAP_S = 1.0
_SILENT_S = 5.0
"""A process closes its pipes before it is quite gone; drivers take seconds over the rest."""
_GONE, _RUBBISH = b"", b"\n"


class Child:
    """A running child that may load the plug-ins of `approved`, by default those of this process.
    Raises `ProgramReplaced`, `EngineStopped` or `OutOfMemory` when none can be started."""

    def __init__(
        self,
        role: str,
        argument: Mapping[str, object],
        approved: Sequence[Plugin] | None = None,
    ) -> None:
        self._inbox: Queue[bytes | None] = Queue(_INBOX_LINES)
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._last_words = b""
        self._gone = Event()
        self._unheard = Event()
        self._killed = False
        self._fell_silent = False
        self._oom_kills = oom_kills()
        self._process = _start(role)
        self._threads = [
            Thread(target=work, name=f"snug-child-{work.__name__.strip('_')}", daemon=True)
            for work in (self._listen_to_errors, self._read, self._write)
        ]
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError as error:
            self._abandon()
            raise OutOfMemory("no thread for a child process") from error
        approved = plugins.approved() if approved is None else approved
        variant = plugins.chosen_variant()
        plugged = {"approved": encode(tuple(approved)), "variant": variant}
        self.send({**plugged, "argument": argument})

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return not self._gone.is_set()

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        return self._last_words.decode("utf-8", "replace").strip()

    def send(self, message: object) -> None:
        self._outbox.put(json.dumps(message).encode() + b"\n")

    def receive(self, timeout_s: float | None) -> bytes | None:
        """The next line; empty once the child is gone; None when woken or the time is over."""
        if self._gone.is_set():
            timeout_s = 0.0
        try:
            return self._inbox.get(timeout=timeout_s)
        except Empty:
            return _GONE if self._gone.is_set() and self._inbox.empty() else None

    def wake(self) -> None:
        """Let a waiting `receive` return."""
        with suppress(Full):  # then there is something to receive
            self._inbox.put_nowait(None)

    def kill(self) -> None:
        self._killed = True
        with suppress(OSError):
            self._process.kill()

    def end(self, grace_s: float) -> None:
        """Give it `grace_s` to end by itself, then kill it. Nothing of it is left."""
        self._unheard.set()
        self._outbox.put(None)
        if not self._gone.wait(grace_s):
            self.kill()
        deadline = time.monotonic() + _REAP_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        if any(thread.is_alive() for thread in self._threads):
            log.error("child %d does not end", self.pid)

    def _abandon(self) -> None:
        """There are not enough threads to end it with."""
        self.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_REAP_S)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            _pipe(pipe).close()

    def death(self, stage: str) -> EngineError:
        """Why it is gone; `Cancelled` if it was killed from here."""
        if self._killed:
            return Cancelled()
        returncode = None if self._fell_silent else self._process.returncode
        kills = oom_kills()
        killed_for_memory = kills is None or kills != self._oom_kills
        error = death(returncode, self.last_words, stage, killed_for_memory=killed_for_memory)
        log.warning("child %d: %s\n%s", self.pid, error, self.last_words)
        return error

    # --- one thread each --------------------------------------------------------------------

    def _write(self) -> None:
        with suppress(OSError, ValueError), _pipe(self._process.stdin) as pipe:
            while (line := self._outbox.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _read(self) -> None:
        with _pipe(self._process.stdout) as pipe:
            while line := pipe.readline(LINE_LIMIT_BYTES):
                if line.endswith(b"\n"):
                    self._hand_over(line)
                elif len(line) == LINE_LIMIT_BYTES:
                    self._hand_over(_RUBBISH)
                    self.kill()
        self._reap()
        self._outbox.put(None)
        self._threads[0].join(_REAP_S)  # its last words are in before its death is known
        self._gone.set()
        self.wake()

    def _hand_over(self, line: bytes) -> None:
        """Wait while nobody listens: a child that floods us fills its pipe, not our memory."""
        while not self._unheard.is_set():
            with suppress(Full):
                self._inbox.put(line, timeout=0.1)
                return

    def _listen_to_errors(self) -> None:
        with _pipe(self._process.stderr) as pipe:
            while chunk := os.read(pipe.fileno(), _LAST_WORDS_BYTES):
                self._last_words = (self._last_words + chunk)[-_LAST_WORDS_BYTES:]

    def _reap(self) -> None:
        """A child that closed its pipe is ending; one that does not end is made to."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SILENT_S)
            return
        self._fell_silent = True
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_REAP_S)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # noqa: S101 - for the type checker: all three were asked for
    return pipe


def _start(role: str) -> subprocess.Popen[bytes]:
    if was_replaced():
        raise ProgramReplaced
    try:
        return subprocess.Popen(  # noqa: S603 - our own program, a role of ours
            child_command(role),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=child_environment(os.environ),
            start_new_session=True,  # Ctrl+C in a terminal is for us, not for it
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows only
        )
    except MemoryError as error:
        raise OutOfMemory("no child process") from error
    except OSError as error:
        raise EngineStopped(f"no child process: {error}") from error
