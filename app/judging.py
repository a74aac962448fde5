"""How a model would do on this machine as it is now: the keeper's own way to a plan, for those who
only want to know. Loads nothing. Any thread, one plan at a time; the first one may take a second
or two, because it asks for the devices.
"""

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from app.events import Event, ModelFailed, ModelReady, ModelUnloaded
from engine.errors import Cancelled
from engine.types.cancel import CancelToken
from engine.types.plans import Plan, Wishes
from engine.types.shapes import AnyShape

if TYPE_CHECKING:
    from engine.guard.record import Record
    from engine.keeper.machine import Machine
    from engine.types.hardware import HardwareReport

_COARSE_BYTES = 256 << 20
"""Plans are made anew when free memory has changed by as much."""


_MOST_PLANS = 500

_Free = tuple[int, ...]
Freed = tuple[tuple[str, int], ...]
MakeMachine = Callable[["Record"], "Machine"]


class Judge:
    """`record` and `machine` are made when they are first needed."""

    def __init__(self, record: Callable[[], "Record"], machine: MakeMachine) -> None:
        self._make_record = record
        self._make_machine = machine
        self._lock = Lock()
        self._shapes: dict[str, AnyShape] = {}
        self._made: dict[tuple[str, _Free, Freed], Plan] = {}
        self._loaded: Plan | None = None

    def hear(self, event: Event) -> None:
        """Which model is in memory: what it holds counts as free. Quick."""
        if isinstance(event, ModelReady):
            self._loaded = event.info.plan
        elif isinstance(event, ModelUnloaded | ModelFailed):
            self._loaded = None

    def of_file(self, path: Path, cancel: CancelToken) -> Plan:
        """Raises a `ModelFileError` or `Cancelled`."""
        from engine.guard.record import key_of  # noqa: PLC0415 - not for `snug --help`
        from engine.models.reading import read_chat_model  # noqa: PLC0415

        key = key_of(path)
        with self._lock:
            if key not in self._shapes:
                self._shapes[key] = read_chat_model(path)[1]
            return self._plan(key, self._shapes[key], cancel)

    def of_shape(self, key: str, shape: AnyShape, cancel: CancelToken) -> Plan:
        """Of a model that is not here; `key` names it. Raises `Cancelled`."""
        with self._lock:
            return self._plan(key, shape, cancel)

    # --- with the lock held -----------------------------------------------------------------------

    def _plan(self, key: str, shape: AnyShape, cancel: CancelToken) -> Plan:
        if cancel.cancelled:
            raise Cancelled
        from engine.keeper.room import freed_by  # noqa: PLC0415 - not for `snug --help`

        report, freed = self._machine.report(cancel), freed_by(self._loaded)
        wanted = (key, _coarse(report), freed)
        if wanted not in self._made:
            if len(self._made) >= _MOST_PLANS:
                self._made.clear()
            self._made[wanted] = self._decide(key, shape, report, Wishes(freed=freed))
        return self._made[wanted]

    def _decide(self, key: str, shape: AnyShape, report: "HardwareReport", wishes: Wishes) -> Plan:
        from engine.keeper.planning import learned_plan  # noqa: PLC0415 - not for `snug --help`
        from engine.planner.place import plan  # noqa: PLC0415

        return learned_plan(partial(plan, report, shape), wishes, self._learned.history(key))

    @cached_property
    def _learned(self) -> "Record":
        return self._make_record()

    @cached_property
    def _machine(self) -> "Machine":
        return self._make_machine(self._learned)


def _coarse(report: "HardwareReport") -> _Free:
    """What is free, so coarsely that it stays the same while nothing happens."""
    devices = (device.free_bytes or 0 for device in report.devices)
    return tuple(free // _COARSE_BYTES for free in (report.memory.available_bytes, *devices))
