"""What a reply, or the death of a process, teaches about a model. On the keeper's thread, but for
`Marking.see`, which is called where the reply is written and must be quick."""

import logging

from engine.errors import EngineCrashed, OutOfMemory
from engine.guard.marker import CrashMarker, Note
from engine.guard.record import Record
from engine.keeper.ready import Ready
from engine.ports import GenerationEvent
from engine.types.generation import Finished, FinishReason, TextDelta
from engine.types.history import History, after_crash, after_memory_ran_out, after_reply
from engine.types.models import Failed

log = logging.getLogger("snug.keeper")

_SPEED_CHANGED = 0.1


class Marking:
    """Keeps the crash marker true while a model answers inside this process."""

    def __init__(self, marker: CrashMarker, ready: Ready) -> None:
        self._marker = marker
        self._key = ready.key
        self._needed = not ready.in_child
        self._writing = False
        if self._needed:
            marker.enter(Note(model=self._key, stage="first_token"))

    def see(self, event: GenerationEvent) -> None:
        if self._needed and not self._writing and isinstance(event, TextDelta):
            self._writing = True
            self._marker.enter(Note(model=self._key, stage="reply"))

    def end(self) -> None:
        if self._needed:
            self._marker.leave()


def learn_from_notes(record: Record, marker: CrashMarker) -> None:
    """A note that is left belongs to a process that died with a model."""
    for note in marker.take_left():
        log.warning("a model ended Snug while %s: %s", note.stage, note.model)
        learn_from_crash(record, note)


def learn_from_crash(record: Record, note: Note) -> None:
    record.learn(note.model, lambda known: after_crash(known, note.stage))


def learn_from_reply(
    record: Record, ready: Ready, last: Finished | Failed, available_bytes: int
) -> None:
    if isinstance(last, Finished):
        if last.reason is not FinishReason.CANCELLED and last.stats.generated_tokens:
            _learn_from_good(record, ready, last.stats.tokens_per_s)
    elif isinstance(last.error, OutOfMemory):
        context = ready.plan.layout.context_length
        record.learn(ready.key, lambda known: after_memory_ran_out(known, context, available_bytes))
    elif isinstance(last.error, EngineCrashed):
        learn_from_crash(record, Note(model=ready.key, stage=last.error.stage))


def _learn_from_good(record: Record, ready: Ready, speed: float | None) -> None:
    devices = ready.plan.drivers
    if _is_news(record.history(ready.key), speed, devices):
        record.learn(ready.key, lambda known: after_reply(known, speed, devices))


def _is_news(history: History, speed: float | None, devices: tuple[str, ...]) -> bool:
    """Whether a good reply teaches anything that is worth a write."""
    if history.crashes:
        return True
    if speed is None:
        return False
    known = history.speed_on(devices)
    return known is None or abs(speed / known - 1) > _SPEED_CHANGED
