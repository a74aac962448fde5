"""One dialog from the question to the end: what can be added, how far it is, what became of it.

It shows and emits; what is decided is decided in `adding.py`. GUI thread.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLayoutItem, QWidget

from app.packs_brought import Advance, Outcome, PacksFound
from ui import messages
from ui.models.patience import Patience
from ui.models.row_parts import Bar
from ui.packs import words as said
from ui.packs.adding import Adding, AddingParts
from ui.packs.problem_words import exact_words
from ui.plan_words import joined
from ui.theme.buttons import TextButton
from ui.theme.choices import FoldButton
from ui.theme.dialog import Dialog, text_box, words
from ui.theme.fonts import Role
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_MOST_REFUSED = 6


class PackDialog(Dialog):
    """`tell` says a short word after it has closed."""

    def __init__(
        self,
        theme: Theme,
        found: PacksFound,
        parent: QWidget,
        parts: AddingParts,
        tell: Callable[[str, str], None],
        announce: Callable[[str], None],
    ) -> None:
        super().__init__(theme, "packDialog", parent)
        self._found = found
        self._tell = tell
        self._announce = announce
        self._adding = Adding(parts, self)
        self._patience = Patience(self, self._say_it_is_lost)
        self._bar = Bar(theme, "packBar")
        self._progress = words(theme, "", Role.SECOND, theme.colours.text2)
        self._cancel = self._button("packCancel", translate("Packs", "Cancel"), "secondary")
        self._add = self._button("packAdd", translate("Packs", "Add"), "primary")
        self._close = self._button("packClose", translate("Packs", "Close"), "primary")
        self._cancel.clicked.connect(self.reject)
        self._add.clicked.connect(lambda _on=False: self._begin())
        self._close.clicked.connect(self.reject)
        self.finished.connect(lambda _code: self._adding.leave())
        self.ignore_keys_at_first()
        if found.offers:
            self._ask()
        else:
            exact = "\n".join(map(exact_words, found.refused))
            self._say(said.told_title(found), said.told_lines(found), exact)

    def _button(self, name: str, text: str, kind: str) -> TextButton:
        button = self.add_button(name, text, kind)
        button.hide()
        return button

    # --- what is shown -------------------------------------------------------------------------

    def _ask(self) -> None:
        found = self._found
        refused = said.refused_lines(found.refused[:_MOST_REFUSED])
        others = [*map(said.there_words, found.there), *refused]
        self._show(said.ask_title(found.offers), said.ask_lines(found.offers), others)
        self._show_buttons(self._cancel, self._add)
        self.finish(self._cancel)

    def _begin(self) -> None:
        self._show(said.adding_title(self._found.offers[0]), [])
        self._put(self._bar)
        self._put(self._progress)
        self._show_buttons(self._cancel)
        self._cancel.setFocus(Qt.FocusReason.OtherFocusReason)
        self.fit()
        self._adding.begin(self._found.offers)

    def _say(self, title: str, lines: Sequence[str], exact: str = "") -> None:
        """Something to read, and to close."""
        self._show(title, lines)
        if exact:
            self._add_details(exact)
        self._show_buttons(self._close)
        if self.isVisible():
            self._close.setFocus(Qt.FocusReason.OtherFocusReason)
            self.fit()
            self._announce(joined(title, " ".join(lines)))
        else:
            self.finish(self._close)

    def _show(self, title: str, lines: Sequence[str], others: Sequence[str] = ()) -> None:
        """In place of what was shown before."""
        while item := self._column.takeAt(0):
            _put_away(item, (self._bar, self._progress))
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._headline = words(self._theme, title, Role.TITLE)
        soft = self._theme.colours.text2
        self._put(self._headline)
        for line in lines:
            self._put(words(self._theme, line, Role.CONTROL))
        for line in others:
            self._put(words(self._theme, line, Role.SECOND, soft))

    def _put(self, widget: QWidget) -> None:
        """Below what is there. In a dialog that is open at once, so that it can take its height."""
        self._column.addWidget(widget)
        if self.isVisible():
            widget.show()

    def _show_buttons(self, *shown: TextButton) -> None:
        for button in (self._cancel, self._add, self._close):
            button.setVisible(button in shown)

    def _add_details(self, exact: str) -> None:
        label = translate("Packs", "Details")
        fold = FoldButton(self._theme, "packFold", label)
        box = text_box(self._theme, exact, "packDetails", label)
        self._put(fold)
        self._column.setAlignment(fold, Qt.AlignmentFlag.AlignLeading)
        self._put(box)
        box.hide()

        def unfold(is_open: bool) -> None:
            box.setVisible(is_open)
            self.fit()
            if is_open:
                self.reveal(box)

        fold.toggled.connect(unfold)

    def reject(self) -> None:
        """Esc, Cancel, and the cross of the window: what is under way is stopped first."""
        if self._adding.under_way and not self._patience.lost:
            self._adding.stop()
        else:
            super().reject()

    # --- AddingView ----------------------------------------------------------------------------

    def show_advance(self, now: Advance) -> None:
        title = said.adding_title(now.offer)
        self.setWindowTitle(title)
        self._headline.setText(title)
        self._bar.show_part(now.fraction, "accent")
        self._word(said.advance_words(now))
        self._bar.setAccessibleName(self._progress.text())

    def show_stopping(self) -> None:
        self._cancel.setEnabled(False)
        self._patience.begin()
        self._word(translate("Packs", "Stopping…"))

    def show_outcomes(self, outcomes: Sequence[Outcome]) -> None:
        self._patience.end()
        errors = [outcome.error for outcome in outcomes if outcome.error is not None]
        exact = "\n".join(map(exact_words, errors))
        self._say(said.done_title(outcomes), said.done_lines(outcomes), exact)

    def show_stopped(self) -> None:
        self.accept()
        self._tell("info", translate("Packs", "Stopped. Nothing was added."))

    def show_failure(self, error: Exception) -> None:
        self._patience.end()
        message = messages.of_error(error)
        self._say(message.title, [message.sentence], message.details)

    def _say_it_is_lost(self) -> None:
        self._word(translate("Packs", "It does not stop yet. You can close this and go on."))
        self._show_buttons(self._close)
        self._close.setFocus(Qt.FocusReason.OtherFocusReason)

    def _word(self, text: str) -> None:
        if text != self._progress.text():
            self._progress.setText(text)
            self.fit()


def _put_away(item: QLayoutItem, kept: Sequence[QWidget]) -> None:
    widget = item.widget()
    if widget is None:
        return
    widget.hide()
    if widget not in kept:
        widget.setParent(None)
        widget.deleteLater()
