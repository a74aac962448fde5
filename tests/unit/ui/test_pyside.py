"""What we rely on in PySide6 itself."""

import sys

from PySide6.QtCore import QObject


def test_a_call_that_returns_nothing_keeps_the_references_to_none() -> None:
    """PySide6 6.12.0 lost one a call; before Python 3.12 the process aborts when they run out."""
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(1000):
        thing.setObjectName("thing")
    assert sys.getrefcount(None) - before > -100
