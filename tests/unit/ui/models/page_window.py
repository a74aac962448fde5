"""The Models page with its dialogs, over services made by hand, in a window of its own."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from tests.unit.ui.models.page_world import PageWorld
from ui.models.around import Around
from ui.models.page import ModelsPage
from ui.models.page_controller import ModelsController
from ui.models.page_hands import PageHands
from ui.theme.style import sheet
from ui.theme.theme import Theme

CLICK = Qt.MouseButton.LeftButton


class PageWindow(PageWorld):
    """With the real page and its dialogs."""

    def show(self, qtbot, size=(1000, 900), scale=100):
        self.theme = Theme("light", scale)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.setStyleSheet(sheet(self.theme))
        self.details, self.opened, self.said, self.heard, self.chats = [], [], [], [], 0
        self.brought = []
        self.hands = PageHands(self.theme, self._around())
        self.page = ModelsPage(self.theme, self.hands.make_row, self.heard.append, self._say)
        self.page.setParent(self.window)
        self.page.resize(*size)
        self.window.resize(*size)
        self.hands.page = self.page
        made = ModelsController(self.parts(), self.page, self.hands, self.hands.token_told)
        self.controller = self.hands.controller = made
        self.hands.connect_page()
        self.controller.begin()
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.errands.run()
        QApplication.processEvents()  # rows appear
        return self

    def _around(self):
        return Around(
            window=self.window,
            open_address=self.opened.append,
            show_details=lambda title, exact: self.details.append((title, exact)),
            say=self._say,
            announce=self.heard.append,
            to_chat=self._to_chat,
            bring=self.brought.append,
        )

    def _say(self, icon, words):
        self.said.append(words)

    def _to_chat(self):
        self.chats += 1

    def find(self, name, kind=QAbstractButton):
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def press(self, qtbot, name):
        qtbot.mouseClick(self.find(name), CLICK)
        self.errands.run()

    def dialog(self, name):
        found = self.window.findChild(QWidget, name)
        assert found is not None, name
        assert found.isVisible()
        return found


def visible(world, prefix):
    buttons = world.window.findChildren(QAbstractButton)
    return [b.objectName() for b in buttons if b.isVisible() and b.objectName().startswith(prefix)]
