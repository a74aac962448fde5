"""The presenter of "About Snug": what it is made of, and the text of a licence. No Qt here; GUI
thread. Everything is read once, on a thread of its own.
"""

from collections.abc import Callable
from typing import Protocol

from app.about import About, Part
from ui.settings.ordered import Ordered, Run


class AboutView(Protocol):
    def show_about(self, about: About) -> None: ...
    def show_text(self, part: Part, text: str) -> None: ...
    def refuse(self, error: Exception) -> None: ...


class AboutPresenter:
    def __init__(
        self,
        run: Run,
        read: Callable[[], About],
        text_of: Callable[[Part], str],
        view: AboutView,
    ) -> None:
        self._ordered = Ordered(run)
        self._read = read
        self._text_of = text_of
        self._view = view
        self._asked = False
        self.about: About | None = None

    def look(self) -> None:
        """Somebody looks at the page."""
        if not self._asked:
            self._asked = True
            self._ordered.do("about", self._read, self._known, self._failed)

    def _known(self, about: About) -> None:
        self.about = about
        self._view.show_about(about)

    def _failed(self, error: Exception) -> None:
        self._asked = False
        self._view.refuse(error)

    def open(self, part: Part) -> None:
        """Show the text of its licence."""
        self._ordered.do(
            "text",
            lambda: self._text_of(part),
            lambda text: self._view.show_text(part, text),
            self._view.refuse,
        )

    def leave_text(self) -> None:
        """Nobody waits for it any more."""
        self._ordered.forget("text")

    def close(self) -> None:
        self._ordered.close()
