"""How a model would do on this machine as it is now: the keeper's own way to a plan, for those who
only want to know. Loads nothing. Any thread, one plan at a time; the first one may take a second
or two, because it asks for the devices.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from app.events import Event, ModelFailed, ModelReady, ModelUnloaded
from engine.errors import Cancelled
from engine.types.cancel import CancelToken
from engine.types.history import History
from engine.types.plans import Plan, Wishes
from engine.types.shapes import AnyShape

if TYPE_CHECKING:
    from engine.guard.record import Record
    from engine.keeper.machine import Machine
    from engine.types.hardware import HardwareReport

_COARSE_BYTES = 256 << 20
"""Plans are made anew when free memory has changed by as much."""


class Judge:
    """`machine` and `record` are made when they are first needed."""

    def __init__(self, record: Callable[[], "Record"], machine: "MakeMachine") -> None:
        self._make_record = record
        self._make_machine = machine
        self._lock = Lock()
        self._record: Record | None = None
        self._machine: Machine | None = None
        self._shapes: dict[str, AnyShape] = {}
        self._made: dict[tuple[str, int, bool], Plan] = {}
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
        report = self._report(cancel)
        wanted = (key, report.memory.available_bytes // _COARSE_BYTES, self._loaded is not None)
        if wanted not in self._made:
            self._made[wanted] = self._decide(key, shape, report)
        return self._made[wanted]

    def _decide(self, key: str, shape: AnyShape, report: "HardwareReport") -> Plan:
        from engine.keeper.planning import learned_plan  # noqa: PLC0415 - not for `snug --help`
        from engine.keeper.room import freed_by  # noqa: PLC0415
        from engine.planner.place import plan  # noqa: PLC0415

        history = self._record.history(key) if self._record is not None else History()
        wishes = Wishes(freed=freed_by(self._loaded))
        return learned_plan(partial(plan, report, shape), wishes, history)

    def _report(self, cancel: CancelToken) -> "HardwareReport":
        if self._record is None or self._machine is None:
            self._record = self._make_record()
            self._machine = self._make_machine(self._record)
        return self._machine.report(cancel)


MakeMachine = Callable[["Record"], "Machine"]
