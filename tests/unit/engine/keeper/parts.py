"""A keeper over scripted planning, proving and hosts, and the waiting a test needs."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from queue import Queue

from engine.errors import Cancelled, EngineError
from engine.guard.marker import CrashMarker
from engine.guard.record import Record, key_of
from engine.host import InProcessHost
from engine.keeper.keeper import KeeperParts, ModelKeeper
from engine.keeper.planning import learned_plan, processor_plan
from engine.ports import Host, Runtime
from engine.runtimes.fake import FakeModel, FakeRuntime, Script
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import Finished, GenerationRequest, TextDelta
from engine.types.hardware import Memory
from engine.types.history import History
from engine.types.models import (
    Failed,
    KeeperEvent,
    Loaded,
    LoadProgress,
    LoadSpec,
    LoadStage,
)
from engine.types.plans import (
    Correction,
    Layout,
    LoadRequest,
    Measured,
    Offer,
    Plan,
    PoolUse,
    Reason,
    Rehearsal,
    Use,
    Verdict,
    Wishes,
)

WAIT_S = 10
QUESTION = GenerationRequest(messages=(Message(role=Role.USER, content="Hello?"),))
PLENTY = Memory(total_bytes=16 << 30, available_bytes=12 << 30)


VULKAN = "vulkan"
CARD = "Vulkan0"


def a_plan(layout: Layout, verdict: Verdict = Verdict.FITS, drivers: tuple[str, ...] = ()) -> Plan:
    """On the processor, or all on the card that `drivers` names."""
    use = Use(weights_bytes=100, kv_bytes=20, compute_bytes=5, overhead_bytes=1)
    return Plan(
        verdict=verdict,
        backend=VULKAN if drivers else "cpu",
        devices=(CARD,) if drivers else (),
        layout=layout,
        gpu_layers=sum(layout.device_layers),
        layers=31,
        memory=(PoolUse(pool="ram", use=use, budget_bytes=1000),),
        predicted_tokens_per_s=20.0,
        reasons=(Reason.ALL_ON_DEVICE,) if drivers else (Reason.DEVICE_FAILED,),
        offer=Offer(context_length=2048) if verdict is Verdict.TOO_BIG else None,
        drivers=drivers,
    )


class ScriptedPlanning:
    """Plans `verdict` always; a more careful history halves the batch. With a `driver` there is a
    card, whose plan fits; then `verdict` is the processor's."""

    def __init__(self) -> None:
        self.verdict = Verdict.FITS
        self.driver = ""
        self.card_layers = 30
        self.asked: list[LoadRequest] = []
        self.lessons: list[int] = []

    def plan(
        self,
        request: LoadRequest,
        history: History,
        cancel: CancelToken,
        freed: object = (),
        lessons: tuple[Correction, ...] = (),
    ) -> Plan:
        self.asked.append(request)
        self.lessons.append(len(lessons))
        return learned_plan(partial(self._made, history), request.wishes, history, lessons)

    def on_processor(
        self, request: LoadRequest, history: History, cancel: CancelToken, instead_of: Plan
    ) -> Plan | None:
        make = partial(self._made, history)
        return processor_plan(make, request.wishes, history, instead_of=instead_of)

    def _made(self, history: History, wishes: Wishes) -> Plan:
        most = history.context_limit(PLENTY.available_bytes) or 1 << 20
        context = min(wishes.context_length or 4096, most)
        layout = Layout(context_length=context, ubatch=256 >> history.caution, threads=1)
        if not self.driver or VULKAN in wishes.denied:
            return a_plan(layout, self.verdict)
        layout = replace(layout, backends=(VULKAN,), device_layers=(self.card_layers,))
        return a_plan(layout, drivers=(self.driver,))


