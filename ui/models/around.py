"""What the Models page asks of the window around it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """`open_address` asks before it opens a browser; `bring` looks at files of any kind."""

    window: QWidget
    open_address: Callable[[str], object]
    show_details: Callable[[str, str], object]
    say: Callable[[str, str], None]
    announce: Callable[[str], None]
    to_chat: Callable[[], None]
    bring: Callable[[Sequence[Path]], None]
