"""Models, downloads and services made by hand, for tests and pictures of the Models page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.memory import MemoryNow
from app.paths import RESOURCES
from app.shop import Choice, Judged
from engine.errors import EngineError
from engine.models.catalogue import Entry, read_catalogue
from engine.types.cancel import CancelToken
from engine.types.downloads import DownloadState, DownloadStatus, Wanted
from engine.types.hub import Hub, HubFile, HubHit, HubKind, HubRepo, Offering
from engine.types.library import (
    Brought,
    InstalledModel,
    Manifest,
    Origin,
    Owner,
    Soundness,
    Trouble,
    Verification,
    Way,
)
from engine.types.models import ModelFormat
from engine.types.plans import Layout, Plan, Verdict

GB = 2**30
HUB = Hub(kind=HubKind.HUGGING_FACE, address="https://hub.example")
ENTRIES = {entry.id: entry for entry in read_catalogue(RESOURCES / "catalogue.json")}
MEMORY = MemoryNow(total_bytes=16 * GB, usable_bytes=9 * GB, used_bytes=4 * GB)


def plan(verdict: Verdict, needed_gb: float, free_gb: float = 9.0) -> Plan:
    return Plan(
        verdict=verdict,
        backend="cpu",
        devices=(),
        layout=Layout(context_length=4096),
        gpu_layers=0,
        layers=33,
        memory=(),
        predicted_tokens_per_s=12.0,
        reasons=(),
        needed_bytes=int(needed_gb * GB),
        free_bytes=int(free_gb * GB),
    )


def model(
    name: str,
    owner: Owner = Owner.SNUG,
    *,
    repo: str = "",
    trouble: Trouble | None = None,
    size_bytes: int = 3_300_000_000,
) -> InstalledModel:
    origin = Origin(hub=HUB, repo=repo, revision="main") if repo else None
    slug = name.lower().replace(" ", "-")
    path = Path("models") / slug / f"{slug}.gguf"
    return InstalledModel(
        id=slug,
        name=name,
        path=path,
        files=(path,),
        size_bytes=size_bytes,
        owner=owner,
        format=ModelFormat.GGUF,
        facts=None,
        trouble=trouble,
        missing=("b.gguf",) if trouble is Trouble.PARTS_MISSING else (),
        manifest=Manifest(name=name, files=(), origin=origin),
    )


def status(
    title: str,
    state: DownloadState,
    done: float = 1.5,
    total: float = 3.3,
    *,
    error: EngineError | None = None,
    left_s: float | None = None,
) -> DownloadStatus:
    """Sizes in GB."""
    return DownloadStatus(
        id=title.lower().replace(" ", "-"),
        title=title,
        state=state,
        done_bytes=int(done * 10**9),
        total_bytes=int(total * 10**9),
        left_s=left_s,
        error=error,
    )


def judged(
    entry_id: str, verdict: Verdict, needed_gb: float, *, size_gb: float, best: bool = False
) -> Judged:
    return Judged(
        entry=ENTRIES[entry_id],
        verdict=verdict,
        needed_bytes=int(needed_gb * GB),
        free_bytes=9 * GB,
        tokens_per_s=12.0,
        size_bytes=int(size_gb * 10**9),
        recommended=best,
    )


def choice(
    entry: Entry | None = None,
    verdict: Verdict = Verdict.FITS,
    *,
    quantization: str = "Q4_K_M",
    exact: bool = True,
    recommended: bool = True,
) -> Choice:
    name = entry.name if entry is not None else "Some Model 3B"
    file = HubFile(path=f"{name}-{quantization}.gguf", size_bytes=2_000_000_000)
    repo = HubRepo(
        hub=HUB, id="someone/some-model", revision="abc", gated=False, licence="mit", files=(file,)
    )
    offering = Offering(
        name=name, quantization=quantization, format=ModelFormat.GGUF, files=(file,)
    )
    return Choice(
        offering=offering,
        repo=repo,
        plan=plan(verdict, 3.0 if verdict is not Verdict.TOO_BIG else 13.0),
        exact=exact,
        recommended=recommended,
        entry=entry,
    )


@dataclass(slots=True, kw_only=True)
class FakeLibrary:
    """Keeps what it is asked for in `calls`."""

    models_there: list[InstalledModel] = field(default_factory=list)
    plans: dict[str, Plan] = field(default_factory=dict)
    chosen: str | None = None
    calls: list[tuple[str, object]] = field(default_factory=list)
    brought: Brought = field(default_factory=Brought)
    fails: Exception | None = None
    newer: bool | None = False

    @property
    def folder(self) -> Path:
        return Path("models")

    @property
    def known(self) -> tuple[InstalledModel, ...]:
        return ()

    @property
    def chosen_id(self) -> str | None:
        return self.chosen

    def models(self, *, refresh: bool = False) -> tuple[InstalledModel, ...]:
        return tuple(self.models_there)

    def verdicts(
        self, models: Sequence[InstalledModel], _cancel: CancelToken
    ) -> Mapping[str, Plan]:
        return {one.id: self.plans[one.id] for one in models if one.id in self.plans}

    def use(self, model_id: str) -> None:
        self._did("use", model_id)
        self.chosen = model_id

    def look_at(self, paths: Sequence[Path], _cancel: CancelToken) -> Brought:
        self._did("look_at", tuple(paths))
        return self.brought

    def add(
        self, brought: Brought, way: Way, progress: object, _cancel: CancelToken
    ) -> tuple[InstalledModel, ...]:
        self._did("add", way)
        progress(0.5)  # type: ignore[operator]
        self.models_there.extend(brought.models)
        return brought.models

    def verify(self, model_id: str, _progress: object, _cancel: CancelToken) -> Verification:
        self._did("verify", model_id)
        return Verification(soundness=Soundness.SOUND)

    def space_of_removal(self, _model_id: str) -> int:
        return 3_300_000_000

    def remove(self, model_id: str, *, to_bin: bool = True) -> int:
        self._did("remove", (model_id, to_bin))
        self.models_there = [one for one in self.models_there if one.id != model_id]
        return 0

    def move(self, folder: Path, _progress: object, _cancel: CancelToken) -> None:
        self._did("move", folder)

    def export(self, model_id: str, folder: Path, _progress: object, _cancel: CancelToken) -> Path:
        self._did("export", model_id)
        return folder / model_id

    def check_update(self, model_id: str, _cancel: CancelToken) -> bool | None:
        self._did("check_update", model_id)
        return self.newer

    def _did(self, what: str, with_: object) -> None:
        self.calls.append((what, with_))
        fails, self.fails = self.fails, None
        if fails is not None:
            raise fails


@dataclass(slots=True, kw_only=True)
class FakeDownloads:
    listed: list[DownloadStatus] = field(default_factory=list)
    calls: list[tuple[str, object]] = field(default_factory=list)
    fails: Exception | None = None

    def statuses(self) -> tuple[DownloadStatus, ...]:
        return tuple(self.listed)

    def start(self, wanted: Wanted) -> None:
        self._did("start", wanted.title)
        self.listed.append(status(wanted.title, DownloadState.RUNNING, 0, 2))

    def pause(self, download_id: str) -> None:
        self._did("pause", download_id)

    def resume(self, download_id: str) -> None:
        self._did("resume", download_id)

    def cancel(self, download_id: str) -> None:
        self._did("cancel", download_id)

    def put_away(self, download_id: str) -> None:
        self._did("put_away", download_id)

    def move_up(self, download_id: str) -> None:
        self._did("move_up", download_id)

    def _did(self, what: str, with_: object) -> None:
        self.calls.append((what, with_))
        fails, self.fails = self.fails, None
        if fails is not None:
            raise fails


@dataclass(slots=True, kw_only=True)
class FakeShop:
    judgements: list[Judged] = field(default_factory=list)
    hits: tuple[HubHit, ...] = ()
    choices: tuple[Choice, ...] = ()
    exact: Choice | None = None
    verdict: Verdict = Verdict.FITS
    costs: bool | None = False
    for_good: bool = True
    fails: list[Exception] = field(default_factory=list)
    calls: list[tuple[str, object]] = field(default_factory=list)

    def judged(self, _cancel: CancelToken) -> tuple[Judged, ...]:
        return tuple(self.judgements)

    def search(self, text: str, _cancel: CancelToken) -> tuple[HubHit, ...]:
        self._did("search", text)
        return self.hits

    def look(self, repo: str, _cancel: CancelToken) -> tuple[Choice, ...]:
        self._did("look", repo)
        return self.choices

    def exactly(self, choice: Choice, _cancel: CancelToken) -> Choice:
        self._did("exactly", choice.offering.quantization)
        return self.exact or choice

    def look_entry(self, entry_id: str, _cancel: CancelToken) -> Choice:
        self._did("look_entry", entry_id)
        return choice(ENTRIES[entry_id], self.verdict)

    def wanted(self, choice: Choice, *, with_projector: bool = True) -> Wanted:
        return Wanted(
            id=choice.title.lower().replace(" ", "-"),
            title=choice.title,
            hub=HUB,
            repo=choice.repo.id,
            revision="abc",
            licence="mit",
            files=(),
            folder=Path("models"),
        )

    def page_of(self, repo: str) -> str:
        return f"{HUB.address}/{repo}"

    def keep_token(self, text: str) -> bool:
        self._did("keep_token", text)
        return self.for_good

    def metered(self) -> bool | None:
        return self.costs

    def _did(self, what: str, with_: object) -> None:
        self.calls.append((what, with_))
        if self.fails:
            raise self.fails.pop(0)
