"""Line icons and the logo, recoloured from one SVG per name and cached per colour, size, scale."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.paths import RESOURCES


def _render(svg: bytes, size: int, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg)).render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


@lru_cache(maxsize=256)
def _icon(name: str, rgb: str, size: int, ratio: float) -> QPixmap:
    svg = (RESOURCES / "icons" / f"{name}.svg").read_text("utf-8")
    svg = svg.replace("currentColor", rgb).replace('stroke-width="2"', 'stroke-width="1.75"')
    return _render(svg.encode(), size, ratio)


def icon(name: str, colour: QColor, size: int, ratio: float) -> QPixmap:
    """Icon `name` (Lucide's name) as a square of `size` pixels at screen scale `ratio`."""
    return _icon(name, colour.name(), size, ratio)


@lru_cache(maxsize=16)
def logo(size: int, ratio: float) -> QPixmap:
    """The mark in its own colours, which no theme changes."""
    return _render((RESOURCES / "logo" / "snug.svg").read_bytes(), size, ratio)
