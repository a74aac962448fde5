"""The line above the conversation: its title, the model, and the … menu."""

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QStackedWidget, QWidget

from ui.theme.buttons import IconButton
from ui.theme.direction import margins
from ui.theme.fonts import Role
from ui.theme.lamp import Breath, Lamp
from ui.theme.theme import Theme

translate = QCoreApplication.translate

HEIGHT = 52


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


class ModelPill(QWidget):
    """The name of the model; a lamp and "Getting ready…" while it loads."""

    def __init__(self, theme: Theme, breath: Breath) -> None:
        super().__init__()
        self._theme = theme
        self._model = ""
        self._words = QLabel()
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._lamp = Lamp(theme, breath, "modelLamp", self)
        self.setObjectName("modelPill")
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 0, 14, 0)
        line.setSpacing(8)
        line.addWidget(self._lamp)
        line.addWidget(self._words)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def show_loading(self, name: str) -> None:
        self._model = name
        self._say(translate("Header", "Getting ready…"), working=True)

    def show_ready(self, name: str) -> None:
        self._model = name
        self._say(name, working=False)

    def show_nothing(self) -> None:
        self._lamp.set_working(False)
        self.hide()

    def _say(self, words: str, *, working: bool) -> None:
        self._words.setText(words)
        self._lamp.set_working(working)
        name = translate("Header", "Model: {name}").format(name=self._model)
        self.setAccessibleName(f"{name}, {words}" if working else name)
        self.setToolTip(self._model)
        self.show()

    def _restyle(self) -> None:
        self._words.setFont(self._theme.font(Role.BUTTON))
        self.setFixedHeight(self._theme.px(34))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colours.border, 1))
        painter.setBrush(self._theme.colours.raised)
        shape = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(shape, shape.height() / 2, shape.height() / 2)
        painter.end()


class Header(QWidget):
    """Emits what a person wishes; decides nothing."""

    renamed = Signal(str)
    menu_wished = Signal(QPoint)

    def __init__(self, theme: Theme, breath: Breath) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("header")
        self.show_sidebar = IconButton(theme, "sidebarShow", "panel-left")
        self.new_chat = IconButton(theme, "newChatNarrow", "square-pen")
        self.title = TitleLabel(theme)
        self.field = TitleField()
        self.pill = ModelPill(theme, breath)
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
        line.addWidget(self.pill)
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
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._theme.colours
        painter = QPainter(self)
        painter.fillRect(self.rect(), c.window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, c.border)
        painter.end()
