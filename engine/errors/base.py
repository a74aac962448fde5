"""What every failure of the engine is."""

from typing import ClassVar


class EngineError(Exception):
    code: ClassVar[str] = "engine"
