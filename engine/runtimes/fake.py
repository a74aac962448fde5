"""A scripted runtime, for tests of other rooms, screenshots and demonstrations.

It answers with prepared text, word by word, at a given pace, and can fail where it is told to. In a
child it can also hang or die there, as native code does; never give such a script to this process.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.child.wire import decode
from engine.errors import Cancelled, EngineError
from engine.types.cancel import CancelToken
from engine.types.generation import (
    Delta,
    Finished,
    FinishReason,
    GenerationRequest,
    GenerationStats,
    TextDelta,
)
from engine.types.models import LoadedInfo, LoadSpec

_LOAD_STEPS = 20


class Stage(StrEnum):
    """Where trouble comes. Named as in `EngineCrashed`."""

    PROBE = "probe"
    REHEARSAL = "rehearsal"
    LOAD = "load"
    FIRST_TOKEN = "first_token"  # noqa: S105 - of a reply
    REPLY = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Death:
    """The end of the whole process at `stage`: by a signal (SIGSEGV, SIGABRT, SIGILL, SIGKILL), or
    with `exit_code`. In a reply it comes after `after_pieces`."""

    stage: Stage
    signal_name: str | None = None
    exit_code: int = 0
    after_pieces: int = 1
    last_words: str = ""
    """Written to standard error before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hang:
    """Sleep at `stage`, deaf to everything, as a stuck driver does."""

    stage: Stage
    seconds: float = 3600.0
    after_pieces: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the fake says and how. `pieces` are delivered as they are, `pause_s` apart."""

    pieces: tuple[str, ...] = ("Paris ", "is ", "the ", "capital ", "of ", "France.")
    pause_s: float = 0.0
    load_s: float = 0.0
    load_error: EngineError | None = None
    fail_after_pieces: int | None = None
    error: EngineError | None = None
    death: Death | None = None
    hang: Hang | None = None


def _meet(script: Script, stage: Stage, said: int = 0) -> None:
    """Hang or die here, if the script says so."""
    hang, death = script.hang, script.death
    if hang and hang.stage is stage and said in (0, hang.after_pieces):
        time.sleep(hang.seconds)
    if death and death.stage is stage and said in (0, death.after_pieces):
        _die(death)


def _die(death: Death) -> None:
    os.write(2, death.last_words.encode())
    if death.signal_name:
        signal.raise_signal(signal.Signals[death.signal_name])  # in this thread, as a fault is
    os._exit(death.exit_code)


def _before_stop(pieces: tuple[str, ...], stop: tuple[str, ...]) -> Iterator[str]:
    """The pieces up to the first stop sequence in their text."""
    text = "".join(pieces)
    left = min((found for word in stop if (found := text.find(word)) >= 0), default=len(text))
    for piece in pieces:
        if left > 0:
            yield piece[:left]
        left -= len(piece)


class FakeModel:
    """See `LoadedModel`."""

    def __init__(self, spec: LoadSpec, script: Script) -> None:
        self._script = script
        self._info = LoadedInfo(
            spec=spec, name=spec.path.stem, backend="fake", load_ms=0.0, notices=()
        )

    @property
    def info(self) -> LoadedInfo:
        return self._info

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Delta]:
        reason = FinishReason.STOP
        said = 0
        _meet(self._script, Stage.FIRST_TOKEN)
        for piece in _before_stop(self._script.pieces, request.stop):
            if said == self._script.fail_after_pieces and self._script.error:
                raise self._script.error
            if cancel.cancelled or said >= request.max_tokens:
                reason = FinishReason.CANCELLED if cancel.cancelled else FinishReason.LENGTH
                break
            if self._script.pause_s:
                time.sleep(self._script.pause_s)
            yield TextDelta(text=piece)
            said += 1
            _meet(self._script, Stage.REPLY, said)
        prompt = sum(len(message.content.split()) for message in request.messages)
        yield Finished(
            reason=reason,
            stats=GenerationStats(
                prompt_tokens=prompt,
                cached_tokens=0,
                generated_tokens=said,
                prompt_ms=0.0,
                generation_ms=said * self._script.pause_s * 1000,
            ),
        )

    def close(self) -> None:
        """Nothing to free."""


class FakeRuntime:
    """See `Runtime`."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> FakeModel:
        _meet(self._script, Stage.LOAD)
        if self._script.load_error:
            raise self._script.load_error
        for step in range(1, _LOAD_STEPS + 1):
            if cancel.cancelled:
                raise Cancelled
            if self._script.load_s:
                time.sleep(self._script.load_s / _LOAD_STEPS)
            progress(step / _LOAD_STEPS)
        return FakeModel(spec, self._script)


# --- in a child, by the paths in `engine/child/roles.py` ----------------------------------------


def runtime_from(script: Mapping[str, object]) -> FakeRuntime:
    """`script` as `wire.encode` made it."""
    return FakeRuntime(decode(Script, script))


def probe_role(argument: Mapping[str, object]) -> dict[str, object]:
    """Stands in for a probe that may die; else answers with what `argument` has as "answer"."""
    return _role(argument, Stage.PROBE)


def rehearse_role(argument: Mapping[str, object]) -> dict[str, object]:
    """The same for a rehearsal."""
    return _role(argument, Stage.REHEARSAL)


def _role(argument: Mapping[str, object], stage: Stage) -> dict[str, object]:
    script = decode(Script, argument["script"])
    _meet(script, stage)
    if script.error:
        raise script.error
    answer = argument.get("answer", {})
    return answer if isinstance(answer, dict) else {"answer": answer}
