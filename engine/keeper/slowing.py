"""Notices when graphics devices no longer do the work: replies become slower than the model's own
usual ones, or its weights are not where they should be. On the keeper's thread.

Only replies whose context is about as full as when the usual speed was seen are compared; one that
is as fast with a fuller context makes that comparable too. Replies while memory is low say nothing.
"""

import logging

from engine.guard.pressure import level_of
from engine.guard.record import Record
from engine.keeper.proving import holds_weights
from engine.keeper.ready import Ready
from engine.types.generation import Finished, GenerationStats
from engine.types.hardware import Memory
from engine.types.history import History, Pace, after_fall, after_pace, blended
from engine.types.models import DeviceSlowed, Failed
from engine.types.plans import Rehearsal

log = logging.getLogger("snug.keeper")

FALLEN = 0.4
"""Of the usual speed. A laptop without its charger or with a hot card still reaches half."""
IN_A_ROW = 2
_ABOUT_AS_FULL = 2
_NEARLY_EMPTY_TOKENS = 1024
"""Of so few a device hardly feels how many there are."""
_BESIDE_S = 0.004
"""What a token of a reply may cost beside its evaluation: sampling, text, and handing it on."""
_NEWS = 0.1


def pace_of(seen: Rehearsal) -> Pace:
    """What replies are measured by until there are some."""
    token_s = 1 / seen.tokens_per_s + _BESIDE_S
    return Pace(tokens_per_s=1 / token_s, context_tokens=seen.prompt_tokens)


class Slowing:
    """Of one loaded model; tells it once."""

    def __init__(self, record: Record, ready: Ready) -> None:
        self._record = record
        self._ready = ready
        self._slow = 0
        self._told = False

    def at_start(self) -> DeviceSlowed | None:
        """Whether what was planned for devices came to lie in main memory."""
        plan = self._ready.plan
        if not plan.devices or holds_weights(self._ready.info.measured, plan.devices):
            return None
        pace = self._history.pace(plan)
        return self._fallen(None, pace.tokens_per_s if pace else None)

    def after(self, last: Finished | Failed, memory: Memory) -> DeviceSlowed | None:
        """Whether this reply was the second slow one. Learns from others."""
        pace = self._history.pace(self._ready.plan)
        if self._told or pace is None or not isinstance(last, Finished) or level_of(memory):
            return None
        speed = last.stats.tokens_per_s
        if speed is None:
            return None
        if not is_slow(pace, speed):
            self._slow = 0
            self._learn(pace, with_reply(pace, last.stats, speed))
        elif is_comparable(pace, last.stats):
            self._slow += 1
        return self._fallen(speed, pace.tokens_per_s) if self._slow >= IN_A_ROW else None

    @property
    def _history(self) -> History:
        return self._record.history(self._ready.key)

    def _learn(self, known: Pace, new: Pace) -> None:
        if is_news(known, new):
            plan = self._ready.plan
            self._record.learn(self._ready.key, lambda history: after_pace(history, plan, new))

    def _fallen(self, speed: float | None, usual: float | None) -> DeviceSlowed:
        """Said, and forgotten what was proved: the next load tries everything anew."""
        self._told = True
        drivers = self._ready.plan.drivers
        log.warning("%s: %s tokens a second instead of %s", ", ".join(drivers), speed, usual)
        self._record.learn(self._ready.key, lambda history: after_fall(history, drivers))
        name = self._ready.info.name
        return DeviceSlowed(name=name, tokens_per_s=speed, usual_tokens_per_s=usual)


def is_slow(pace: Pace, speed: float) -> bool:
    return speed < FALLEN * pace.tokens_per_s


def is_comparable(pace: Pace, stats: GenerationStats) -> bool:
    return _filled(stats) <= max(_ABOUT_AS_FULL * pace.context_tokens, _NEARLY_EMPTY_TOKENS)


def with_reply(pace: Pace, stats: GenerationStats, speed: float) -> Pace:
    """`pace` after a reply that was not slow."""
    return Pace(
        tokens_per_s=blended(pace.tokens_per_s, speed),
        context_tokens=max(pace.context_tokens, _filled(stats)),
    )


def is_news(known: Pace, new: Pace) -> bool:
    """Whether it is worth a write."""
    faster = abs(new.tokens_per_s / known.tokens_per_s - 1) > _NEWS
    return faster or new.context_tokens > known.context_tokens * (1 + _NEWS)


def _filled(stats: GenerationStats) -> int:
    return stats.prompt_tokens + stats.generated_tokens
