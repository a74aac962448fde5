"""The line above the conversation: its title, the model, and the … menu."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QStackedWidget, QWidget

from ui.theme.buttons import RING, IconButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.lamp import Breath
from ui.theme.theme import Theme

if TYPE_CHECKING:
    from ui.models.now import ModelNow
    from ui.models.pill import ModelPill

translate = QCoreApplication.translate

HEIGHT = 52
_NARROW = 760
_TITLE_SHARE = 0.3
_TITLE_SHARE_NARROW = 0.45


def pill_room(width: int, around: int, title: int) -> int:
    """Pixels for the model pill in a header of `width`, of which `around` are taken: a title of
    `title` pixels stays whole as far as it takes no more than its share. Under 760 the title's
    share is larger; there the pill's badge gives up its words first."""
    share = _TITLE_SHARE_NARROW if width < _NARROW else _TITLE_SHARE
    return width - around - min(title, round(width * share))


class TitleLabel(QLabel):
    """The title on one line, cut at its end where it does not fit; double-click renames."""

    rename_wished = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title = ""
        self.setObjectName("chatTitle")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(translate("Header", "Chat title"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def title(self) -> str:
        return self._title

    def set_title(self, title: str) -> None:
        self._title = " ".join(title.split())
        self.setToolTip(self._title)
        self.setAccessibleDescription(self._title)
        self._fit()

    def _fit(self) -> None:
        fitting = self.fontMetrics().elidedText(
            self._title, Qt.TextElideMode.ElideRight, self.width()
        )
        self.setText(fitting)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        if self._title:
            self.rename_wished.emit()


def keeps_escape(event: QEvent) -> bool:
    """Whether Qt asks if a field wants Esc for itself, before a shortcut gets it."""
    return (
        event.type() == QEvent.Type.ShortcutOverride
        and isinstance(event, QKeyEvent)
        and event.key() == Qt.Key.Key_Escape
    )


class TitleField(QLineEdit):
    """The title while it is renamed. Enter keeps it, Esc does not."""

    finished = Signal(str)
    """The new title, "" for none."""

    def event(self, event: QEvent) -> bool:
        if keeps_escape(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.finished.emit("")
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.finished.emit(self.text())
        else:
            super().keyPressEvent(event)


class Header(QWidget):
    """Emits what a person wishes; decides nothing."""

    renamed = Signal(str)
    menu_wished = Signal(QPoint)

    def __init__(self, theme: Theme, breath: Breath) -> None:
        super().__init__()
        self._theme = theme
        self._breath = breath
        self._has_pill = False
        self.setObjectName("header")
        self.show_sidebar = IconButton(theme, "sidebarShow", "panel-left")
        self.new_chat = IconButton(theme, "newChatNarrow", "square-pen")
        self.title = TitleLabel(theme)
        self.field = TitleField()
        self.pill: ModelPill
        self.menu = IconButton(theme, "chatMenu", "ellipsis")
        self._titles = QStackedWidget()
        self._line = QHBoxLayout(self)
        self._lay_out()
        self.title.rename_wished.connect(self.begin_rename)
        self.field.finished.connect(self._end_rename)
        self.field.editingFinished.connect(lambda: self._end_rename(self.field.text()))
        self.menu.clicked.connect(self._menu_clicked)
        theme.changed.connect(self._restyle)
        self.set_narrow(narrow=False)
        self._restyle()

    def _lay_out(self) -> None:
        self.field.setObjectName("chatTitleField")
        self.field.setAccessibleName(translate("Header", "Chat title"))
        self._titles.addWidget(self.title)
        self._titles.addWidget(self.field)
        self._titles.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        line = self._line
        line.setSpacing(8)
        for button in (self.show_sidebar, self.new_chat):
            line.addWidget(button)
        line.addWidget(self._titles, 1)
        line.addWidget(self.menu)
        self.new_chat.describe(translate("Sidebar", "New chat"))

    def set_narrow(self, *, narrow: bool) -> None:
        """With the sidebar hidden its button and New chat are here."""
        self.show_sidebar.setVisible(narrow)
        self.new_chat.setVisible(narrow)
        margin = 8 if narrow else 24
        self._line.setContentsMargins(margins(margin, 0, 12, 1))

    def show_title(self, title: str) -> None:
        """ "" for an empty chat: then there is nothing to rename or delete either."""
        self._titles.setCurrentWidget(self.title)
        self.title.set_title(title)
        self.menu.describe(translate("Sidebar", "More for {title}").format(title=title))
        self.menu.setVisible(bool(title))
        self._arrange_pill()

    def add_pill(self) -> None:
        """The model pill, once there may be a model to show."""
        from ui.models.pill import ModelPill  # noqa: PLC0415 - brings all of a plan's values along

        self.pill = ModelPill(self._theme, self._breath)
        self._has_pill = True
        self._line.insertWidget(self._line.indexOf(self.menu), self.pill)
        self._arrange_pill()

    def show_model(self, now: "ModelNow") -> None:
        self.pill.show_now(now)
        self._arrange_pill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_pill()

    def _arrange_pill(self) -> None:
        if not self._has_pill:
            return
        buttons = [b for b in (self.show_sidebar, self.new_chat, self.menu) if not b.isHidden()]
        gaps = self._line.spacing() * (len(buttons) + 1)
        margins = self._line.contentsMargins()
        around = sum(b.sizeHint().width() for b in buttons) + gaps
        around += margins.left() + margins.right() + 2 * RING
        wish = round(self._theme.metrics(Role.HEADING).horizontalAdvance(self.title.title))
        self.pill.set_room(pill_room(self.width(), around, wish))

    def begin_rename(self) -> None:
        self.field.setText(self.title.title)
        self._titles.setCurrentWidget(self.field)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _end_rename(self, title: str) -> None:
        if self._titles.currentWidget() is not self.field:
            return
        self._titles.setCurrentWidget(self.title)
        if title.strip() and title != self.title.title:
            self.renamed.emit(title)

    def _menu_clicked(self) -> None:
        self.menu_wished.emit(self.menu.mapToGlobal(QPoint(0, self.menu.height())))

    def sizeHint(self) -> QSize:
        return QSize(400, max(HEIGHT, self._theme.px(HEIGHT - 8)))

    def _restyle(self) -> None:
        self.title.setFont(self._theme.font(Role.HEADING))
        self.field.setFont(self._theme.font(Role.HEADING))
        self.setFixedHeight(self.sizeHint().height())
        self._arrange_pill()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.fillRect(self.rect(), c.window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, c.border)
        painter.end()
