"""Files that a person hands over, however: dropped on the window, opened from outside, chosen.

Packs among them are asked about first, then models. GUI thread; nothing is read on it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.container import Container
from engine.errors import Cancelled
from ui.bridge import Bridge, T
from ui.shell import speech
from ui.shell.dropping import Dropping
from ui.shell.models_place import ModelsPlace
from ui.shell.window import Window

if TYPE_CHECKING:
    from app.packs_brought import PacksFound
    from engine.types.cancel import CancelToken
    from ui.packs.adding import AddingParts


class Bringing:
    """`fail` tells what nobody expected."""

    def __init__(
        self,
        window: Window,
        container: Container,
        bridge: Bridge,
        models: ModelsPlace,
        fail: Callable[[Exception], None],
    ) -> None:
        self._window = window
        self._container = container
        self._bridge = bridge
        self._models = models
        self._fail = fail
        self._waiting: list[Path] = []
        """Handed over while others are looked at or asked about."""
        self._busy = False
        self._dropping = Dropping(window.theme, window)
        self._dropping.dropped.connect(self.bring)
        models.look_first = self.bring

    def bring(self, paths: Sequence[Path]) -> None:
        """Look at what is there, and ask how to add it; one question after the other."""
        self._waiting.extend(paths)
        if not self._busy and self._waiting:
            self._busy = True
            handed, self._waiting = tuple(dict.fromkeys(self._waiting)), []
            self._look(handed)

    def _look(self, handed: Sequence[Path]) -> None:
        of_person = self._container.paths

        def look(cancel: "CancelToken") -> "PacksFound":
            from app.packs_brought import look_at  # noqa: PLC0415 - heavy, and rare

            return look_at(of_person, handed, cancel)

        self._errand(look, self._looked, self._failed)

    def _looked(self, found: "PacksFound") -> None:
        if not found.any:
            self._go_on(found)
            return
        from ui.packs.dialog import PackDialog  # noqa: PLC0415 - rare

        window = self._window
        dialog = PackDialog(
            window.theme,
            found,
            window,
            self._parts(),
            window.page.toast.say,
            lambda words: speech.announce(window, words),
        )
        dialog.finished.connect(lambda _code: self._go_on(found))

    def _go_on(self, found: "PacksFound | None") -> None:
        """To the models in it, and to what was handed over meanwhile."""
        if found is not None and found.rest:
            self._models.bring(found.rest, found.folders)
        self._busy = False
        self.bring(())

    def _parts(self) -> "AddingParts":
        from app import packs_brought  # noqa: PLC0415 - see above
        from ui.packs.adding import AddingParts  # noqa: PLC0415

        of_person = self._container.paths
        return AddingParts(
            errand=self._errand,
            call=self._bridge.call,
            add=lambda offers, heard, cancel: packs_brought.add(of_person, offers, heard, cancel),
        )

    def _errand(
        self,
        work: "Callable[[CancelToken], T]",
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> "CancelToken":
        return self._bridge.errand(self._container.errands, work, done, failed)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._fail(error)
        self._go_on(None)
