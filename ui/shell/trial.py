"""Makes a window for the doctor, looks at what it paints, and takes it away again."""

from time import monotonic

from PySide6.QtCore import QTranslator
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from app import settings
from app.paths import Paths
from app.settings import Settings
from ui.chat import highlight, markdown
from ui.chat.nodes import Code
from ui.shell import languages
from ui.shell.application import application
from ui.shell.window import Window
from ui.theme.theme import Theme

_ANSWER = "See https://example.org\n\n```rust\nfn main() { let x = 1; }\n```\n"
_PATIENCE_S = 10.0
_SOME_COLOURS = 4
"""A window that shows anything has more."""


class WindowFault(Exception):
    """Why there is no window as it should be."""


def make_window(paths: Paths) -> str:
    """What was seen, for the doctor. Raises `WindowFault`. Reads the person's settings only."""
    app = application()
    _check_translations()
    _check_reading()
    kept = Settings(paths.settings)
    window = Window(Theme(kept.get(settings.THEME)), kept)  # type: ignore[arg-type]
    try:
        picture = _painted(app, window)
    finally:
        window.close()
        window.deleteLater()
    if _colours(picture) < _SOME_COLOURS:
        raise WindowFault("the window stays empty")
    size = f"{picture.width()} x {picture.height()}"
    return f"a window of {size} was painted on {QGuiApplication.platformName()}"


def _painted(app: QApplication, window: Window) -> QImage:
    painted: list[bool] = []
    window.painted.connect(lambda: painted.append(True))
    window.show()
    deadline = monotonic() + _PATIENCE_S
    while not painted and monotonic() < deadline:
        app.processEvents()
    if not painted:
        raise WindowFault("the window was never painted")
    return window.grab().toImage()


def _colours(picture: QImage) -> int:
    places = [
        (picture.width() * across // 20, picture.height() * down // 20)
        for across in range(20)
        for down in range(20)
    ]
    return len({picture.pixel(x, y) for x, y in places})


def _check_translations() -> None:
    for name, folder in languages.sources():
        if not QTranslator().load(f"{name}_{languages.CHINESE}", folder):
            raise WindowFault(f"the translation {name}_{languages.CHINESE} is missing")


def _check_reading() -> None:
    """The lexers of code are found by name and imported one by one."""
    blocks = markdown.parse(_ANSWER)
    labels = [block.label for block in blocks if isinstance(block, Code)]
    if labels != ["rust"] or not highlight.pieces_of_line("rust", "fn main() { let x = 1; }"):
        raise WindowFault("answers can not be laid out")
