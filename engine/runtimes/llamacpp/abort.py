"""Stops native work from any thread, without Python being asked in between.

llama.cpp calls its abort callback before the nodes of its graph, 515 times a token for SmolLM2. A
Python function there would need the interpreter's lock each time and wait whenever the window
holds it. The C library's `strlen` has the callback's shape and needs no lock: over a text of one
character it returns 1, "stop"; over an empty one 0, "go on".
"""

import ctypes
import ctypes.util
import os
from typing import Any


def _c_library() -> ctypes.CDLL:
    if os.name == "nt":
        return ctypes.CDLL("msvcrt")
    return ctypes.CDLL(None)


class AbortFlag:
    """The flag and the callback that reads it. Keep it alive as long as the context uses it."""

    def __init__(self, callback_type: Any) -> None:
        self._text = ctypes.create_string_buffer(2)
        self._library = _c_library()
        self.callback = ctypes.cast(self._library.strlen, callback_type)

    @property
    def data(self) -> int:
        """Address that the callback is to be given."""
        return ctypes.addressof(self._text)

    def set(self) -> None:
        self._text[0] = b"\x01"

    def clear(self) -> None:
        self._text[0] = b"\x00"
