"""The pictures in the installer's own pages, drawn from the logo. Needs PySide6, no display.

Windows takes them as bitmaps without transparency, and makes them larger where the screen is finer:
so they are drawn at twice the size that a plain screen shows.
"""

from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from devenv.places import ROOT

_LOGO = ROOT / "resources" / "logo" / "snug.svg"
_SIDE = (328, 628)
_HEAD = (300, 114)
_SOFT = "#E1EEEF"  # accent_soft of the light theme
_WHITE = "#FFFFFF"


def draw(folder: Path) -> None:
    """`side.bmp` stands left of the first and last page, `head.bmp` above the others."""
    width, height = _SIDE
    _picture(_SIDE, _SOFT, QRectF((width - 176) / 2, (height - 176) / 2, 176, 176)).save(
        str(folder / "side.bmp")
    )
    _picture(_HEAD, _WHITE, QRectF(300 - 84 - 18, (114 - 84) / 2, 84, 84)).save(
        str(folder / "head.bmp")
    )


def _picture(size: tuple[int, int], colour: str, place: QRectF) -> QImage:
    picture = QImage(*size, QImage.Format.Format_RGB32)
    picture.fill(QColor(colour))
    painter = QPainter(picture)
    try:
        QSvgRenderer(QByteArray(_LOGO.read_bytes())).render(painter, place)
    finally:
        painter.end()
    return picture.convertToFormat(QImage.Format.Format_RGB888)
