"""A scripted runtime, for tests of other rooms, screenshots and demonstrations.

It answers with prepared text, word by word, at a given pace, and can fail where it is told to.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the fake says and how. `pieces` are delivered as they are, `pause_s` apart."""

    pieces: tuple[str, ...] = ("Paris ", "is ", "the ", "capital ", "of ", "France.")
    pause_s: float = 0.0
    load_error: EngineError | None = None
    fail_after_pieces: int | None = None
    error: EngineError | None = None


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
        for piece in self._script.pieces:
            if said == self._script.fail_after_pieces and self._script.error:
                raise self._script.error
            if cancel.cancelled or said >= request.max_tokens:
                reason = FinishReason.CANCELLED if cancel.cancelled else FinishReason.LENGTH
                break
            if self._script.pause_s:
                time.sleep(self._script.pause_s)
            yield TextDelta(text=piece)
            said += 1
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
        if self._script.load_error:
            raise self._script.load_error
        if cancel.cancelled:
            raise Cancelled
        progress(1.0)
        return FakeModel(spec, self._script)
