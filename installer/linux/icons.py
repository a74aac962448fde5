"""The logo as pictures in the sizes that desktops ask for. Needs PySide6, no display."""

from pathlib import Path

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from devenv.errors import SetupError

SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)


def draw(svg: Path, size: int, target: Path) -> None:
    """Raises `SetupError`: a menu without its picture is nothing to be quiet about."""
    target.parent.mkdir(parents=True, exist_ok=True)
    picture = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    try:
        QSvgRenderer(QByteArray(svg.read_bytes())).render(painter)
    finally:
        painter.end()
    if not picture.save(str(target)):
        msg = f"{target.name} can not be written"
        raise SetupError(msg)
