"""The presenter of the models on this computer: what is listed, and what is done to one of them.

No Qt here; GUI thread. Everything that touches a disk goes through `errand`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Protocol

from app.library import Progress
from engine.errors import Cancelled
from engine.types.cancel import CancelToken
from engine.types.library import Brought, InstalledModel, Owner, Verification, Way
from engine.types.plans import Plan
from ui.models.latest import Latest
from ui.models.page_values import Errand, Listed, PageView, Stock, T, Task, Working

_OTHERS = frozenset((Owner.OLLAMA, Owner.LM_STUDIO, Owner.JAN, Owner.GPT4ALL, Owner.HUGGING_FACE))


class Library(Protocol):
    """What is asked of `LibraryService`. May block, but for the properties."""

    @property
    def folder(self) -> Path: ...
    @property
    def known(self) -> tuple[InstalledModel, ...]: ...
    @property
    def chosen_id(self) -> str | None: ...
    def models(self, *, refresh: bool = False) -> tuple[InstalledModel, ...]: ...
    def verdicts(
        self, models: Sequence[InstalledModel], cancel: CancelToken
    ) -> Mapping[str, Plan]: ...
    def use(self, model_id: str) -> None: ...
    def look_at(self, paths: Sequence[Path], cancel: CancelToken) -> Brought: ...
    def add(
        self, brought: Brought, way: Way, progress: Progress, cancel: CancelToken
    ) -> tuple[InstalledModel, ...]: ...
    def verify(self, model_id: str, progress: Progress, cancel: CancelToken) -> Verification: ...
    def space_of_removal(self, model_id: str) -> int: ...
    def remove(self, model_id: str, *, to_bin: bool = True) -> int: ...
    def move(self, folder: Path, progress: Progress, cancel: CancelToken) -> None: ...
    def export(
        self, model_id: str, folder: Path, progress: Progress, cancel: CancelToken
    ) -> Path: ...
    def check_update(self, model_id: str, cancel: CancelToken) -> bool | None: ...


def is_of_others(model: InstalledModel) -> bool:
    """Found in another program, which keeps it."""
    return model.owner in _OTHERS


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryParts:
    """What the presenter works with. `call` brings a word from any thread to this one; `purpose`
    finds what the catalogue says that a model is for; `prepare` loads the chosen model."""

    errand: Errand
    looking: Errand
    library: Library
    view: PageView
    call: Callable[[Callable[[], None]], None]
    purpose: Callable[[InstalledModel], str]
    prepare: Callable[[], None]


class LibraryShelf:
    """Keeps the rows right and carries out what is done to one."""

    def __init__(self, parts: LibraryParts) -> None:
        self._parts = parts
        self._stock = Stock(models=parts.library.known, chosen_id=parts.library.chosen_id)
        self._work: dict[str, tuple[Working, CancelToken]] = {}
        self._numbers = count()
        self._looking = Latest(parts.looking, self.failed)
        self._weighing = Latest(parts.looking, self.failed)
        self.changed: Callable[[], None] = lambda: None
        """Other models are here than before."""

    # --- what is listed ------------------------------------------------------------------------

    @property
    def models(self) -> tuple[InstalledModel, ...]:
        return self._stock.models

    def get(self, model_id: str) -> Listed | None:
        return next((listed for listed in self._listed() if listed.id == model_id), None)

    def refresh(self, *, rescan: bool = False) -> None:
        """List what is known, then look at the disk and weigh each model."""
        library = self._parts.library

        def look(_cancel: CancelToken) -> tuple[InstalledModel, ...]:
            return library.models(refresh=rescan)

        self._looking.start(look, self._looked)

    def _looked(self, models: tuple[InstalledModel, ...]) -> None:
        chosen = self._parts.library.chosen_id
        self._stock = replace(self._stock, models=models, chosen_id=chosen)
        self.show()
        self.changed()
        self.weigh()

    def weigh(self) -> None:
        """Find out how each model would do now."""
        library, usable = self._parts.library, [m for m in self._stock.models if m.usable]
        self._weighing.start(lambda cancel: library.verdicts(usable, cancel), self._weighed)

    def _weighed(self, plans: Mapping[str, Plan]) -> None:
        self._stock = replace(self._stock, plans=plans)
        self.show()

    def show(self) -> None:
        listed = self._listed()
        own = [one for one in listed if not is_of_others(one.model)]
        others = [one for one in listed if is_of_others(one.model)]
        self._parts.view.show_library(own, others)

    def _listed(self) -> list[Listed]:
        stock = self._stock
        return [
            Listed(
                model=model,
                plan=stock.plans.get(model.id),
                chosen=model.id == stock.chosen_id,
                purpose=self._parts.purpose(model),
            )
            for model in stock.models
        ]

    def choice_changed(self) -> None:
        """Another model answers now."""
        self._stock = replace(self._stock, chosen_id=self._parts.library.chosen_id)
        self.show()

    # --- using, removing -----------------------------------------------------------------------

    def use(self, model_id: str) -> None:
        """Answer with it from now on, and get it ready."""

        def done(_result: None) -> None:
            self.choice_changed()
            self._parts.prepare()

        self._parts.errand(lambda _: self._parts.library.use(model_id), done, self.failed)

    def remove(
        self, model_id: str, no_bin: Callable[[Exception], None], *, to_bin: bool = True
    ) -> None:
        """`no_bin` hears that only deleting for good is left."""
        self._parts.errand(
            lambda _: self._parts.library.remove(model_id, to_bin=to_bin),
            lambda _: self.refresh(),
            no_bin,
        )

    def space_of(self, model_id: str) -> int:
        return self._parts.library.space_of_removal(model_id)

    # --- work that takes long ------------------------------------------------------------------

    def verify(self, model_id: str, name: str, done: Callable[[Verification], None]) -> None:
        library = self._parts.library
        self._do(
            Task.CHECKING, name, lambda progress, c: library.verify(model_id, progress, c), done
        )

    def export(self, model_id: str, name: str, folder: Path, done: Callable[[Path], None]) -> None:
        library = self._parts.library

        def work(progress: Progress, cancel: CancelToken) -> Path:
            return library.export(model_id, folder, progress, cancel)

        self._do(Task.EXPORTING, name, work, done)

    def move(self, folder: Path, done: Callable[[], None]) -> None:
        library = self._parts.library

        def moved(_result: None) -> None:
            done()
            self.refresh()

        self._do(Task.MOVING, "", lambda progress, c: library.move(folder, progress, c), moved)

    def look_for_update(
        self, model_id: str, name: str, done: Callable[[bool | None], None]
    ) -> None:
        library = self._parts.library
        self._do(Task.UPDATES, name, lambda _, c: library.check_update(model_id, c), done)

    def look_at(self, paths: Sequence[Path], done: Callable[[Brought], None]) -> None:
        library = self._parts.library
        name = paths[0].name if len(paths) == 1 else ""
        self._do(Task.LOOKING, name, lambda _, c: library.look_at(paths, c), done)

    def add(self, brought: Brought, way: Way) -> None:
        library = self._parts.library
        name = brought.models[0].name if len(brought.models) == 1 else ""

        def added(models: tuple[InstalledModel, ...]) -> None:
            self.refresh()
            for model in models:
                self._parts.view.say_ready(model.name)

        def work(progress: Progress, cancel: CancelToken) -> tuple[InstalledModel, ...]:
            return library.add(brought, way, progress, cancel)

        self._do(Task.COPYING, name, work, added)

    def cancel_work(self, work_id: str) -> None:
        if work_id in self._work:
            self._work[work_id][1].cancel()

    def _do(
        self,
        task: Task,
        name: str,
        work: Callable[[Progress, CancelToken], T],
        done: Callable[[T], None],
    ) -> None:
        """Work with a row of its own, until it ends."""
        number = f"work-{next(self._numbers)}"

        def finished(result: T) -> None:
            self._end(number)
            done(result)

        def failed(error: Exception) -> None:
            self._end(number)
            self.failed(error, name)

        token = self._parts.errand(
            lambda cancel: work(self._progress(number), cancel), finished, failed
        )
        self._work[number] = (Working(id=number, task=task, name=name), token)
        self._show_work()

    def _progress(self, number: str) -> Progress:
        """Called on the thread that works; tells whole percents only."""
        last = -1

        def tell(fraction: float) -> None:
            nonlocal last
            percent = int(fraction * 100)
            if percent != last:
                last = percent
                self._parts.call(lambda: self._advance(number, fraction))

        return tell

    def _advance(self, number: str, fraction: float) -> None:
        if number in self._work:
            working, token = self._work[number]
            self._work[number] = (replace(working, fraction=fraction), token)
            self._show_work()

    def _end(self, number: str) -> None:
        self._work.pop(number, None)
        self._show_work()

    def _show_work(self) -> None:
        self._parts.view.show_work([working for working, _ in self._work.values()])

    def failed(self, error: Exception, name: str = "") -> None:
        if not isinstance(error, Cancelled):
            self._parts.view.tell(error, name)

    def close(self) -> None:
        """The window closes."""
        for kind in (self._looking, self._weighing):
            kind.cancel()
        for _, token in self._work.values():
            token.cancel()
