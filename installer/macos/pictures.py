"""Pictures of the bundle and of the disk image, drawn from the logo. Needs PySide6, no display."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtSvg import QSvgRenderer

from devenv.places import ROOT
from macos import icns

_LOGO = ROOT / "resources" / "logo" / "snug.svg"
_TOKENS = ROOT / "resources" / "tokens.json"
_MARGIN = 100 / 1024
"""Of Apple's grid for icons: others stand in the same distance."""

WINDOW = (640, 400)
"""Of the disk image, in points."""
PROGRAM_AT, FOLDER_AT = (170, 190), (470, 190)
"""The middles of the program and of the folder that it is dragged into."""
_ARROW = ((272, 190), (368, 190))
_ARROW_HEAD = 14


def icon(target: Path) -> Path:
    """The logo in all sizes, packed into `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    pictures = {}
    for edge in sorted(set(icns.KINDS.values())):
        picture = target.with_name(f"mac-{edge}.png")
        with _painted(picture, (edge, edge)) as painter:
            margin = round(edge * _MARGIN)
            inner = QRectF(margin, margin, edge - 2 * margin, edge - 2 * margin)
            QSvgRenderer(QByteArray(_LOGO.read_bytes())).render(painter, inner)
        pictures[edge] = picture.read_bytes()
    target.write_bytes(icns.packed(pictures))
    return target


def background(target: Path) -> Path:
    """`target` and its double for retina screens beside it, as dmgbuild looks for it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    for scale, name in ((1, target.name), (2, f"{target.stem}@2x{target.suffix}")):
        size = (WINDOW[0] * scale, WINDOW[1] * scale)
        with _painted(target.with_name(name), size) as painter:
            painter.scale(scale, scale)
            _draw_background(painter)
    return target


def _draw_background(painter: QPainter) -> None:
    """Drag this there, without a word: it has to do in every language."""
    colours = json.loads(_TOKENS.read_text(encoding="utf-8"))["themes"]["light"]
    painter.fillRect(QRectF(0, 0, *WINDOW), QColor(colours["sidebar"]))
    pen = QPen(QColor(colours["accent"]), 6)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    start, tip = QPointF(*_ARROW[0]), QPointF(*_ARROW[1])
    painter.drawLine(start, tip)
    for side in (-_ARROW_HEAD, _ARROW_HEAD):
        painter.drawLine(tip, tip + QPointF(-_ARROW_HEAD, side))


@contextmanager
def _painted(target: Path, size: tuple[int, int]) -> Iterator[QPainter]:
    """A painter on a clear picture that is written to `target` afterwards."""
    picture = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    try:
        yield painter
    finally:
        painter.end()
    picture.save(str(target))