class ScriptedProver:
    """Raises what lies in `errors`, first to last, then succeeds. None is a success too."""

    def __init__(self) -> None:
        self.measured: list[LoadSpec] = []
        self.rehearsed: list[LoadSpec] = []
        self.measure_errors: list[EngineError | None] = []
        self.errors: list[EngineError | None] = []
        self.begun: Callable[[], None] | None = None
        """Called once a rehearsal runs, which then goes on until it is cancelled."""
        self.on_card = REHEARSAL
        self.on_processor = REHEARSAL

    def measure(self, spec: LoadSpec, cancel: CancelToken) -> Measured:
        self.measured.append(spec)
        if self.measure_errors and (error := self.measure_errors.pop(0)):
            raise error
        return Measured(kv_bytes=(("ram", 20),))

    def rehearse(
        self,
        spec: LoadSpec,
        cancel: CancelToken,
        *,
        prompt_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Rehearsal:
        self.rehearsed.append(spec)
        if self.begun is not None:
            cancelled = threading.Event()
            cancel.on_cancel(cancelled.set)
            self.begun()
            assert cancelled.wait(WAIT_S)
            raise Cancelled
        if self.errors and (error := self.errors.pop(0)):
            raise error
        seen = self.on_card if spec.devices else self.on_processor
        return replace(seen, prompt_tokens=prompt_tokens or seen.prompt_tokens)

    @property
    def places(self) -> list[str]:
        """Where it was rehearsed, in order."""
        return [spec.devices[0] if spec.devices else "cpu" for spec in self.rehearsed]


REHEARSAL = Rehearsal(
    measured=Measured(kv_bytes=(("ram", 20),)),
    tokens=(1, 2, 3, 4),
    prompt_tokens=256,
    prompt_tokens_per_s=100.0,
    tokens_per_s=20.0,
    load_ms=10.0,
    peak_bytes=130,
    resident_bytes=126,
    anonymous_bytes=26,
    file_bytes=100,
    grown_bytes=126,
    margins=(9.0, 9.0, 9.0, 9.0),
    alone_tokens=(5, 6, 7, 8),
    alone_margins=(9.0, 9.0, 9.0, 9.0),
)


class PlacedRuntime(FakeRuntime):
    """Loads models whose weights lie where they are told to."""

    def __init__(self, script: Script, pool: str) -> None:
        super().__init__(script)
        self._pool = pool

    def load(
        self, spec: LoadSpec, progress: Callable[[float], None], cancel: CancelToken
    ) -> FakeModel:
        model = super().load(spec, progress, cancel)
        measured = Measured(weights_bytes=((self._pool, 100),) if self._pool else ())
        model._info = replace(model.info, measured=measured)
        return model


class MortalHost(InProcessHost):
    """A host whose model can be gone, as that of a child, and that counts its unloads."""

    def __init__(self, make_runtime: Callable[[], Runtime]) -> None:
        self.dead = False
        self.unloads = 0
        super().__init__(make_runtime)

    @property
    def holds_model(self) -> bool:
        return super().holds_model and not self.dead

    def unload(self) -> None:
        self.unloads += 1
        self.dead = False
        super().unload()


@dataclass
class Bench:
    """A keeper and everything around it that a test may look at or bend."""

    folder: Path
    scripts: dict[bool, Script] = field(
        default_factory=lambda: {False: Script(pieces=("one ",) * 20), True: Script()}
    )
    memory: Memory = PLENTY
    weights_in: str = ""
    """The pool that a loaded model says its weights are in; "" where it does not say."""
    now_s: float = 0.0
    rechecks: int = 0
    keepers: list[ModelKeeper] = field(default_factory=list)
    made_hosts: list[bool] = field(default_factory=list)
    hosts: list["MortalHost"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.model = self.folder / "model.gguf"
        self.model.write_bytes(b"weights")
        self.planning = ScriptedPlanning()
        self.prover = ScriptedProver()
        self.record = Record(self.folder / "lessons.json", "build")
        self.told: Queue[KeeperEvent] = Queue()

    def host(self, in_child: bool) -> Host:
        self.made_hosts.append(in_child)
        host = MortalHost(lambda: PlacedRuntime(self.scripts[in_child], self.weights_in))
        self.hosts.append(host)
        return host

    def keeper(self) -> ModelKeeper:
        keeper = ModelKeeper(
            KeeperParts(
                planning=self.planning,  # type: ignore[arg-type]
                prover=self.prover,
                record=self.record,
                marker=CrashMarker(self.folder / "running"),
                make_host=self.host,
                read_memory=lambda: self.memory,
                recheck=self.recheck,
                clock=lambda: self.now_s,
                watch_period_s=None,
            )
        )
        keeper.listen(self.told.put)
        self.keepers.append(keeper)
        return keeper

    def request(self, **changes: object) -> LoadRequest:
        return replace(LoadRequest(path=self.model, by_person=True), **changes)  # type: ignore[arg-type]

    def recheck(self) -> None:
        self.rechecks += 1

    def history(self) -> History:
        return self.record.history(key_of(self.model))

    def close(self) -> None:
        for keeper in self.keepers:
            assert keeper.close(WAIT_S)


def settle(keeper: ModelKeeper) -> None:
    """Wait until the keeper has learned from the last reply: that comes after its end is told."""
    done = threading.Event()
    keeper.load(LoadRequest(path=Path("none")), lambda _: done.set(), _cancelled())
    assert done.wait(WAIT_S)


def _cancelled() -> CancelToken:
    cancel = CancelToken()
    cancel.cancel()
    return cancel


def load(
    keeper: ModelKeeper, request: LoadRequest, cancel: CancelToken | None = None
) -> tuple[Loaded | Failed, list[LoadStage]]:
    """The end of a load, and the stages it went through."""
    events: Queue[object] = Queue()
    keeper.load(request, events.put, cancel or CancelToken())
    stages: list[LoadStage] = []
    while not isinstance(event := events.get(timeout=WAIT_S), Loaded | Failed):
        assert isinstance(event, LoadProgress)
        if not stages or stages[-1] is not event.stage:
            stages.append(event.stage)
    return event, stages


def ask(
    keeper: ModelKeeper, after: Callable[[], object] = lambda: None
) -> tuple[str, Finished | Failed]:
    """The text of a reply and how it ended. `after` is called at its first words."""
    events: Queue[object] = Queue()
    keeper.generate(QUESTION, events.put, CancelToken())
    text = ""
    while not isinstance(event := events.get(timeout=WAIT_S), Finished | Failed):
        if isinstance(event, TextDelta):
            if not text:
                after()
            text += event.text
    return text, event


def ready(event: Loaded | Failed) -> Loaded:
    assert isinstance(event, Loaded), event
    return event


def error_of(event: object) -> Exception:
    assert isinstance(event, Failed)
    return event.error
